// A picture of a report page in the middle of its motion: node test/picture.mjs REPORT.html PICTURE.png
import { settle, startBrowser } from "./browser.mjs";

const [report, picture] = process.argv.slice(2);
const browser = await startBrowser();
const page = await browser.openFile(report, { viewport: { width: 1200, height: 760 } });
const time = page.getByLabel("Time");
for (const moment of ["0", "500", "850"]) {
  await time.fill(moment); // of 2000
  await page.keyboard.press("s");
}
await time.fill("1200");
await time.blur();
await settle(page);
await page.screenshot({ path: picture });
await browser.close();
