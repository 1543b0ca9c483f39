// The page of a sweep in a browser: it shows what the data say, answers to choices, and names hurt nobody.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { settle, startBrowser } from "./browser.mjs";
import { attack } from "./fixtures.mjs";
import { sweep } from "./sweep_fixtures.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(() => browser.close());

const opened = async (report, options) => {
  const page = await browser.open(report, options);
  await settle(page);
  return page;
};
const values = ({ f64 }) => Array.from(new Float64Array(Uint8Array.from(Buffer.from(f64, "base64")).buffer));

test("all pictures of a sweep are there, in both themes and on a phone", async () => {
  for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 390, height: 844 } }]) {
    const page = await opened(sweep(), options);
    assert.deepEqual(page.problems, []);
    assert.equal(await page.locator(".sweep-chart:visible svg").count(), 6);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
    await page.context().close();
  }
});

test("the worst case is the largest figure, and a click tells how to see it", async () => {
  const report = sweep(), page = await opened(report);
  const peak = values(report.sweep.figures[1].values).map((v) => (Number.isFinite(v) ? v : -Infinity));
  const worst = peak.indexOf(Math.max(...peak));
  const first = page.getByRole("region", { name: "The worst cases" }).locator("tbody tr").first();
  assert.equal(await first.locator("th").textContent(), String(worst));
  await first.getByRole("button").click();
  const box = page.locator(".chosen-case");
  assert.match(await box.locator("h2").textContent(), new RegExp(`Case ${worst}`));
  const command = await box.locator("code").last().textContent();
  const wind = values(report.sweep.varied[3].values)[worst];
  assert.ok(command.startsWith("invar simulate overhead_crane --set m="));
  assert.ok(command.includes(`--set wind.speed=${wind}`), "to the last digit");
  await page.getByLabel("Which cases").selectOption("smallest");
  assert.notEqual(await first.locator("th").textContent(), String(worst));
  await page.context().close();
});

test("a case with a report of its own is one click away", async () => {
  const report = sweep();
  const peak = values(report.sweep.figures[1].values).map((v) => (Number.isFinite(v) ? v : -Infinity));
  report.sweep.reports = { [peak.indexOf(Math.max(...peak))]: "case-1/report.html" };
  const page = await opened(report);
  const link = page.getByRole("region", { name: "The worst cases" }).getByRole("link");
  assert.equal(await link.getAttribute("href"), "case-1/report.html");
  await page.context().close();
});

test("another figure changes the pictures; what it has no indices for is left out", async () => {
  const page = await opened(sweep());
  await page.getByLabel("Figure", { exact: true }).selectOption("energy.total.max");
  await settle(page);
  assert.match(await page.locator(".sweep-chart figcaption").first().textContent(), /energy\.total\.max over m/);
  assert.equal(await page.locator(".sweep-chart:visible svg").count(), 5);
  await page.getByLabel("over", { exact: true }).selectOption("L");
  await settle(page);
  assert.match(await page.locator(".sweep-chart svg").first().getAttribute("aria-label"), /over L, 300 cases/);
  await page.getByLabel("Figure", { exact: true }).selectOption("sway.peak");
  await settle(page);
  assert.equal(await page.locator(".sweep-chart:visible svg").count(), 5, "over L and L there is no map");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a case is chosen in the picture", async () => {
  const page = await opened(sweep());
  const picture = page.locator(".sweep-chart svg").first();
  const { x, y, width, height } = await picture.boundingBox();
  for (let part = 0.2; part < 0.9 && !(await page.locator(".chosen-case:visible").count()); part += 0.05)
    await page.mouse.click(x + width * 0.5, y + height * part);
  assert.match(await page.locator(".chosen-case h2").textContent(), /^Case \d+/);
  assert.equal(await picture.locator("circle.chosen").count(), 1);
  await page.context().close();
});

test("failures stand with their reasons, and no text is read as HTML", async () => {
  const report = sweep(60, attack);
  report.sweep.varied[0].name = attack;
  report.sweep.figures[1].name = attack;
  const page = await opened(report);
  assert.deepEqual(page.problems, []);
  assert.ok((await page.getByRole("region", { name: "Failures" }).textContent()).includes(attack));
  await page.context().close();
});

test("a figure that varies comes first; what is the same in all cases is told in a line", async () => {
  const page = await opened(sweep());
  assert.match(await page.locator(".sweep-chart figcaption").first().textContent(), /sway\.peak over m/);
  assert.match(await page.locator("main").textContent(), /The same in all cases: steps 500\./);
  assert.equal(await page.getByRole("region", { name: "Figures over all cases" }).locator("tbody tr").count(), 2);
  await page.context().close();
});

test("a sweep of which nothing is left still says so", async () => {
  const report = sweep(40);
  report.sweep.figures = [];
  report.sweep.pearson = report.sweep.spearman = [];
  const page = await opened(report);
  assert.deepEqual(page.problems, []);
  assert.match(await page.locator("main").textContent(), /Nothing was kept/);
  await page.context().close();
});
