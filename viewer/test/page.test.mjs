// The page in a browser: it shows the data, moves, and listens.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { settle, startBrowser } from "./browser.mjs";
import { countColour, pixels, toNumbers } from "./pixels.mjs";
import {
  attack,
  bare,
  bracket,
  compared,
  comparison,
  f32,
  hostile,
  memberForce,
  members,
  numbersOf,
  planar,
  planarMembers,
  reports,
  resized,
  spatial,
  spatialComparison,
  swing,
} from "./fixtures.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(() => browser.close());

const legend = (page, label) =>
  page
    .locator(".legend button")
    .filter({ has: page.getByText(label, { exact: true }) })
    .first()
    .locator(".value");
const shownValue = async (page, label) => Number(await legend(page, label).getAttribute("data-value"));
const shot = async (page, selector) =>
  createHash("sha256")
    .update(await page.locator(selector).first().screenshot())
    .digest("hex");
const picture = (page) => shot(page, "canvas.picture");
const clock = async (page) => Number((await page.locator(".time").textContent()).replace(" s", ""));

/** Points at a fraction of the width of the first plot over time. */
async function pointAt(page, fraction, label = "bob.x") {
  const chart = page
    .locator(".plots .chart")
    .filter({ has: page.getByText(label, { exact: true }) })
    .first();
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.locator(".u-over").boundingBox();
  await page.mouse.move(box.x + fraction * box.width, box.y + box.height / 2);
  await settle(page);
  return box;
}

