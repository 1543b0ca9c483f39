// Numbers as text: what the axes say is where they stand.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { transformSync } from "esbuild";

const source = readFileSync(new URL("../src/format.ts", import.meta.url), "utf8");
const { code } = transformSync(source, { loader: "ts", format: "esm" });
const { amount, number, ticks,
  typeset } = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);

const plain = (text) => Number(text.replace(/\u2212/g, "-"));

test("a tick has the digits that tell it from its neighbours", () => {
  for (const increment of [2.5, 0.25, 2, 0.1, 25, 5e-4, 2.5e-3, 2.5e6, 1e-13, 2.5e-13, 2e8])
    for (const first of [-3, 0, 7]) {
      const splits = [0, 1, 2, 3, 4].map((i) => (first + i) * increment);
      ticks(splits, increment).forEach((text, i) =>
        assert.ok(
          Math.abs(plain(text) - splits[i]) < 1e-6 * increment,
          `${text} is ${splits[i]} in steps of ${increment}`,
        ),
      );
    }
  assert.deepEqual(ticks([0, 2.5, 5], 2.5), ["0", "2.5", "5.0"]);
  assert.deepEqual(ticks([null, 1], 1), ["", "1"]);
});

test("values have the digits asked for, no trailing zeros and a true minus sign", () => {
  assert.equal(number(-1.5), "\u22121.5");
  assert.equal(number(2 / 3, 4), "0.6667");
  assert.equal(number(1e-20), "1e\u221220");
  assert.equal(number(NaN), "\u2013");
  assert.equal(number(-Infinity), "\u2212\u221e");
});

test("numbers in sentences have the style of the page, words stay as they are", () => {
  assert.equal(typeset("kept to 6.7e-06 J, 2.37e+02 of 1.0e+00, exactly 0.0e+00"),
    "kept to 6.7e−6 J, 237 of 1, exactly 0");
  assert.equal(typeset("ends -1.5 away (-2)"), "ends −1.5 away (−2)");
  assert.equal(typeset("reached: phi >= -0.2 rad, F <= 10 N"), "reached: phi ≥ −0.2 rad, F ≤ 10 N");
  for (const words of ["energy-momentum", "arm3e-5x", "link1.x", "--method lie-rk4", "5-6-7-8-9 polynomial", "v1.2e3b"])
    assert.equal(typeset(words), words);
});

test("results have four digits, and those before the point", () => {
  assert.equal(amount(83256.677), "83256.68");
  assert.equal(amount(-123456.7891), "\u2212123456.8");
  assert.equal(amount(1000), "1000");
  assert.equal(amount(999.95), "1000");
  assert.equal(amount(0.123456), "0.1235");
  assert.equal(amount(12345678.9), "1.234568e7");
  assert.equal(amount(null), "\u2013");
});
