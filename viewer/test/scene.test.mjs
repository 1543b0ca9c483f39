// What the picture can do besides moving: cameras, trails, shadows, smooth ways, files.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { settle, startBrowser } from "./browser.mjs";
import { bare, chain, planar, spatial, spatialComparison } from "./fixtures.mjs";
import { countColour, pixels } from "./pixels.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(() => browser.close());

const open = async (report, options) => {
  const page = await browser.open(report, options);
  assert.deepEqual(page.problems, []);
  return page;
};
const one = (scene) => ({ ...bare(), runs: [{ name: "run", scene }] });
const at = async (page, place) => {
  await page.getByLabel("Time").fill(String(place)); // of 2000
  await page.getByLabel("Time").blur();
  await settle(page);
};
/** The middle of all pixels of a colour, and the box around them. */
async function placeOf(page, name) {
  const hex = await page.evaluate((v) => getComputedStyle(document.documentElement).getPropertyValue(v), `--${name}`);
  const wanted = [1, 3, 5].map((i) => parseInt(hex.trim().slice(i, i + 2), 16));
  const { width, height, data } = await pixels(page, "canvas.picture");
  const box = { left: width, right: -1, top: height, bottom: -1, width, height };
  for (let i = 0; i < data.length; i += 4)
    if (wanted.every((value, k) => Math.abs(value - data[i + k]) <= 2)) {
      const x = (i / 4) % width, y = Math.floor(i / 4 / width);
      Object.assign(box, { left: Math.min(box.left, x), right: Math.max(box.right, x), top: Math.min(box.top, y),
        bottom: Math.max(box.bottom, y) });
    }
  return { ...box, x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
}
const times = Array.from({ length: 21 }, (_, i) => i / 10);

test("the camera follows a thing, which then stays where it is in the picture", async () => {
  const page = await open(one({
    dimension: 2, time: times,
    items: [
      { kind: "line", name: "way", role: "ground", count: 2, points: [0, 0, 40, 0] },
      { kind: "point", name: "cart", radius: 0.4, position: times.flatMap((t) => [20 * t, 0.5]) },
    ],
  }));
  await at(page, 0);
  const start = await placeOf(page, "body-0");
  await at(page, 2000);
  assert.ok((await placeOf(page, "body-0")).x > start.x + 200, "the whole way is in view");
  await page.getByLabel("Camera").selectOption("follow cart");
  await settle(page);
  const followed = await placeOf(page, "body-0");
  assert.ok(Math.abs(followed.x - followed.width / 2) < 3 && Math.abs(followed.y - followed.height / 2) < 3);
  assert.ok(followed.right - followed.left > 1.5 * (start.right - start.left), "and nearer");
  for (const moment of [0, 700, 1300]) {
    await at(page, moment);
    const now = await placeOf(page, "body-0");
    assert.ok(Math.abs(now.x - followed.x) < 2 && Math.abs(now.y - followed.y) < 2,
      `${moment}: ${now.x} is ${followed.x}`);
  }
  await page.getByRole("button", { name: "whole view" }).click();
  await at(page, 0);
  assert.ok(Math.abs((await placeOf(page, "body-0")).x - start.x) < 2);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("in space the camera also stands in front, at the side and above", async () => {
  const corners = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const page = await open(one({
    dimension: 3, time: [0, 1],
    items: corners.map((p, i) => ({ kind: "line", name: "xyz"[i], role: "cable", count: 2, points: [0, 0, 0, ...p] })),
  }));
  const reach = async (look) => {
    await page.getByLabel("Camera").selectOption({ label: look });
    await settle(page);
    const letters = await page.locator(".triad span").all();
    return Promise.all(letters.map(async (letter) => letter.boundingBox()));
  };
  const [x, y, z] = await reach("from the front");
  assert.ok(x.x > z.x + 15 && z.y < x.y - 15, "x goes to the right, z up");
  assert.ok(Math.abs(y.x + y.width / 2 - z.x - z.width / 2) < 3);
  const [, y2, z2] = await reach("from the side");
  assert.ok(y2.x > z2.x + 15 && z2.y < y2.y - 15, "y goes to the right, z up");
  const [x3, y3] = await reach("from above");
  assert.ok(x3.x > y3.x + 15 && y3.y < x3.y - 15, "x goes to the right, y up");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("arrows stay inside the picture", async () => {
  const scene = { dimension: 2, time: [0, 1], items: [
    { kind: "point", name: "mass", position: [0, 0, 0, 1] },
    { kind: "arrow", name: "pull", position: [0, 0, 0, 1], vector: [0, 50, 0, 50] },
  ] };
  const page = await open(one(scene));
  await at(page, 2000);
  const { top, bottom, height } = await placeOf(page, "force");
  assert.ok(top > 8 && bottom < height - 8, `${top} … ${bottom} of ${height}`);
  await page.context().close();
});

test("trails show where bodies just were", async () => {
  const scene = { dimension: 2, time: times, items: [{ kind: "point", name: "ball", radius: 0.02,
    position: times.flatMap((t) => [Math.cos(Math.PI * t), Math.sin(Math.PI * t)]) }] };
  const page = await open(one(scene));
  await at(page, 1000);
  const marked = async () => {
    const { data } = await pixels(page, "canvas.picture");
    let count = 0; // what is bluer than grey
    for (let i = 0; i < data.length; i += 4) if (data[i + 2] - data[i] > 40) ++count;
    return count;
  };
  const before = await marked();
  await page.getByLabel("trails", { exact: true }).check();
  await settle(page);
  const after = await marked();
  assert.ok(after > before + 60, `${after} and ${before}`);
  await at(page, 0);
  assert.ok((await marked()) < after - 40, "at the start there was nothing before");
  await page.context().close();
});

test("bodies in space cast shadows on the ground, in either theme", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const scene = (z) => ({ dimension: 3, time: [0, 1], bounds: { min: [-1, -1, 0], max: [1, 1, 1.5] },
      items: [{ kind: "body", name: "ball", shape: { sphere: 0.4 }, position: [0, 0, z] }] });
    const darkest = async (z) => {
      const page = await open(one(scene(z)), { colorScheme });
      const { data, width, height } = await pixels(page, "canvas.picture");
      await page.context().close();
      let count = 0;
      const clear = 4 * (3 * width + 3), shade = colorScheme === "light" ? 15 : 5;
      for (let i = 0; i < data.length; i += 4) {
        const x = (i / 4) % width, y = Math.floor(i / 4 / width);
        if (x < 100 && y > height - 100) continue; // the axes
        const grey = Math.max(...[0, 1, 2].map((k) => Math.abs(data[i + k] - data[i] - data[clear + k]
          + data[clear]))) < 8;
        if (grey && data[i] < data[clear] - shade) ++count;
      }
      return count;
    };
    const near = await darkest(1), none = await darkest(50); // far above the light
    assert.ok(near > none + 300, `${colorScheme}: ${near} and ${none}`);
  }
});

test("runs that share a picture are seen through each other", async () => {
  const box = (z) => ({ ...one({ dimension: 3, time: [0, 1], items: [
    { kind: "body", name: "box", shape: { box: [1, 1, 1] }, position: [0, 0, 0, 0, 0, z] },
  ] }).runs[0], name: `to ${z}` });
  const page = await open({ ...bare(), task: "compare", runs: [box(0.001), box(0.002)] });
  const colours = new Set();
  const { data, width, height } = await pixels(page, "canvas.picture");
  const middle = 4 * (Math.floor(height / 2) * width + Math.floor(width / 2));
  colours.add(data.slice(middle, middle + 3).join());
  const alone = async (label) => {
    await page.getByLabel("Run shown").selectOption({ label });
    await settle(page);
    const { data: own } = await pixels(page, "canvas.picture");
    return own.slice(middle, middle + 3).join();
  };
  assert.notEqual([...colours][0], await alone("to 0.001"));
  await page.context().close();
});

test("between few frames things go along a curve", async () => {
  const few = Array.from({ length: 9 }, (_, i) => i / 4);
  const circle = few.flatMap((t) => [Math.cos(Math.PI * t), Math.sin(Math.PI * t)]);
  const page = await open(one({ dimension: 2, time: few, bounds: { min: [-1, -1], max: [1, 1] }, items: [
    { kind: "point", name: "ball", radius: 0.1, position: circle },
    { kind: "trace", name: "ball", points: circle },
  ] }));
  await page.getByLabel("paths", { exact: true }).uncheck();
  await at(page, 0);
  const start = await placeOf(page, "body-0");
  await at(page, 1000);
  const half = await placeOf(page, "body-0");
  const radius = Math.abs(start.x - half.x) / 2, centre = (start.x + half.x) / 2;
  await at(page, 625); // between two frames: along a chord it would be 8 % nearer
  const { x, y } = await placeOf(page, "body-0");
  const far = Math.hypot(x - centre, y - start.y) / radius;
  assert.ok(Math.abs(far - 1) < 0.025, `${far}`);
  await page.getByLabel("paths", { exact: true }).check();
  await at(page, 2000);
  const box = await placeOf(page, "curve-0");
  assert.ok(Math.abs((box.bottom - box.top) / (2 * radius) - 1) < 0.06);
  await page.context().close();
});

test("the picture is saved as PNG, the motion as a film", async () => {
  const page = await open(planar());
  const save = async (what) => {
    await page.getByLabel("Tools of the animation").click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".stage .menu").getByText(what,
      { exact: true }).click()]);
    return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
  };
  const png = await save("PNG");
  assert.equal(png.name, "Planar_pendulum.png");
  assert.deepEqual([...png.content.subarray(1, 4)], [...Buffer.from("PNG")]);
  assert.ok(png.content.readUInt32BE(16) >= 400);
  await page.getByLabel("Faster").click(); // 4 s in 2 s
  const film = await save("film");
  assert.equal(film.name, "Planar_pendulum.webm");
  assert.deepEqual([...film.content.subarray(0, 4)], [0x1a, 0x45, 0xdf, 0xa3]); // EBML
  assert.ok(film.content.length > 5000, `${film.content.length} bytes`);
  assert.equal(await page.locator(".filming").count(), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a body without a shape is its links, in its own colour, with a small mark", async () => {
  const item = (name, more) => ({ kind: "body", name, position: [0, 0], rotation: [0], ...more });
  const scene = (links) => ({ dimension: 2, time: [0, 1], bounds: { min: [-1, -1], max: [1, 1] }, items: [
    item("other", { position: [0.9, 0.9] }), item("arm"),
    ...(links ? [{ kind: "line", name: "arm", role: "link", count: 2, points: [-0.8, 0, 0, 0] }] : []),
  ] });
  const size = async (links) => {
    const page = await open(one(scene(links)));
    const box = await placeOf(page, "body-1"), count = await countColour(page, "body-1");
    await page.context().close();
    return { box, count };
  };
  const alone = await size(false), linked = await size(true);
  assert.ok(linked.box.right - linked.box.left > 5 * (alone.box.right - alone.box.left), "the link has its colour");
  assert.ok(linked.box.right < alone.box.right, "the mark is smaller");
});

test("a thousand bodies have shadows and a camera that follows, quickly", async () => {
  const page = await open(chain(1000));
  await page.getByLabel("Camera").selectOption("follow link0");
  const ms = await page.evaluate(() => {
    const slider = document.querySelector(".scrub"), begin = performance.now();
    slider.value = "700";
    slider.dispatchEvent(new Event("input"));
    return performance.now() - begin;
  });
  assert.ok(ms < 250, `${ms} ms`);
  assert.ok((await page.getByLabel("trails", { exact: true }).count()) === 0, "no trails of a crowd");
  await page.context().close();
});

test("the tools of the animation and the cameras are also there in comparisons", async () => {
  const page = await open(spatialComparison());
  assert.ok((await page.getByLabel("Camera").locator("option").allTextContents()).includes("follow rotor"));
  await page.getByLabel("Camera").selectOption("follow rotor");
  await page.getByLabel("Run shown").selectOption({ index: 1 });
  assert.equal(await page.getByLabel("Camera").inputValue(), "whole");
  assert.deepEqual(page.problems, []);
  await page.context().close();
  const space = await open(spatial());
  await space.getByLabel("Camera").selectOption("follow rotor");
  await at(space, 1200);
  assert.deepEqual(space.problems, []);
  await space.context().close();
});
