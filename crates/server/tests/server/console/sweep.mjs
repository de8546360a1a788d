// Visits every page that the test names, in light and dark, at 1,280 and 390 pixels.

import { finish, given, open } from "./browser.mjs";

for (const width of [1280, 390]) {
  for (const colorScheme of ["light", "dark"]) {
    for (const { key, paths } of given.visitors) {
      const page = await open({ width, colorScheme, key });
      for (const path of paths) await page.visit(path);
      await page.context().close();
    }
    const stranger = await open({ width, colorScheme });
    await stranger.visit("/console/login");
    await stranger.context().close();
  }
}
await finish();
