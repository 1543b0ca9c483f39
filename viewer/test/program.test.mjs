// Pages that the program itself writes, from bundled examples: INVAR=/path to the command, default build/release/invar.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { settle, startBrowser } from "./browser.mjs";

const invar = process.env.INVAR ?? fileURLToPath(new URL("../../build/release/invar", import.meta.url));
const skip = existsSync(invar) ? false : `${invar} is not built`;
const folder = mkdtempSync(join(tmpdir(), "invar-program-"));
let browser;
before(async () => {
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

const run = (verb, example, ...options) => {
  const out = join(folder, `${verb}-${example}${options.join("")}`);
  execFileSync(invar, [verb, example, "--out", out, "--quiet", ...options]);
  return out;
};

const column = (out, name) => {
  const [head, ...rows] = readFileSync(join(out, "result.csv"), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const place = head.indexOf(name);
  assert.ok(place >= 0, name);
  return rows.map((row) => Number(row[place]));
};

for (const [verb, example, quantity] of [
  ["invert", "rotary_crane_inverse", "load_x"],
  ["simulate", "double_pendulum_bodies", "tip.x"],
  ["optimize", "arm_swing", "a1"],
  ["control", "overhead_crane_control", "load_x"],
]) {
  test(`${verb} ${example}: the page opens, shows what the table says, and moves`, { skip }, async () => {
    const out = run(verb, example);
    const file = join(out, "report.html");
    assert.ok(statSync(file).size < 5e6);
    const page = await browser.openFile(file);
    assert.deepEqual(page.problems, []);
    const scene = page.locator("canvas.picture").first();
    const before = await scene.screenshot();
    await page.keyboard.press("End");
    await settle(page);
    assert.notDeepEqual(await scene.screenshot(), before);
    const curve = page.locator(".legend button").filter({ has: page.getByText(quantity, { exact: true }) });
    await curve.first().scrollIntoViewIfNeeded();
    await settle(page);
    const shown = await curve.first().locator(".value").getAttribute("data-value");
    const last = column(out, quantity).at(-1);
    assert.ok(Math.abs(Number(shown) - last) <= 1e-6 * (1 + Math.abs(last)), `${shown} is ${last}`);
    await page.context().close();
  });
}

test("of a long run the page says how many rows it shows, and the animation moves to the end", { skip }, async () => {
  const out = run("simulate", "pendulum", "--step", "1e-4", "--until", "30"); // each tenth step is recorded
  const file = join(out, "report.html");
  assert.ok(statSync(file).size < 5e6);
  const page = await browser.openFile(file);
  assert.deepEqual(page.problems, []);
  assert.match(await page.locator(".plots .rows").textContent(), /^[0-9,]+ of 30,001 rows shown/);
  const scene = page.locator("canvas.picture").first();
  const pictures = [];
  for (const moment of ["1400", "1700", "2000"]) {
    // of 2000
    await page.getByLabel("Time").fill(moment);
    await settle(page);
    pictures.push((await scene.screenshot()).toString("base64"));
  }
  assert.equal(new Set(pictures).size, 3);
  await page.context().close();
});

test("several runs are compared in one page, with their motions over each other", { skip }, async () => {
  const runs = ["0.04", "0.02", "0.01"].map((step) => run("simulate", "pendulum", "--step", step, "--until", "1"));
  const file = join(folder, "comparison.html");
  execFileSync(invar, ["report", ...runs, "--out", file, "--quiet"]);
  const page = await browser.openFile(file);
  assert.deepEqual(page.problems, []);
  assert.match(await page.locator("body").textContent(), /difference of the coordinates to the finest run/);
  assert.deepEqual(await page.locator(".results tbody td:nth-child(2)").allTextContents(), ["0.04", "0.02", "0.01"]);
  assert.equal(await page.locator(".chooser select option:checked").textContent(), "all runs");
  const ends = runs.map((out) => column(out, "x").at(-1));
  await page.keyboard.press("End");
  const chart = page
    .locator("figure.chart")
    .filter({ has: page.getByText("x [m]", { exact: true }) })
    .first();
  await chart.scrollIntoViewIfNeeded();
  await settle(page);
  const shown = (await chart.locator(".value").all()).map((value) => value.getAttribute("data-value"));
  (await Promise.all(shown)).forEach((value, i) =>
    assert.ok(Math.abs(Number(value) - ends[i]) < 1e-6, `${value} is ${ends[i]}`),
  );
  await page.context().close();
});

const pendulum = `
name = "flexible pendulum"
[world]
gravity = [0, 0, -9.81]
[[beam]]
name = "rod"
points = [[0, 0, 0], [1, 0, 0]]
normal = [0, 0, 1]
elements = 4
section = { rectangle = [0.03, 0.01] }
material = { E = 2e8, nu = 0.3, density = 1000 }
from = "ground"
[simulate]
until = 0.2
step = 0.002
`;

test("section forces of a beam are one panel, with the numbers of the table", { skip }, async () => {
  const model = join(folder, "rod.toml"),
    out = join(folder, "rod");
  writeFileSync(model, pendulum);
  execFileSync(invar, ["simulate", model, "--out", out, "--quiet"]);
  const page = await browser.openFile(join(out, "report.html"));
  assert.deepEqual(page.problems, []);
  assert.doesNotMatch(await page.locator(".plots").textContent(), /rod\.\d|rod\.n\d/);
  const other = column(out, "rod.1.M2");
  const sizes = column(out, "rod.1.M1").map((m, k) => Math.hypot(m, other[k]));
  const [, most] = await page.locator(".colour-key output").allTextContents();
  assert.ok(Math.abs(Number(most) / Math.max(...sizes) - 1) < 5e-3, "it bends most at its support, to three digits");
  await page.keyboard.press("End");
  const along = page.locator(".along");
  await along.scrollIntoViewIfNeeded();
  await settle(page);
  for (const force of ["Q1", "N", "M2"]) {
    const curve = along.locator(".legend button").filter({ has: page.getByText(force, { exact: true }) });
    const shown = Number(await curve.locator(".value").getAttribute("data-value"));
    const last = column(out, `rod.1.${force}`).at(-1);
    assert.ok(Math.abs(shown - last) <= 1e-6 * Math.abs(last), `${shown} is ${last}`); // single precision
  }
  await page.context().close();
});

// All of them take some minutes: EVERY=6 tests each sixth.
const every = Number(process.env.EVERY ?? 1);
test(
  "the page of every bundled example opens without complaints, and is small enough to be sent",
  { skip },
  async () => {
    const examples = fileURLToPath(new URL("../../examples", import.meta.url));
    const names = readdirSync(examples).filter((name) => existsSync(join(examples, name, "model.toml")));
    assert.ok(names.length > 50);
    const look = async (name) => {
      const model = readFileSync(join(examples, name, "model.toml"), "utf8");
      const has = (section) => model.includes(`\n${section}`);
      const verb = has("[control")
        ? "control"
        : has("[optimize")
          ? "optimize"
          : has("[[trajectory")
            ? "invert"
            : "simulate";
      const file = join(run(verb, name), "report.html");
      assert.ok(statSync(file).size < 5e6, name);
      const page = await browser.openFile(file, { viewport: { width: 640, height: 480 } });
      await page.keyboard.press("End");
      await settle(page);
      assert.deepEqual(page.problems, [], name);
      assert.ok((await page.locator("canvas.picture").count()) === 1, `${name} has no animation`);
      await page.context().close();
    };
    const some = 3; // at a time
    const waiting = names.filter((_, i) => i % every === 0).values();
    await Promise.all(
      Array.from({ length: some }, async () => {
        for (const name of waiting) await look(name);
      }),
    );
  },
);
