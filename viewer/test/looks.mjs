// What report pages look like: node test/looks.mjs FOLDER REPORT.html … draws each in light, in dark, as wide as a
// phone and on paper, at a moment in the middle of its motion, and puts the four on a sheet, FOLDER/NAME.png. NAME is
// that of the folder of the report. Paper takes pdftoppm.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { settle, startBrowser } from "./browser.mjs";

const [folder, ...reports] = process.argv.slice(2);
const single = join(folder, "single");
mkdirSync(single, { recursive: true });
const browser = await startBrowser();
const screens = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 800 }, colorScheme: "light" },
};
const longest = { light: 2200, dark: 860, phone: 1900 }; // pixels of a page that are shown

async function toTheMiddle(page) {
  const time = page.getByLabel("Time", { exact: true });
  if (await time.count()) {
    await time.fill("900"); // of 2000
    await time.blur();
  }
  await settle(page);
}

/** Plots are made when they are seen. */
async function seen(page, height) {
  for (let y = 0; y < height; y += 700) {
    await page.evaluate((top) => scrollTo({ top, behavior: "instant" }), y);
    await settle(page);
  }
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  await settle(page);
}

async function screen(report, name, look) {
  const page = await browser.openFile(report, screens[look]);
  await toTheMiddle(page);
  const path = join(single, `${name}-${look}.png`);
  const { width, height } = await page.evaluate(() => ({ width: document.documentElement.scrollWidth,
    height: document.documentElement.scrollHeight }));
  await seen(page, Math.min(height, longest[look]));
  if (width > screens[look].viewport.width) page.problems.push(`${width} pixels wide`);
  await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width: screens[look].viewport.width,
    height: Math.min(height, longest[look]) } });
  const { problems } = page;
  await page.context().close();
  return { path, problems };
}

async function paper(report, name) {
  const page = await browser.openFile(report, screens.light);
  await toTheMiddle(page);
  const pdf = join(single, `${name}.pdf`);
  await page.pdf({ path: pdf, format: "A4" });
  await page.context().close();
  for (const old of readdirSync(single)) if (old.startsWith(`${name}-paper`)) rmSync(join(single, old));
  execFileSync("pdftoppm", ["-r", "60", "-png", pdf, join(single, `${name}-paper`)]);
  return readdirSync(single).filter((file) => file.startsWith(`${name}-paper`)).sort().map((file) =>
    join(single, file));
}

/** Light and phone in full height; at the right the beginning in dark, and the pages of paper. */
async function sheet(name, [light, dark, phone], pages) {
  const picture = (path, width) => `<img src="single/${basename(path)}" style="width: ${width}px">`;
  const file = join(folder, `${name}.html`);
  writeFileSync(file, `<!doctype html><meta charset="utf-8"><title>${name}</title>
<style>body { margin: 4px; background: #888; font: 13px sans-serif }
div { display: flex; gap: 8px; align-items: flex-start }
p { display: flex; flex-wrap: wrap; gap: 6px; width: 460px; margin: 0 }</style>
<div>${picture(light, 760)}${picture(phone, 320)}
<p>${picture(dark, 460)}${pages.slice(0, 6).map((path) => picture(path, 227)).join("")}
<b>${name}, ${pages.length} pages of paper</b></p></div>`);
  const page = await browser.openFile(file, { viewport: { width: 1570, height: 400 } });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await page.context().close();
  rmSync(file);
}

for (const report of reports) {
  const name = basename(dirname(report)), looks = [];
  for (const look of Object.keys(screens)) {
    const { path, problems } = await screen(report, name, look);
    looks.push(path);
    for (const problem of problems) console.log(`${name}, ${look}: ${problem}`);
  }
  await sheet(name, looks, await paper(report, name));
}
const sheets = readdirSync(folder).filter((file) => file.endsWith(".png"));
writeFileSync(join(folder, "index.html"), `<!doctype html><meta charset="utf-8"><title>Looks</title>
${sheets.map((file) => `<p><img src="${file}" style="max-width: 100%" loading="lazy"></p>`).join("\n")}\n`);
await browser.close();
