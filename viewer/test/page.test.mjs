// The page in a browser: it shows the data, moves, and listens.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { settle, startBrowser } from "./browser.mjs";
import { attack, bare, comparison, hostile, planar, spatial, swing } from "./fixtures.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(() => browser.close());

const legend = (page, label) =>
  page.locator(".legend button").filter({ has: page.getByText(label, { exact: true }) }).first().locator(".value");
const shownValue = async (page, label) => Number(await legend(page, label).getAttribute("data-value"));
const shot = async (page, selector) => createHash("sha256").update(await page.locator(selector).first().screenshot()).digest("hex");
const picture = (page) => shot(page, "canvas.picture");
const clock = async (page) => Number((await page.locator(".time").textContent()).replace(" s", ""));

/** Points at a fraction of the width of the first plot over time. */
async function pointAt(page, fraction, label = "bob.x") {
  const chart = page.locator(".plots .chart").filter({ has: page.getByText(label, { exact: true }) }).first();
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.locator(".u-over").boundingBox();
  await page.mouse.move(box.x + fraction * box.width, box.y + box.height / 2);
  await settle(page);
  return box;
}

for (const [name, make] of Object.entries({ planar, spatial, comparison, hostile, bare }))
  test(`the ${name} report opens without complaints`, async () => {
    const page = await browser.open(make());
    assert.deepEqual(page.problems, []);
    assert.equal(await page.locator("h1").textContent(), make().name);
    assert.equal(await page.locator(".verdict").textContent(), make().verdict);
    await page.context().close();
  });

test("hovering shows exactly the samples of the data, and takes the animation along", async () => {
  const page = await browser.open(planar());
  const { times, states } = swing();
  const before = await picture(page);
  await pointAt(page, 0.4);
  const t = await clock(page);
  const i = times.findIndex((time) => Math.abs(time - t) < 1e-6);
  assert.ok(i > 0, `the cursor stands at a sample: ${t}`);
  assert.ok(Math.abs(t - 0.4 * 4) < 0.03);
  assert.equal(await shownValue(page, "bob.x"), 1.2 * Math.sin(states[i][0]));
  assert.match(await legend(page, "bob.x").textContent(), /^−?\d\.\d+$/);
  assert.notEqual(await picture(page), before);
  await page.context().close();
});

test("moving the animation moves the values in the plots", async () => {
  const page = await browser.open(planar());
  const { states } = swing();
  await page.keyboard.press("End");
  assert.equal(await clock(page), 4);
  assert.equal(await shownValue(page, "bob.x"), 1.2 * Math.sin(states.at(-1)[0]));
  await page.locator(".scrub").fill("1000");
  assert.equal(await clock(page), 2);
  assert.equal(await shownValue(page, "bob.x"), 1.2 * Math.sin(states[100][0]));
  await page.context().close();
});

test("a stepped input holds the value before", async () => {
  const page = await browser.open(planar());
  await page.locator(".scrub").fill("527"); // t = 1.054 s, nearer to 1.06 s than to 1.04 s
  const { times } = swing();
  await page.locator(".chart").nth(1).scrollIntoViewIfNeeded();
  await settle(page);
  assert.equal(await shownValue(page, "torque"), Math.sign(Math.sin(3 * times[52])));
  assert.notEqual(Math.sign(Math.sin(3 * times[52])), Math.sign(Math.sin(3 * times[53])));
  await page.context().close();
});

for (const [name, make] of Object.entries({ planar, spatial }))
  test(`playing moves the ${name} scene, pausing holds it`, async () => {
    const page = await browser.open(make());
    const first = await picture(page);
    await page.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction(() => parseFloat(document.querySelector(".time").textContent) > 0.3);
    await page.getByRole("button", { name: "Pause" }).click();
    await settle(page);
    const second = await picture(page);
    assert.notEqual(first, second);
    const t = await clock(page);
    await page.waitForTimeout(200);
    assert.equal(await clock(page), t);
    assert.equal(await picture(page), second);
    await page.context().close();
  });

test("dragging in one plot zooms all of them, a double click resets", async () => {
  const page = await browser.open(planar());
  const pixels = (n) => page.locator(".plots .chart canvas").nth(n).evaluate((canvas) => canvas.toDataURL());
  const before = [await pixels(0), await pixels(2)];
  const box = await pointAt(page, 0.25);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await settle(page);
  assert.notEqual(await pixels(0), before[0]);
  assert.notEqual(await pixels(2), before[1]);
  await pointAt(page, 0.5);
  assert.ok(Math.abs((await clock(page)) - 1.5) < 0.03, "the middle of the zoomed plot is the middle of the drag");
  await page.mouse.dblclick(box.x + 0.5 * box.width, box.y + 20);
  await settle(page);
  assert.equal(await pixels(0), before[0]);
  assert.equal(await pixels(2), before[1]);
  await page.context().close();
});

test("a click on the legend hides a curve", async () => {
  const page = await browser.open(planar());
  const pixels = () => page.locator(".chart canvas").first().evaluate((canvas) => canvas.toDataURL());
  const before = await pixels();
  const button = page.locator(".legend button").first();
  await button.click();
  await settle(page);
  assert.equal(await button.getAttribute("aria-pressed"), "false");
  assert.notEqual(await pixels(), before);
  await page.context().close();
});

