// Many plots and what can be done with each: found, folded, measured, drawn otherwise, taken out of the page.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { settle, startBrowser } from "./browser.mjs";
import { bare, chain, planar, swing } from "./fixtures.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(() => browser.close());

const chartOf = (page, label) =>
  page
    .locator(".plots .chart")
    .filter({ has: page.getByText(label, { exact: true }) })
    .first();
const open = async (report, options) => {
  const page = await browser.open(report, options);
  assert.deepEqual(page.problems, []);
  return page;
};
/** What a tool of a plot saves. */
async function saved(page, chart, tool) {
  await chart.locator(".tools summary").first().click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    chart.locator(".menu").first().getByText(tool, { exact: true }).click(),
  ]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}
const use = async (page, chart, tool) => {
  await chart.locator(".tools summary").first().click();
  await chart.locator(".menu").first().getByText(tool, { exact: true }).click();
  await settle(page);
};

test("of a chain of sixty bodies one sees few plots, one for each body, and finds the others by name", async () => {
  const page = await open(chain(60));
  const titles = () => page.locator(".group:not([hidden]) .chart:visible figcaption").allTextContents();
  assert.equal((await titles()).length, 2 * 6);
  assert.ok((await titles()).every((title) => /^link\d+ \[m(\/s)?\]$/.test(title)));
  assert.ok((await page.evaluate(() => document.documentElement.scrollHeight)) < 8000);
  assert.ok((await page.locator(".uplot").count()) < 12, "what is not seen is not drawn");
  await page.getByLabel("Find a signal").fill("link41");
  assert.deepEqual(await titles(), ["link41 [m]", "link41 [m/s]"]);
  assert.equal(await page.locator(".find output").first().textContent(), "2 plots");
  await page.getByLabel("Find a signal").fill("link41.y'");
  assert.deepEqual(await titles(), ["link41 [m/s]"]);
  await page.getByLabel("Find a signal").fill("");
  assert.equal((await titles()).length, 12);
  await page.getByText("show all 60 plots").first().click();
  assert.equal((await titles()).length, 60 + 6);
  await page.context().close();
});

