// Takes pictures of pages as small WebP files, once everything on them is drawn.

import { writeFileSync } from "node:fs";
import { finish, given, open } from "./browser.mjs";

const sizes = {};
for (const { name, path, key, width = 1280, height = 800, colorScheme = "light", prepare } of given.pictures) {
  const page = await open({ width, colorScheme, key, reducedMotion: "reduce", timezoneId: "UTC", locale: "en-GB" });
  await page.setViewportSize({ width, height });
  await page.goto(path);
  if (prepare) await page.locator(prepare).first().click();
  await page.waitForTimeout(400);
  await page.look();
  const session = await page.context().newCDPSession(page);
  let bytes;
  for (const quality of [72, 60, 50, 40]) {
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
    bytes = Buffer.from(data, "base64");
    if (bytes.length < given.most * 0.9) break;
  }
  writeFileSync(`${given.folder}/${name}.webp`, bytes);
  sizes[name] = bytes.length;
  await page.context().close();
}
await finish({ sizes });