test("the theme follows the system and switches, canvases included", async () => {
  const page = await browser.open(planar(), { colorScheme: "dark" });
  const theme = () => page.locator("html").getAttribute("data-theme");
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const plot = () => page.locator(".chart canvas").first().evaluate((canvas) => canvas.toDataURL());
  assert.equal(await theme(), "dark");
  const [darkPage, darkPlot, darkScene] = [await background(), await plot(), await picture(page)];
  await page.getByRole("button", { name: /light and dark/ }).click();
  await settle(page);
  assert.equal(await theme(), "light");
  assert.notEqual(await background(), darkPage);
  assert.notEqual(await plot(), darkPlot);
  assert.notEqual(await picture(page), darkScene);
  await page.context().close();
});

test("keys play, step, go to the ends and change the speed", async () => {
  const page = await browser.open(planar());
  await page.keyboard.press("ArrowRight");
  assert.equal(await clock(page), 0.02);
  await page.keyboard.press("Shift+ArrowRight");
  assert.equal(await clock(page), 0.22);
  await page.keyboard.press("Home");
  assert.equal(await clock(page), 0);
  await page.keyboard.press("+");
  assert.equal(await page.locator(".speed output").textContent(), "2×");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => parseFloat(document.querySelector(".time").textContent) > 0.1);
  await page.keyboard.press("Space");
  assert.equal(await page.getByRole("button", { name: "Play" }).count(), 1);
  await page.context().close();
});

test("the camera turns, and whole view brings it back", async () => {
  const page = await browser.open(spatial());
  const before = await picture(page);
  const box = await page.locator("canvas.picture").boundingBox();
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 230, { steps: 3 });
  await page.mouse.up();
  await settle(page);
  assert.notEqual(await picture(page), before);
  await page.getByRole("button", { name: "whole view" }).click();
  await settle(page);
  await page.locator("h1").click(); // the canvas loses its focus ring
  assert.equal(await picture(page), before);
  await page.context().close();
});

test("paths, arrows, joints, snapshots and names can be switched", async () => {
  const page = await browser.open(spatial());
  await page.keyboard.press("Shift+ArrowRight");
  await settle(page);
  let before = await shot(page, ".stage");
  for (const what of ["paths", "arrows", "joints", "snapshots", "names"]) {
    await page.getByLabel(what, { exact: true }).click();
    await settle(page);
    const now = await shot(page, ".stage");
    assert.notEqual(now, before, what);
    before = now;
  }
  await page.context().close();
});

test("a comparison overlays the runs, each with its own times", async () => {
  const page = await browser.open(comparison());
  assert.equal(await page.locator(".runs li").count(), 3);
  assert.equal(await page.locator(".convergence .legend button").count(), 4);
  await page.locator(".scrub").fill("850"); // t = 1.7 s: samples at 1.68, 1.68 and 1.7 s
  const [coarse, , fine] = [0.08, 0.04, 0.02].map((step) => swing(4, step).states);
  const output = page.locator(".plots .chart").first();
  assert.match(await output.locator("figcaption").textContent(), /bob\.x \[m\]/);
  const value = async (label) => Number(await output.locator(".legend button").filter({ hasText: label }).locator(".value").getAttribute("data-value"));
  assert.equal(await value("h = 0.08 s"), 1.2 * Math.sin(coarse[21][0]));
  assert.equal(await value("h = 0.02 s"), 1.2 * Math.sin(fine[85][0]));
  await page.getByLabel("Run shown").selectOption({ label: "h = 0.02 s" });
  await settle(page);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("texts of a model stay texts", async () => {
  const page = await browser.open(hostile());
  await page.getByLabel("names", { exact: true }).click();
  for (const summary of await page.locator("summary").all()) await summary.click();
  await settle(page);
  assert.equal(await page.evaluate(() => window.attacked), undefined);
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await page.locator("script").count(), 2);
  assert.equal(await page.locator("pre").textContent(), attack);
  assert.equal(await page.locator(".labels .name").first().textContent(), attack);
  assert.ok((await page.title()).startsWith("</script>"));
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const make of [planar, comparison, hostile])
  test(`nothing of the ${make.name} report sticks out sideways, on a phone or a wide screen`, async () => {
    const page = await browser.open(make());
    for (const width of [1920, 1080, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await settle(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} pixels`);
      const frame = await page.locator(".frame").first().boundingBox(), plot = await page.locator(".uplot").first().boundingBox();
      assert.ok(Math.abs(frame.width - plot.width) <= 1, "the plot fills its frame");
    }
    await page.context().close();
  });

test("without WebGL the plots still work", async () => {
  const page = await browser.open(planar(), {}, () => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return /webgl/.test(kind) ? null : original.call(this, kind, ...rest);
    };
  });
  assert.match(await page.locator("main .notice").textContent(), /animation cannot be shown/);
  await page.keyboard.press("End");
  assert.equal(await shownValue(page, "bob.x"), 1.2 * Math.sin(swing().states.at(-1)[0]));
  await page.context().close();
});

test("every plot and the animation have words for those who cannot see them", async () => {
  const page = await browser.open(planar());
  assert.match(await page.locator(".frame").first().getAttribute("aria-label"), /bob\.x from −?\d.* to /);
  assert.match(await page.locator("canvas.picture").getAttribute("aria-label"), /Animation of pendulum: bob, wheel/);
  const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, select")]
    .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label"))).length);
  assert.equal(unnamed, 0);
  await page.context().close();
});