test("the page of a thousand bodies opens and moves without delay", async () => {
  const report = chain(1000);
  const start = Date.now();
  const page = await open(report);
  const opened = Date.now() - start;
  assert.ok(opened < 15000, `${opened} ms`); // software rendering on a busy machine
  const ms = await page.evaluate(async () => {
    const times = [];
    const slider = document.querySelector(".scrub");
    for (const moment of ["300", "900", "1500"]) {
      const begin = performance.now();
      slider.value = moment;
      slider.dispatchEvent(new Event("input"));
      times.push(performance.now() - begin);
    }
    return Math.max(...times);
  });
  assert.ok(ms < 250, `${ms} ms to move`);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("chapters fold, and what is no more than round-off is folded from the start", async () => {
  const time = [0, 1, 2, 3];
  const column = (name, group, values) => ({ name, group, unit: "J", values });
  const columns = [
    column("energy.total", "energy", [5, 4, 3, 2]),
    { ...column("energy.balance", "energy", [0, 1e-15, -1e-15, 2e-15]), panel: "Energy change minus work" },
  ];
  const page = await open({ ...bare(), runs: [{ name: "run", time, columns }] });
  const seen = () => page.locator("figcaption:visible").allTextContents();
  assert.deepEqual(await seen(), ["energy.total [J]"]);
  const faint = page.getByRole("button", { name: "Round-off and drift", exact: true });
  assert.equal(await faint.getAttribute("aria-expanded"), "false");
  await faint.click();
  assert.deepEqual(await seen(), ["energy.total [J]", "Energy change minus work [J]"]);
  await page.getByRole("button", { name: "Energy", exact: true }).click();
  assert.deepEqual(await seen(), ["Energy change minus work [J]"]);
  await page.context().close();
});

test("dragging up or down zooms the values of one plot, a double click resets", async () => {
  const page = await open(planar());
  const chart = chartOf(page, "bob.x");
  await chart.scrollIntoViewIfNeeded();
  const labels = () => chart.locator(".frame canvas").evaluate((canvas) => canvas.toDataURL());
  const before = await labels(), box = await chart.locator(".u-over").boundingBox();
  await page.mouse.move(box.x + 100, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 104, box.y + 80, { steps: 3 });
  assert.ok(await chart.locator(".zoom-box").evaluate((shade) => shade.clientHeight > 50));
  await page.mouse.up();
  await page.locator("h1").hover();
  await settle(page);
  const svg = String((await saved(page, chart, "SVG")).content);
  const heights = [...svg.matchAll(/text-anchor="end">([^<]+)</g)].map(([, text]) => Number(text.replace("−", "-")));
  assert.ok(Math.max(...heights) - Math.min(...heights) < 1.6, `only a part of it: ${heights}`);
  await chart.locator(".u-over").dblclick();
  await page.keyboard.press("Home");
  await page.locator("h1").hover();
  await settle(page);
  assert.equal(await labels(), before);
  await page.context().close();
});

test("a mark tells differences of values and times", async () => {
  const page = await open(planar());
  const { states } = swing(), x = (i) => 1.2 * Math.sin(states[i][0]);
  await page.locator(".scrub").fill("500");
  await page.locator(".scrub").blur();
  await page.keyboard.press("m");
  await page.locator(".scrub").fill("1500");
  await settle(page);
  const value = chartOf(page, "bob.x").locator(".value").first();
  assert.ok(Math.abs(Number(await value.getAttribute("data-delta")) - (x(150) - x(50))) < 1e-12);
  assert.match(await page.locator(".measure").textContent(), /mark at t = 1 s, Δt = 2 s \(1\/Δt = 0\.5 Hz\)/);
  await page.locator(".scrub").blur();
  await page.keyboard.press("m");
  await page.keyboard.press("m");
  assert.ok(await page.locator(".measure").isHidden());
  await page.context().close();
});

const wave = (t) => 3 * Math.sin(2 * Math.PI * 2 * t) + 0.5 * Math.sin(2 * Math.PI * 7 * t) + 10;
const waves = () => {
  const time = Array.from({ length: 1001 }, (_, i) => i / 100);
  return { ...bare(), runs: [{ name: "run", time,
    columns: [{ name: "wave", unit: "N", group: "outputs", values: time.map(wave) }] }] };
};

test("a spectrum has the amplitudes of its sines at their frequencies", async () => {
  const page = await open(waves());
  const chart = chartOf(page, "wave");
  await use(page, chart, "spectrum");
  const spectrum = chart.locator(".chart");
  assert.equal(await spectrum.locator("figcaption").textContent(), "Amplitudes of wave [N]");
  const { content } = await saved(page, spectrum, "CSV");
  const rows = String(content).trim().split("\n").slice(1).map((line) => line.split(",").map(Number));
  for (const [f, amplitude] of [[2, 3], [7, 0.5]]) {
    const near = rows.filter((row) => Math.abs(row[0] - f) < 0.3);
    const most = near.reduce((a, b) => (b[1] > a[1] ? b : a));
    assert.ok(Math.abs(most[0] - f) < 0.06, `${most}`);
    assert.ok(Math.abs(most[1] / amplitude - 1) < 0.15, `${most}`); // Hann's window loses that between two lines
  }
  assert.ok(rows.filter(([f]) => Math.abs(f - 4.5) < 1).every(([, a]) => a < 0.01));
  await use(page, chart, "spectrum");
  assert.equal(await chart.locator(".chart").count(), 0);
  await page.context().close();
});

test("a plot is saved as SVG, PNG and CSV, of what is seen of it", async () => {
  const page = await open(waves());
  const chart = chartOf(page, "wave");
  const csv = await saved(page, chart, "CSV");
  assert.equal(csv.name, "wave.csv");
  const lines = String(csv.content).trim().split("\n");
  assert.equal(lines[0], "t,wave");
  assert.equal(lines.length, 1002);
  assert.deepEqual(lines[124].split(",").map(Number), [1.23, wave(1.23)]);
  const svg = String((await saved(page, chart, "SVG")).content);
  assert.match(svg, /^<svg xmlns=/);
  assert.match(svg, />wave \[N\]<\/text>/);
  assert.match(svg, />t \[s\]<\/text>/);
  const png = (await saved(page, chart, "PNG")).content;
  assert.deepEqual([...png.subarray(1, 4)], [...Buffer.from("PNG")]);
  assert.equal(png.readUInt32BE(16), 1280);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("the axis of a plot can be logarithmic, of absolute values", async () => {
  const time = [0, 1, 2, 3, 4];
  const columns = [{ name: "decay", unit: "m", group: "outputs", values: time.map((t) => -(10 ** -t)) }];
  const page = await open({ ...bare(), runs: [{ name: "run", time, columns }] });
  const chart = chartOf(page, "decay");
  await use(page, chart, "log axis");
  const svg = String((await saved(page, chart, "SVG")).content);
  assert.match(svg, />0\.1</);
  assert.match(svg, />0\.001</);
  assert.equal(Number(await chart.locator(".value").getAttribute("data-value")), -1,
    "the legend has the values as they are");
  await use(page, chart, "linear axis");
  assert.match(String((await saved(page, chart, "SVG")).content), />−0\.5</);
  await page.context().close();
});

test("any signal is drawn against any other, with a dot at the time shown", async () => {
  const page = await open(planar());
  await page.getByRole("button", { name: "One signal against another", exact: true }).click();
  const { times } = swing();
  const dot = () => page.locator(".portrait circle").first().evaluate((circle) => [circle.cx.baseVal.value,
    circle.cy.baseVal.value]);
  await page.getByLabel("Horizontal signal").fill("bob.x");
  await page.getByLabel("Horizontal signal").blur();
  await page.getByLabel("Vertical signal").fill("bob.y");
  await page.getByLabel("Vertical signal").blur();
  await page.keyboard.press("Home");
  const start = await dot();
  await page.keyboard.press("End");
  assert.notDeepEqual(await dot(), start);
  assert.ok(times.length > 0);
  assert.match(await page.locator(".portrait").getAttribute("aria-label"), /bob\.y over bob\.x/);
  const path = await page.locator(".portrait g path").getAttribute("d");
  assert.equal(path.split("L").length, times.length);
  const box = page.locator(".portrait-box");
  const csv = await saved(page, box, "CSV");
  assert.equal(csv.name, "bob.y_over_bob.x.csv");
  const lines = String(csv.content).trim().split("\n");
  assert.equal(lines[0], "t,bob.x,bob.y");
  assert.equal(lines.length, times.length + 1);
  assert.deepEqual([...(await saved(page, box, "PNG")).content.subarray(1, 4)], [...Buffer.from("PNG")]);
  assert.match(String((await saved(page, box, "SVG")).content), /^<svg/);
  await page.context().close();
});

test("between few rows a curve with known rates is as smooth as the motion", async () => {
  const time = Array.from({ length: 9 }, (_, i) => i / 2), angle = (t) => Math.sin(2 * t);
  const report = (rates) => ({
    ...bare(),
    runs: [{ name: "run", time, columns: [
      { name: "a", unit: "rad", group: "coordinates", values: time.map(angle) },
      ...(rates ? [{ name: "a'", unit: "rad/s", group: "velocities", values: time.map((t) => 2 * Math.cos(2 * t)) }]
        : []),
    ] }],
  });
  // The lowest and highest places that the curve reaches, over those of its rows.
  const reach = async (rates) => {
    const page = await open(report(rates));
    const { top, bottom } = await chartOf(page, "a").locator("canvas").evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const rows = [];
      for (let i = 0; i < data.length; i += 4)
        if (data[i + 3] > 200 && data[i] < 40 && data[i + 2] > 140) rows.push(Math.floor(i / 4 / canvas.width));
      return { top: Math.min(...rows), bottom: Math.max(...rows) };
    });
    await page.context().close();
    return bottom - top;
  };
  const straight = await reach(false), smooth = await reach(true);
  // The rows reach ±0.99, the motion ±1: the axis is that of the rows. Here the extremes lie between rows.
  assert.ok(smooth > straight, `${smooth} above ${straight}`);
});

test("words are explained where one points at them or moves the focus, with the page of the documentation",
  async () => {
  const figures = [{ label: "KKT residual", value: 1e-12 }, { label: "constraint residual, position level",
    value: 1.25e-16 }];
  for (const documentation of [undefined, "https://example.org/docs", "https://example.org/{page}.html"]) {
    const page = await open({ ...bare(), figures, documentation, verdict: "constraints hold to 1.2e-16", runs: [] });
    assert.equal(await page.locator(".verdict").textContent(), "constraints hold to 1.2e−16");
    assert.equal(await page.locator(".tip").count(), 1, "nobody explains the other");
    const tip = page.getByRole("tooltip", { includeHidden: true });
    assert.ok(await tip.isHidden());
    await page.getByText("constraint residual, position", { exact: false }).first().hover();
    assert.ok(await tip.isVisible());
    assert.match(await tip.textContent(), /should be zero.*More about this word/);
    await page.locator("h1").hover();
    assert.ok(await tip.isHidden());
    await page.getByRole("button", { name: "Explanation" }).focus();
    assert.ok(await tip.isVisible());

    // The link of the tooltip leads to the word at the end of the page, which names the page of the documentation.
    const word = page.locator(".words dt");
    assert.deepEqual(await word.allTextContents(), ["constraint residual, position level"], "only words of this page");
    assert.ok(await word.isHidden());
    await tip.locator("a").click();
    assert.ok(await word.isVisible());
    assert.ok(await word.evaluate((dt) => dt.matches(":target")));
    assert.match(await page.locator(".words dd").textContent(), /should be zero.*Round-off.*See docs\/constraints\.md/);
    const links = await page.locator(".words dd a").evaluateAll((list) => list.map((a) => a.href));
    assert.deepEqual(links, !documentation ? [] : documentation.includes("{page}")
      ? ["https://example.org/constraints.html"] : ["https://example.org/docs/constraints.md"]);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

test("on a phone an explanation stands at the bottom, and nothing sticks out", async () => {
  const figures = [{ label: "index", value: 3 }, { label: "computed in", value: 1, unit: "s" }];
  const page = await open({ ...bare(), figures, runs: [] }, { viewport: { width: 390, height: 700 } });
  await page.getByRole("button", { name: "Explanation" }).last().focus();
  const box = await page.getByRole("tooltip").boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 700);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await page.context().close();
});

test("paper has no values of a cursor that it does not show, no buttons, and whole frames around the plots",
  async () => {
  const page = await open(planar());
  await page.getByLabel("Time").fill("700");
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await settle(page);
  assert.equal(await page.locator(".legend .value:visible").count(), 0);
  assert.equal(await page.locator("main button:visible:not(.fold):not(.legend button), .tip:visible").count(), 0);
  assert.equal(await page.locator(".u-cursor-x:visible").count(), 0);
  const broken = await page.locator(".chart:visible").evaluateAll((charts) =>
    charts.filter((chart) => {
      const style = getComputedStyle(chart);
      return style.breakInside !== "avoid" || ["Top", "Right", "Bottom", "Left"].some((side) =>
        style[`border${side}Width`] !== "1px");
    }).length);
  assert.equal(broken, 0);
  const wide = await page.locator(".chart canvas").evaluateAll((list) =>
    list.filter((canvas) =>
      canvas.getBoundingClientRect().right > canvas.closest(".chart").getBoundingClientRect().right).length);
  assert.equal(wide, 0);
  assert.equal(await page.locator("details[open] pre").count(), 0, "the model is folded away");
  await page.context().close();
});
