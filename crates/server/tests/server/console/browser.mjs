// Opens pages of the console in Playwright and collects whatever is wrong with them: errors of the console, reports of the
// content security policy, what scrolls sideways, and what axe-core calls serious or critical.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const folder = process.env.CONSOLE_TOOLS;
const require = createRequire(`${folder}/node_modules/`);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** What the test says: the address of the server, keys, pages, the browser. */
export const given = JSON.parse(process.argv[2]);
export const faults = [];
let visits = 0;

const args = given.sandbox ? [] : ["--no-sandbox"];
const browser = await chromium.launch({ executablePath: given.chromium, args: [...args, "--no-proxy-server"] });

/** A page of a new browser context, logged in with a key where one is given. */
export const open = async ({ width = 1280, colorScheme = "light", key, ...rest } = {}) => {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, baseURL: given.base, ...rest });
  const page = await context.newPage();
  // Long enough for a machine that is busy with other tests.
  page.setDefaultTimeout(60_000);
  const note = (kind, text) => faults.push(`${kind} at ${page.url()} (${width}, ${colorScheme}): ${text}`);
  page.on("console", (message) => { if (message.type() === "error" && !page.expectsErrors) note("console", message.text()); });
  page.on("pageerror", (error) => note("script", error.message));
  await page.addInitScript(() => {
    window.policyReports = [];
    document.addEventListener("securitypolicyviolation", (event) => {
      window.policyReports.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  page.look = async () => {
    visits += 1;
    const seen = await page.evaluate(() => ({
      reports: window.policyReports, wide: document.documentElement.scrollWidth - window.innerWidth, canary: window.canary ?? null,
    }));
    for (const report of seen.reports) note("policy", report);
    if (seen.wide > 0) note("layout", `${seen.wide} pixels too wide`);
    if (seen.canary !== null) note("canary", String(seen.canary));
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"],
    }));
    for (const found of violations.filter((it) => ["serious", "critical"].includes(it.impact))) {
      note("axe", `${found.impact} ${found.id}: ${found.nodes.slice(0, 3).map((it) => it.html.slice(0, 200)).join(" | ")}`);
    }
  };
  page.visit = async (path) => {
    await page.goto(path, { waitUntil: "load" });
    await page.look();
  };
  if (key) {
    await page.goto("/console/login");
    await page.fill("#key", key);
    await page.click("form.stack button");
    await page.waitForURL((url) => !url.pathname.endsWith("/login"));
  }
  return page;
};

/** Ends the script: what was visited and what was wrong, as JSON. */
export const finish = async (more = {}) => {
  await browser.close();
  console.log(JSON.stringify({ visits, faults, ...more }));
};
