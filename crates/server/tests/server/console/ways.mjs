// The five main ways through the console: start a scrape by its form, watch it, answer a question, cancel, export a table as CSV.

import { readFileSync } from "node:fs";
import { faults, finish, given, open } from "./browser.mjs";

const expect = (what, holds) => { if (!holds) faults.push(`not so: ${what}`); };
const ways = [];
const page = await open({ acceptDownloads: true });

// A scrape by its form.
await page.goto("/console/new?kind=scrape");
await page.fill("[id='f:assets']", `${given.site}/shop`);
await page.fill("[id='f:instructions']", "all products");
await page.click("summary:has-text('More options')");
await page.selectOption("[id='f:planner']", "triggers");
await page.selectOption("[id='f:mode']", "rule-based");
await page.locator("#code-curl-text:has-text('/shop')").waitFor();
await page.click("button:has-text('Start the run')");
await page.waitForURL("**/console/runs/*");
ways.push("start");

// It is watched.
await page.locator("#timeline .row:has-text('Read the page')").waitFor();
await page.locator("#status .b-completed").waitFor();
ways.push("watch");

// Its table as CSV.
await page.goto(`${new URL(page.url()).pathname}?view=result`);
const [download] = await Promise.all([page.waitForEvent("download"), page.click("a:has-text('Download CSV')")]);
const csv = readFileSync(await download.path(), "utf8");
expect("the table has the products", csv.includes("Kettle") && csv.split("\n").length > 3);
expect("no cell begins a formula", !/(^|,)"?[=+@]/m.test(csv));
ways.push("export");

// A question is answered.
await page.goto("/console/new?kind=automate");
await page.fill("[id='f:task']", "order");
await page.fill("[id='f:url']", `${given.site}/`);
await page.check("[name='f:interactive']").catch(async () => { await page.selectOption("[name='f:interactive']", "true"); });
await page.click("button:has-text('Start the run')");
await page.waitForURL("**/console/runs/*");
await page.locator("#question, #notice:not([hidden])").first().waitFor();
await page.goto(new URL(page.url()).pathname);
await page.locator("#question").waitFor();
await page.look();
const asking = page.url();
await page.goto("/console/runs");
await page.locator("a.asks:has-text('Waits for you')").waitFor();
await page.goto(asking);
await page.fill("#question input[type='email']", "ada.secret@example.org");
await page.selectOption("#question select", "Peru");
await page.click("button:has-text('Send the values')");
await page.locator("#status .b-completed").waitFor();
// The run may have ended before its page came back: then the page has the result, else a notice leads there.
await page.locator("#notice a[href='?view=result'], .preview a[href='?view=result']").first().waitFor();
expect("nothing is left to answer or to cancel", await page.locator("#question, #sent, #cancel").count() === 0);
expect("no value is on the page", !(await page.content()).includes("ada.secret"));
ways.push("answer");

// A run that does not end is cancelled.
await page.goto("/console/new?kind=scrape");
await page.fill("[id='f:assets']", `${given.site}/silent`);
await page.click("button:has-text('Start the run')");
await page.waitForURL("**/console/runs/*");
await page.locator("#live:not([hidden])").waitFor();
await page.click("button:has-text('Cancel')");
await page.locator("#status .b-cancelled").waitFor();
ways.push("cancel");
await finish({ ways });
