// Pages that the program itself writes, from bundled examples: INVAR=/path to the command, default build/release/invar.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { settle, startBrowser } from "./browser.mjs";

const invar = process.env.INVAR ?? fileURLToPath(new URL("../../build/release/invar", import.meta.url));
const skip = existsSync(invar) ? false : `${invar} is not built`;
const folder = mkdtempSync(join(tmpdir(), "invar-program-"));
let browser;
before(async () => { browser = await startBrowser(); });
after(async () => { await browser.close(); rmSync(folder, { recursive: true }); });

const run = (verb, example, ...options) => {
  const out = join(folder, `${verb}-${example}${options.join("")}`);
  execFileSync(invar, [verb, example, "--out", out, "--quiet", ...options]);
  return out;
};

const column = (out, name) => {
  const [head, ...rows] = readFileSync(join(out, "result.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
  const place = head.indexOf(name);
  assert.ok(place >= 0, name);
  return rows.map((row) => Number(row[place]));
};

for (const [verb, example, quantity] of [
  ["invert", "rotary_crane_inverse", "load_x"],
  ["simulate", "double_pendulum_bodies", "tip.x"],
  ["optimize", "arm_swing", "a1"],
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
    const shown = await curve.first().locator(".value").getAttribute("data-value");
    const last = column(out, quantity).at(-1);
    assert.ok(Math.abs(Number(shown) - last) <= 1e-6 * (1 + Math.abs(last)), `${shown} is ${last}`);
    await page.context().close();
  });
}

test("several runs are compared in one page", { skip }, async () => {
  const runs = ["0.04", "0.02", "0.01"].map((step) => run("simulate", "pendulum", "--step", step, "--until", "1"));
  const file = join(folder, "comparison.html");
  execFileSync(invar, ["report", ...runs, "--out", file, "--quiet"]);
  const page = await browser.openFile(file);
  assert.deepEqual(page.problems, []);
  assert.match(await page.locator("body").textContent(), /difference to the finest run/);
  await page.context().close();
});
