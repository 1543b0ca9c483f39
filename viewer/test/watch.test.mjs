// invar watch: from an edit to the picture. INVAR=/path to the command, default build/release/invar.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startBrowser } from "./browser.mjs";

const invar = process.env.INVAR ?? fileURLToPath(new URL("../../build/release/invar", import.meta.url));
const skip = existsSync(invar) ? false : `${invar} is not built`;
const example = fileURLToPath(new URL("../../examples/pendulum/model.toml", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "invar-watch-"));
const model = join(folder, "model.toml");
const text = readFileSync(example, "utf8");
let browser, program;
before(async () => {
  browser = await startBrowser();
});
after(async () => {
  program?.kill();
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** The address that the program prints first. */
const address = () =>
  new Promise((found, failed) => {
    let printed = "";
    program.stdout.on("data", (piece) => {
      printed += piece;
      const line = printed.match(/(http:\S+)\n/);
      if (line) found(line[1]);
    });
    program.on("exit", () => failed(new Error(printed)));
  });

test("an edit is seen, a mistake stands above the last report, and the place stays", { skip }, async () => {
  writeFileSync(model, text);
  program = spawn(invar, ["watch", model], { stdio: ["ignore", "pipe", "inherit"] });
  const page = await browser.openAddress(await address());
  const shows = (count) => page.waitForFunction((n) => document.body.dataset.shown === n, String(count));
  await shows(1);
  const report = () => page.frameLocator("iframe:not(.next)");
  await report().locator("canvas.picture").first().waitFor();
  await report().locator("body").evaluate(() => scrollTo(0, 300));

  const seconds = [];
  for (let count = 2; count <= 6; ++count) {
    const begin = performance.now();
    writeFileSync(model, text.replace(/^until = .*$/m, `until = ${count}.0`));
    await shows(count);
    await report().locator("canvas.picture").first().waitFor();
    seconds.push((performance.now() - begin) / 1000);
  }
  seconds.sort((a, b) => a - b);
  console.log(`from edit to picture: ${seconds[0].toFixed(2)} to ${seconds.at(-1).toFixed(2)} s`);
  assert.ok(seconds[0] < 5, `${seconds} s: half a second on a machine of its own`);
  await page.waitForFunction(() => document.querySelector("iframe:not(.next)").contentWindow.scrollY === 300);

  writeFileSync(model, text.replace("kinetic", "kinetik"));
  const error = page.locator("#error");
  await error.waitFor({ state: "visible" });
  const words = await error.innerText();
  assert.match(words, /model\.toml:\d+:1: \[system\]: unknown key "kinetik"; did you mean "kinetic"\?/);
  assert.match(await page.locator("#excerpt .here").innerText(), /^ *\d+ +kinetik = /);
  assert.equal(await page.locator("iframe").count(), 1);

  writeFileSync(model, text);
  await error.waitFor({ state: "hidden" });
  assert.deepEqual(page.problems, []);
});
