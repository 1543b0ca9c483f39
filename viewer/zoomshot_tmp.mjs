import { settle, startBrowser } from "./test/browser.mjs";
const browser = await startBrowser();
for (const n of process.argv.slice(2)) {
const t0 = Date.now();
const page = await browser.openFile(`/tmp/h6/x/${n}/report.html`, { viewport: { width: 1280, height: 1100 } });
console.log(n, "open", Date.now() - t0, page.problems);
const chart = page.locator(".plots .chart").nth(1);
const box = await chart.locator(".u-over").boundingBox();
const t1 = Date.now();
for (let i = 0; i < 2; ++i) {
await page.mouse.move(box.x + 200, box.y + 60); await page.mouse.down(); await page.mouse.move(box.x + 220, box.y + 62, { steps: 3 }); await page.mouse.up(); await settle(page);}
console.log("zoom", Date.now() - t1);
await page.screenshot({ path: `/tmp/h6/shots/${n}-zoom.png` });
await page.context().close();
}
await browser.close();