for (const [name, make] of Object.entries(reports))
  test(`the ${name} report opens without complaints`, async () => {
    const page = await browser.open(make());
    assert.deepEqual(page.problems, []);
    assert.equal(await page.locator("h1").textContent(), make().name);
    assert.equal(await page.locator(".verdict").textContent(), make().verdict.replaceAll("e-", "e−"));
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
  const page = await browser.open(planar(), { viewport: { width: 1280, height: 2000 } });
  const pixels = (n) =>
    page
      .locator(".plots .chart canvas")
      .nth(n)
      .evaluate((canvas) => canvas.toDataURL());
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

test("a time outside the zoomed window has values but no cursor", async () => {
  const page = await browser.open(planar());
  const box = await pointAt(page, 0.25);
  const cursors = (n) =>
    page
      .locator(".plots .chart")
      .nth(n)
      .evaluate(
        (chart) =>
          [...chart.querySelectorAll(".u-cursor-x, .u-cursor-pt")].filter((mark) => !mark.classList.contains("u-off"))
            .length,
      );
  await page.mouse.down();
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(0, 0);
  const { states } = swing();
  for (const [where, index, count] of [
    ["0", 0, 0],
    ["600", 60, 4],
    ["2000", 200, 0],
  ]) {
    await page.locator(".scrub").fill(where);
    await settle(page);
    assert.equal(await shownValue(page, "bob.x"), 1.2 * Math.sin(states[index][0]));
    assert.equal(await cursors(0), count, `at ${where}`);
    if (count === 0) assert.equal(await cursors(1), 0);
  }
  await page.context().close();
});

test("of coinciding runs one sees all, and from the ninth on they are dash-dotted", async () => {
  const [run] = comparison().runs;
  const bob = run.columns.find((column) => column.name === "bob.y");
  for (const count of [2, 3, 8, 12]) {
    const runs = Array.from({ length: count }, (_, i) => ({ name: `run ${i}`, time: run.time, columns: [bob] }));
    const page = await browser.open({ ...comparison(), table: undefined, convergence: undefined, runs });
    for (let i = 0; i < Math.min(8, count); ++i)
      assert.ok((await countColour(page, `curve-${i}`, ".chart canvas")) > 10, `${i} of ${count}`);
    assert.equal(await page.locator(".legend .dash-dotted").count(), Math.max(0, count - 8));
    assert.equal(await page.locator(".runs .dash-dotted").count(), Math.max(0, count - 8));
    const last = page.locator(".legend button").nth(count - 1);
    await last.click();
    await page.locator("h1").click();
    await settle(page);
    if (count <= 8) assert.equal(await countColour(page, `curve-${count - 1}`, ".chart canvas"), 0);
    await page.context().close();
  }
});

test("a time stands at the same place in all plots, zoomed or not, and no label is cut off", async () => {
  const report = planar();
  const [run] = report.runs;
  const large = {
    ...run.columns[0],
    name: "large",
    group: "inputs",
    panel: "large",
    reference: undefined,
    values: swing().times.map((t) => 123456 * t),
  };
  const page = await browser.open(
    { ...report, runs: [{ ...run, columns: [...run.columns, large] }] },
    { viewport: { width: 1280, height: 4000 } },
  );
  const edges = () =>
    page.locator(".plots .u-over").evaluateAll(
      (list) =>
        new Set(
          list.map((over) => {
            const { left, right } = over.getBoundingClientRect();
            return `${left} ${right}`;
          }),
        ).size,
    );
  assert.equal(await edges(), 1);
  const box = await pointAt(page, 0.02, "large");
  await page.mouse.down();
  await page.mouse.move(box.x + 0.021 * box.width + 6, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(0, 0);
  await settle(page);
  assert.equal(await edges(), 1);
  const { width, height, data } = await pixels(page, ".plots .frame");
  const edge = Array.from({ length: height }, (_, y) => data[4 * (y * width + width - 1)]);
  assert.ok(
    edge.every((value) => value === edge[0]),
    "nothing stands at the right edge",
  );
  await page.context().close();
});

test("the values shown are those of the zoomed window", async () => {
  const time = Array.from({ length: 101 }, (_, i) => i);
  const page = await browser.open({
    ...bare(),
    runs: [
      {
        name: "run",
        time,
        columns: [{ name: "peak", group: "outputs", values: time.map((t) => (t === 90 ? 1000 : t % 2)) }],
      },
    ],
  });
  const inkAbove = async () => {
    const { width, height, data } = await pixels(page, ".u-over");
    let count = 0;
    // Of the first curve, in the upper half.
    for (let i = 0; i < (width * height) / 2; ++i) if (data[4 * i] < 60) ++count;
    return count;
  };
  const before = await inkAbove();
  const box = await pointAt(page, 0.1, "peak");
  await page.mouse.down();
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await page.mouse.move(0, 0);
  await settle(page);
  assert.ok((await inkAbove()) > 5 * before);
  await page.context().close();
});

test("errors come after outputs, and a plot without anything to draw is left out", async () => {
  const column = (name, group, values, log) => ({ name, group, panel: name, values, log });
  const columns = [
    column("drift", "drift", [0, null, 0], true),
    column("gone", "outputs", [null, null, null]),
    column("speed", "velocities", [0, 0, 0]),
    column("tip", "outputs", [1, 2, 3]),
    column("error", "errors", [0, 0, 1], true),
  ];
  const page = await browser.open({ ...bare(), runs: [{ name: "run", time: [0, 1, 2], columns }] });
  const titles = await page.locator(".group h2").allTextContents();
  assert.deepEqual(titles, ["Outputs", "Errors", "Velocities", "One signal against another"]);
  assert.deepEqual(await page.locator("figcaption").allTextContents(), ["tip", "error", "speed"]);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a click on the legend hides a curve", async () => {
  const page = await browser.open(planar());
  const pixels = () =>
    page
      .locator(".chart canvas")
      .first()
      .evaluate((canvas) => canvas.toDataURL());
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
  const plot = () =>
    page
      .locator(".chart canvas")
      .first()
      .evaluate((canvas) => canvas.toDataURL());
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

for (const [name, make] of Object.entries({ planar, spatial }))
  test(`the ${name} scene looks the same at any size, and moves with the mouse`, async () => {
    const opened = async (size) => {
      const page = await browser.open({ ...bare(), runs: [{ name, scene: resized(make().runs[0].scene, size) }] });
      await page.getByLabel("Time").fill("700");
      await settle(page);
      const still = await pixels(page, "canvas.picture"),
        before = await picture(page);
      const box = await page.locator("canvas.picture").boundingBox();
      await page.mouse.move(box.x + 200, box.y + 200);
      await page.mouse.down();
      await page.mouse.move(box.x + 240, box.y + 220, { steps: 3 });
      await page.mouse.up();
      await page.locator("h1").click();
      await settle(page);
      assert.notEqual(await picture(page), before, `dragged at ${size}`);
      assert.deepEqual(page.problems, []);
      await page.context().close();
      return still.data;
    };
    const usual = await opened(1);
    for (const size of [1e-9, 1e-5, 1e9]) {
      const other = await opened(size);
      const different = usual.filter((value, i) => Math.abs(value - other[i]) > 40).length / usual.length;
      assert.ok(different < 0.01, `${size}: ${different}`);
    }
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

for (const [name, make] of Object.entries({ planar, spatial }))
  test(`the axes of the ${name} scene stand in the corner, whatever is in view`, async () => {
    const page = await browser.open(make());
    const letters = page.locator(".triad span");
    assert.deepEqual(await letters.allTextContents(), name === "planar" ? ["x", "y"] : ["x", "y", "z"]);
    const stage = await page.locator(".stage").boundingBox();
    const places = async () => Promise.all((await letters.all()).map((letter) => letter.boundingBox()));
    const inCorner = (list) =>
      list.every(
        ({ x, y, width, height }) =>
          x >= stage.x &&
          x + width < stage.x + 100 &&
          y > stage.y + stage.height - 100 &&
          y + height <= stage.y + stage.height,
      );
    const before = await places();
    assert.ok(inCorner(before));
    const { width, height, data } = await pixels(page, "canvas.picture");
    const ink = Array.from(
      { length: 90 * 90 },
      (_, i) => data[4 * ((height - 1 - Math.floor(i / 90)) * width + (i % 90))],
    ).filter((value) => value < 0x70);
    assert.ok(ink.length > 60, `the axes are drawn: ${ink.length}`);
    await page.mouse.move(stage.x + 200, stage.y + 200);
    await page.mouse.down();
    await page.mouse.move(stage.x + 320, stage.y + 160, { steps: 3 });
    await page.mouse.up();
    await settle(page);
    const after = await places();
    assert.ok(inCorner(after));
    assert.equal(after[0].x === before[0].x, name === "planar", "turned only in space");
    await page.context().close();
  });

test("a scene names its axes and has a note", async () => {
  const report = planar();
  const [run] = report.runs;
  const page = await browser.open({
    ...report,
    runs: [{ ...run, scene: { ...run.scene, axes: ["y", "z"], note: "first 20 of 200 s" } }],
  });
  assert.deepEqual(await page.locator(".triad span").allTextContents(), ["y", "z"]);
  assert.equal(await page.locator(".remark").textContent(), "first 20 of 200 s");
  const stage = await page.locator(".stage").boundingBox(),
    remark = await page.locator(".remark").boundingBox();
  assert.ok(remark.y >= stage.y && remark.y + remark.height < stage.y + 40);
  await page.context().close();
});

test("frames that are held are shown as they are, with nothing in between", async () => {
  const scene = (held) => ({
    dimension: 2,
    time: [0, 1, 2],
    held,
    note: held ? "3 of 1,000,001 instants, nothing in between" : undefined,
    items: [
      { kind: "point", name: "bob", position: [0, 0, 1, 1, 2, 0] },
      { kind: "trace", name: "bob", points: [0, 0, 1, 1, 2, 0] },
    ],
  });
  const pictures = async (held) => {
    const page = await browser.open({ ...bare(), runs: [{ name: "run", scene: scene(held) }] });
    assert.deepEqual(page.problems, []);
    const list = [];
    for (const moment of ["0", "400", "600", "1000"]) {
      // of 2000
      await page.getByLabel("Time").fill(moment);
      await settle(page);
      list.push(await picture(page));
    }
    await page.context().close();
    return list;
  };
  const [start, after, before, middle] = await pictures(true);
  assert.equal(after, start);
  assert.equal(before, middle);
  assert.notEqual(start, middle);
  assert.equal(new Set(await pictures(false)).size, 4);
});

test("an angle in the plane turns the shorter way between frames", async () => {
  const turned = async (rotation) => {
    const items = [{ kind: "body", name: "bar", shape: { box: [2, 0.2] }, position: [0, 0, 0, 0], rotation }];
    const page = await browser.open({
      ...bare(),
      runs: [{ name: "run", scene: { dimension: 2, time: [0, 1], items } }],
    });
    await page.getByLabel("Time").fill("1000"); // of 2000
    await settle(page);
    const found = await picture(page);
    await page.context().close();
    return found;
  };
  assert.equal(await turned([Math.PI - 0.25, -Math.PI + 0.25]), await turned([Math.PI - 0.25, Math.PI + 0.25]));
});

test("the page lists what the run said, and how many rows of a long result it shows", async () => {
  const report = planar();
  const said = [
    "pendulum: 1000000 steps",
    "constraints: largest residual 3.6e-15 at position level, 1.0e+01 at velocity level",
  ];
  const page = await browser.open({
    ...report,
    said,
    runs: [{ ...report.runs[0], rows: { shown: 201, of: 1000001 } }],
  });
  assert.deepEqual(page.problems, []);
  assert.deepEqual(await page.locator(".said li").allTextContents(), [
    said[0],
    "constraints: largest residual 3.6e−15 at position level, 10 at velocity level",
  ]);
  assert.match(await page.locator(".plots .rows").textContent(), /^201 of 1,000,001 rows shown/);
  const all = await browser.open(report);
  assert.equal(await all.locator(".plots .rows").count(), 0);
  await page.context().close();
  await all.context().close();
});

test("a run that stopped and one that failed at its end are told apart", async () => {
  for (const [status, word] of [
    ["incomplete", "Incomplete. "],
    ["failed", "Failed. "],
  ]) {
    const page = await browser.open({ ...bare(), status, message: "why" });
    assert.equal(await page.locator(".notice.bad").textContent(), `${word}why`);
    await page.context().close();
  }
});

test("a dotted curve has points and no lines between them", async () => {
  const time = Array.from({ length: 21 }, (_, i) => i);
  const column = { name: "x", group: "outputs", values: time.map((i) => i % 2) };
  const drawn = async (more) => {
    const page = await browser.open({ ...bare(), runs: [{ name: "run", time, columns: [{ ...column, ...more }] }] });
    assert.deepEqual(page.problems, []);
    const count = await countColour(page, "curve-0", ".chart canvas");
    await page.context().close();
    return count;
  };
  const lines = await drawn({}),
    dots = await drawn({ dotted: true });
  assert.ok(dots > 20 && dots < lines / 4, `${dots} pixels of dots, ${lines} of lines`);
});

test("a name stands once for each run, and none covers another", async () => {
  const still = (name, x) => ({ kind: "point", name, position: [x, 0] });
  const moving = { kind: "point", name: "moves", position: [0, 1, 4, 1] };
  const items = [still("first", 0), still("first", 4), still("covered", 0.01), still("apart", 2), moving];
  const page = await browser.open({ ...bare(), runs: [{ name: "run", scene: { dimension: 2, time: [0, 1], items } }] });
  await page.getByLabel("names", { exact: true }).click();
  await settle(page);
  assert.deepEqual(await page.locator(".labels .name").allTextContents(), ["first", "covered", "apart", "moves"]);
  const seen = () => page.locator(".labels .name:visible").allTextContents();
  assert.deepEqual(await seen(), ["first", "apart", "moves"]);
  await page.context().close();

  const one = (shift) => ({
    name: `${shift}`,
    scene: {
      dimension: 2,
      time: [0, 1],
      items: [
        { ...moving, position: [shift, 1, 4, 1] },
        { ...moving, position: [4, shift, 0, 1] },
      ],
    },
  });
  const both = await browser.open({ ...bare(), runs: [one(0), one(3)] });
  await both.getByLabel("names", { exact: true }).click();
  await settle(both);
  assert.deepEqual(await both.locator(".labels .name:visible").allTextContents(), ["moves", "moves"]);
  await both.context().close();
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
  assert.equal(await page.locator(".convergence .legend button").count(), 4);
  for (const colour of ["curve-0", "curve-1"])
    assert.ok((await countColour(page, colour, ".convergence canvas")) > 50, colour);
  await page.locator(".scrub").fill("850"); // t = 1.7 s: samples at 1.68, 1.68 and 1.7 s
  const [coarse, , fine] = compared.map(({ step, until, start }) => swing(until, step, start).states);
  const output = page.locator(".plots .chart").first();
  assert.match(await output.locator("figcaption").textContent(), /bob\.x \[m\]/);
  const value = async (label) =>
    Number(
      await output.locator(".legend button").filter({ hasText: label }).locator(".value").getAttribute("data-value"),
    );
  assert.equal(await value("h = 0.08 s"), 1.2 * Math.sin(coarse[21][0]));
  assert.equal(await value("h = 0.02 s"), 1.2 * Math.sin(fine[85][0]));
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const [name, make] of Object.entries({ comparison, spatialComparison }))
  test(`the ${name} report draws all runs together in the colours of their curves, or one alone`, async () => {
    // High enough that nothing scrolls between pictures.
    const page = await browser.open(make(), { viewport: { width: 1280, height: 1200 } });
    const chooser = page.getByLabel("Run shown");
    const names = make().runs.map((run) => run.name);
    assert.deepEqual(await chooser.locator("option").allTextContents(), ["all runs", ...names]);
    assert.equal(await chooser.locator("option:checked").textContent(), "all runs");
    assert.deepEqual(await page.locator(".key li").allTextContents(), names);
    await page.getByLabel("Time").fill("1200");
    await settle(page);
    const run = ["curve-0", "curve-1", "curve-2"];
    for (const colour of run) assert.ok((await countColour(page, colour)) > 50, colour);
    const together = await picture(page);
    await chooser.selectOption({ label: names[1] });
    // Their colours are among those.
    for (const marks of ["paths", "arrows"]) await page.getByLabel(marks, { exact: true }).uncheck();
    await settle(page);
    for (const colour of run) assert.equal(await countColour(page, colour), 0, colour);
    assert.equal(await page.locator(".key li").count(), 0);
    for (const marks of ["paths", "arrows"]) await page.getByLabel(marks, { exact: true }).check();
    await chooser.selectOption({ label: "all runs" });
    await settle(page);
    assert.equal(await picture(page), together);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });

test("a run that ended earlier stays at its end while the others go on", async () => {
  const page = await browser.open(comparison());
  const at = async (steps) => {
    await page.getByLabel("Time").fill(String(steps)); // of 2000 over 4 s
    await settle(page);
    return picture(page);
  };
  assert.notEqual(await at(1600), await at(2000));
  await page.getByLabel("Run shown").selectOption({ label: "h = 0.02 s" });
  assert.notEqual(await at(1400), await at(1600));
  assert.equal(await at(1600), await at(2000));
  await page.context().close();
});

test("what stands still in all runs is drawn once, in its own colours", async () => {
  const [run] = comparison().runs;
  const still = run.scene.items.find((item) => item.name === "bob");
  const scene = { ...run.scene, items: [{ ...still, position: [0, 0], rotation: [0.3] }] };
  const open = async (count) => {
    const page = await browser.open({
      ...comparison(),
      table: undefined,
      runs: Array.from({ length: count }, () => ({ ...run, scene })),
    });
    const seen = [await countColour(page, "body-0"), await countColour(page, "curve-0")];
    const shown = await pixels(page, "canvas.picture");
    await page.context().close();
    const middle = 4 * (Math.floor(shown.height / 2 - 6) * shown.width + Math.floor(shown.width / 2 - 6));
    return { seen, inside: shown.data.slice(middle, middle + 3) };
  };
  const alone = await open(1),
    three = await open(3);
  assert.ok(alone.seen[0] > 20);
  assert.equal(three.seen[1], 0);
  assert.deepEqual(three.inside, alone.inside);
});

test("scenes of different dimensions are shown one at a time", async () => {
  const page = await browser.open({ ...comparison(), table: undefined, runs: [planar().runs[0], spatial().runs[0]] });
  assert.deepEqual(await page.getByLabel("Run shown").locator("option").allTextContents(), ["pendulum", "gyroscope"]);
  assert.equal(await page.locator(".runs li").count(), 2);
  await page.getByLabel("Run shown").selectOption({ label: "gyroscope" });
  await settle(page);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("the reader keeps moments as snapshots, and clears them", async () => {
  const page = await browser.open(planar());
  const snapshots = page.getByLabel("snapshots", { exact: true }),
    marks = page.locator(".marks i");
  const keep = page.getByRole("button", { name: "keep this moment" }),
    clear = page.getByRole("button", { name: /^clear/ });
  await snapshots.check();
  await settle(page);
  const usual = await picture(page);
  await snapshots.uncheck();
  assert.equal(await clear.isVisible(), false);

  await page.getByLabel("Time").fill("500");
  await keep.click();
  assert.equal(await snapshots.isChecked(), true);
  await page.getByLabel("Time").fill("1500");
  await page.keyboard.press("s");
  await page.keyboard.press("s"); // the same moment once
  assert.equal(await marks.count(), 2);
  const [rail, mark] = [await page.locator(".marks").boundingBox(), await marks.first().boundingBox()];
  assert.ok(Math.abs(mark.x + mark.width / 2 - rail.x - 0.25 * rail.width) <= 1, "a quarter of the way");
  await page.keyboard.press("Home");
  await settle(page);
  const kept = await picture(page);
  assert.notEqual(kept, usual);
  await snapshots.uncheck();
  await settle(page);
  assert.notEqual(await picture(page), kept);
  await snapshots.check();

  await clear.focus();
  await page.keyboard.press("Enter");
  await settle(page);
  assert.equal(await clear.isVisible(), false);
  assert.equal(await marks.count(), 0);
  assert.equal(await keep.evaluate((button) => button === document.activeElement), true);
  assert.equal(await picture(page), usual);
  assert.match(await page.locator(".help").textContent(), /S keeps a snapshot/);
  await page.context().close();
});

test("a table tells what differs between the runs, and scrolls in its own box on a phone", async () => {
  const page = await browser.open(comparison());
  const table = page.getByRole("region", { name: "What differs" });
  assert.equal(await page.locator(".runs").count(), 0);
  assert.deepEqual(await table.locator("thead th").allTextContents(), comparison().table.columns);
  assert.deepEqual(
    await table.locator("tbody th[scope=row]").allTextContents(),
    comparison().runs.map((run) => run.name),
  );
  assert.equal(await table.locator("tbody th .swatch").count(), 3);
  assert.deepEqual(await table.locator("tbody tr").nth(1).locator("td").allTextContents(), [
    "Runge-Kutta",
    "0.04",
    "0.9",
    "100",
    "3.16e−7",
    "–",
    "0.3086",
  ]);
  await page.setViewportSize({ width: 360, height: 800 });
  await settle(page);
  assert.ok(
    await table.evaluate((box) => box.scrollWidth > box.clientWidth && box.getBoundingClientRect().right <= innerWidth),
  );
  const name = table.locator("tbody th").first();
  const before = await name.boundingBox();
  await table.evaluate((box) => (box.scrollLeft = 200));
  assert.equal((await name.boundingBox()).x, before.x);
  await page.context().close();
});

test("a table has a shade where there is more of it", async () => {
  const page = await browser.open(comparison(), { viewport: { width: 360, height: 1200 } });
  const table = page.getByRole("region", { name: "What differs" });
  const shade = async () => {
    const { width, height, data } = await pixels(page, ".results");
    return 255 - data[4 * ((height - 12) * width + width - 3)];
  };
  assert.ok((await shade()) > 20);
  await table.evaluate((box) => (box.scrollLeft = box.scrollWidth));
  await settle(page);
  assert.ok((await shade()) < 3);
  await page.context().close();
});

test("on paper tables are unfolded, the model is not, and the plots are low; afterwards all is as before", async () => {
  const page = await browser.open(planar(), { viewport: { width: 1280, height: 3000 } });
  const look = () =>
    page.evaluate(() => ({
      open: [...document.querySelectorAll(".details details")].map((details) => details.open),
      heights: [...document.querySelectorAll(".chart canvas")].map((canvas) => canvas.clientHeight),
    }));
  const before = await look();
  assert.deepEqual(before.open, [false, false]);
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await settle(page);
  const paper = await look();
  assert.deepEqual(paper.open, [true, false]);
  assert.ok(await page.locator(".u-over").first().isHidden(), "no cursors");
  const sizes = await page
    .locator(".chart canvas")
    .evaluateAll((list) => list.map((canvas) => canvas.width / canvas.height));
  assert.ok(
    sizes.every((ratio) => ratio > 4),
    `wide and low: ${sizes}`,
  );
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await settle(page);
  assert.deepEqual(await look(), before);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a comparison shows warnings, and which run stopped early", async () => {
  const report = comparison();
  const runs = report.runs.map((run, i) => (i === 1 ? { ...run, incomplete: "stopped at t = 2 s" } : run));
  const warnings = ["The runs differ in their models."];
  for (const table of [report.table, undefined]) {
    const page = await browser.open({ ...report, table, runs, warnings });
    assert.match(await page.locator("header .notice").textContent(), /The runs differ in their models/);
    assert.deepEqual(await page.locator(".stopped").allTextContents(), ["stopped at t = 2 s"]);
    const row = table ? page.locator("tbody tr").nth(1).locator("th") : page.locator(".runs li").nth(1);
    assert.equal(await row.locator(".stopped").count(), 1);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  }
});

test("a mesh in the plane is filled and has its outline, hollows left out", async () => {
  const scene = {
    dimension: 2,
    time: [0, 1],
    items: [{ kind: "body", name: "bracket", shape: bracket(0.1), position: [0, 0] }],
    bounds: { min: [0, 0], max: [0.5, 0.4] },
  };
  const page = await browser.open({ ...bare(), runs: [{ name: "bracket", scene }] });
  assert.ok((await countColour(page, "body-0")) > 200);
  const { width, height, data } = await pixels(page, "canvas.picture");
  const scale = height / (1.12 * 0.4); // the view is fitted to the height
  const at = (x, y) => {
    const i = 4 * (Math.round(height / 2 - (y - 0.2) * scale) * width + Math.round(width / 2 + (x - 0.25) * scale));
    return data.slice(i, i + 3).join();
  };
  assert.notEqual(at(0.073, 0.08), at(0.32, 0.28));
  assert.equal(at(0.073, 0.08), at(0.073, 0.33));
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("texts of a model stay texts", async () => {
  const page = await browser.open(hostile());
  await page.getByLabel("names", { exact: true }).click();
  for (const summary of await page.locator(".details summary").all()) await summary.click();
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

for (const make of [planar, comparison, spatialComparison, members, hostile])
  test(`nothing of the ${make.name} report sticks out sideways, on a phone or a wide screen`, async () => {
    const page = await browser.open(make());
    for (const width of [1920, 1080, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await page.locator(".frame").first().scrollIntoViewIfNeeded();
      await settle(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} pixels`);
      const frame = await page.locator(".frame").first().boundingBox(),
        plot = await page.locator(".uplot").first().boundingBox();
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
  const unnamed = await page.evaluate(
    () =>
      [...document.querySelectorAll("button, input, select")].filter(
        (e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label")),
      ).length,
  );
  assert.equal(unnamed, 0);
  await page.context().close();
});

for (const make of [members, planarMembers])
  test(`${make.name}: beams and strings are coloured by what they bear, in either theme`, async () => {
    for (const colorScheme of ["light", "dark"]) {
      const page = await browser.open(make(), { colorScheme });
      await page.keyboard.press("End");
      await settle(page);
      const { data } = await pixels(page, "canvas.picture");
      const hues = new Set();
      for (let i = 0; i < data.length; i += 4) {
        const [r, g, b] = data.subarray(i, i + 3);
        if (Math.max(r, g, b) - Math.min(r, g, b) > 60) hues.add(`${r >> 4},${g >> 4},${b >> 4}`);
      }
      assert.ok(hues.size > 6, `${hues.size} colours, ${colorScheme}`);
      assert.deepEqual(page.problems, []);
      await page.context().close();
    }
  });

test("the colours have a key with the range of each quantity", async () => {
  const page = await browser.open(members());
  const entries = await page.locator(".colour-key > *").allTextContents();
  assert.deepEqual(entries, ["bending moment [N m]08", "tension [N]58"]);
  await page.context().close();
  const without = await browser.open(planar());
  assert.ok(!(await without.locator(".colour-key").isVisible()));
  await without.context().close();
});

test("what members bear is drawn along them, at the time of the animation", async () => {
  const page = await browser.open(members());
  assert.deepEqual(await page.locator(".group h2").allTextContents(), ["Outputs", "Along arm", "Along cable"]);
  assert.equal(await page.locator(".chart").count(), 3);
  const along = page.locator(".along").first();
  await along.scrollIntoViewIfNeeded();
  const value = async () => Number(await along.locator(".value").first().getAttribute("data-value"));
  const single = 1e-6; // of numbers in single precision
  for (const place of [0, 600, 2000]) {
    await page.locator(".scrub").fill(String(place));
    await settle(page);
    const expected = memberForce.M2(1 / 16, (2 * place) / 2000); // at the first point, before the pointer chooses one
    assert.ok(Math.abs((await value()) - expected) <= 8 * single, `${await value()} is ${expected}`);
  }
  const box = await along.locator(".u-over").boundingBox();
  await page.mouse.move(box.x + 0.44 * box.width, box.y + box.height / 2);
  await settle(page);
  const expected = memberForce.M2(7 / 16, 2);
  assert.ok(Math.abs((await value()) - expected) <= 8 * single, `${await value()} is ${expected}`);
  assert.match(await along.locator(".rows").textContent(), /t = 2 s, values at s = 0\.438 m; bands are the ranges/);
  assert.equal(await clock(page), 2, "the pointer moves along the member, not in time");
  assert.match(await along.locator(".frame").getAttribute("aria-label"), /s \[m\].*M2 from −\d.* to 7\.\d/);
  await page.context().close();
});

test("the range over the run is a band behind the curve, hidden with it", async () => {
  const page = await browser.open(members());
  const along = page.locator(".along").first();
  await along.scrollIntoViewIfNeeded();
  await settle(page);
  const [r, g, b] = toNumbers(
    await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--curve-0")),
  );
  const faint = async () => {
    const { data } = await pixels(page, ".along canvas");
    let count = 0;
    const near = (seen, full) => Math.abs(seen - (255 + 0.16 * (full - 255))) <= 3;
    for (let i = 0; i < data.length; i += 4)
      if (near(data[i], r) && near(data[i + 1], g) && near(data[i + 2], b)) ++count;
    return count;
  };
  assert.ok((await faint()) > 5000);
  await along.locator(".legend button").first().click();
  await settle(page);
  assert.ok((await faint()) < 100);
  await page.context().close();
});

test("a member at rest has its curve and no band; many share one panel", async () => {
  const { runs, ...report } = members();
  const first = (values, count) => f32(numbersOf(values).slice(0, count));
  const [run] = runs;
  const still = run.scene.items.map((item) => ({
    ...item,
    points: first(item.points, 27),
    normals: item.normals && first(item.normals, 27),
    forces: item.forces.map((force) => ({ ...force, values: first(force.values, 8) })),
  }));
  const rest = { ...run, time: [0], columns: [], scene: { ...run.scene, time: [0], items: still } };
  const page = await browser.open({ ...report, runs: [rest] });
  assert.match(await page.locator(".along .rows").first().textContent(), /^at t = 0 s, values at s = 0\.0625 m$/);
  assert.deepEqual(page.problems, []);
  await page.context().close();
  const many = Array.from({ length: 12 }, (_, i) => ({ ...run.scene.items[i % 2], name: `member ${i}` }));
  const crowd = await browser.open({ ...report, runs: [{ ...run, scene: { ...run.scene, items: many } }] });
  assert.equal(await crowd.locator(".along").count(), 1);
  assert.equal(await crowd.locator(".along .chart").count(), 1);
  await crowd.getByLabel("Beam or string shown").selectOption("member 1");
  assert.match(await crowd.locator(".along figcaption").textContent(), /Tension/);
  assert.deepEqual(crowd.problems, []);
  await crowd.context().close();
});

test("runs share the diagrams of their members", async () => {
  const { runs, ...report } = members();
  const both = [runs[0], { ...runs[0], name: "again" }];
  const page = await browser.open({ ...report, task: "compare", runs: both });
  const along = page.locator(".along").first();
  assert.deepEqual(await along.locator(".legend button span").allTextContents(), ["members", "again"]);
  assert.ok(!(await page.locator(".colour-key").isVisible()), "colours are those of the runs");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a member of a thousand nodes moves without delay", async () => {
  const page = await browser.open(members(1000));
  const each = await page.evaluate(() => {
    const scrub = document.querySelector(".scrub"),
      before = performance.now(),
      times = 20;
    for (let i = 0; i < times; ++i) {
      scrub.value = String((i * 97) % 2000);
      scrub.dispatchEvent(new Event("input"));
    }
    return (performance.now() - before) / times;
  });
  assert.ok(each < 50, `${each} ms`); // a few on a machine without load
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("of a single instant there are values in place of plots, and nothing to play", async () => {
  const still = { dimension: 2, time: [0], items: [{ kind: "body", name: "bar", position: [0, 1], rotation: [0] }] };
  const column = (name, group, unit, value) => ({ name, group, unit, values: [value] });
  const columns = [column("tip.x", "outputs", "m", 15.6843801), column("tip.y", "outputs", "m", 47.15),
    column("lambda.hook.x", "reactions", "N", -31.7883)];
  const page = await browser.open({ ...bare(), task: "equilibrium", runs: [{ name: "run", time: [0], columns,
    scene: still }] });
  assert.equal(await page.locator(".task").textContent(), "Equilibrium");
  assert.deepEqual(await page.locator(".still figcaption, .still td").allTextContents(),
    ["Outputs [m]", "15.6844", "47.15", "lambda.hook.x [N]", "−31.7883"]);
  assert.equal(await page.locator(".frame, .scrub, .play, .portrait").count(), 0);
  assert.deepEqual(await page.locator(".stage .menu button").allTextContents(), ["full screen", "PNG"]);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("cards stand in rows of equal length, and a mark stays beside its word", async () => {
  const figures = Array.from({ length: 9 }, (_, i) => ({ label: i ? `figure ${i}` : "Newton iterations per step",
    value: i, unit: i === 1 ? "1" : "m" }));
  for (const width of [1280, 700, 390]) {
    const page = await browser.open({ ...bare(), figures, runs: [] }, { viewport: { width, height: 700 } });
    const tops = await page.locator(".figure").evaluateAll((cards) => cards.map((card) => card.offsetTop));
    const rows = [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
    assert.ok(rows.length > 1 && rows[0] - rows.at(-1) <= rows.length, `${width}: ${rows}`);
    const [mark, word] = await page.evaluate(() => {
      const mark = document.querySelector(".tip button").getBoundingClientRect();
      const text = document.querySelector(".together .about").getBoundingClientRect();
      return [mark, text].map(({ top, bottom }) => (top + bottom) / 2);
    });
    assert.ok(Math.abs(mark - word) < 6, `${width}: the mark stands at ${mark}, its word at ${word}`);
    assert.equal(await page.locator(".figure .unit").count(), 8, "a plain number has no unit");
    await page.context().close();
  }
});

test("a long name breaks where its words do, and long talk is folded", async () => {
  const said = Array.from({ length: 12 }, (_, i) => `line ${i} of what a run with many outputs has to tell of each`);
  const page = await browser.open({ ...bare(), name: "cable_manipulator_general", said, runs: [] },
    { viewport: { width: 390, height: 800 } });
  const heading = page.locator("h1");
  assert.equal(await heading.textContent(), "cable_manipulator_general");
  assert.equal(await heading.locator("wbr").count(), 2);
  assert.ok(await page.locator(".said").isHidden());
  await page.getByText("All that the run told (12 lines)").click();
  assert.equal(await page.locator(".said li:visible").count(), 12);
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator(".said").isVisible());
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
