// Long runs: what the page has of them, and what the zoom shows.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { settle, startBrowser } from "./browser.mjs";
import { bare } from "./fixtures.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(() => browser.close());

/** As the program's packing.cpp writes it. */
function rice(values, quantum, order, width = 1) {
  const x = values.map((v) => Math.round(v / quantum)), bits = [];
  const write = (value, count) => {
    for (let i = count - 1; i >= 0; --i) bits.push(Math.floor(value / 2 ** i) % 2);
  };
  for (let p = 0; p < order; ++p) for (let i = x.length - 1; i >= width; --i) x[i] -= x[i - width];
  for (let first = 0; first < x.length; first += 128) {
    const some = x.slice(first, first + 128).map((d) => (d < 0 ? -2 * d - 1 : 2 * d));
    const k = Math.max(0, Math.ceil(Math.log2(1 + some.reduce((a, b) => a + b) / some.length)));
    write(k, 6);
    for (const u of some) {
      const ones = Math.min(24, Math.floor(u / 2 ** k));
      for (let i = 0; i < ones; ++i) bits.push(1);
      if (ones === 24) write(u, 52);
      else write(0, 1), write(u % 2 ** k, k);
    }
  }
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  bits.forEach((bit, i) => (bytes[i >> 3] |= bit << (7 - (i & 7))));
  return { rice: bytes.toString("base64"), count: values.length, order, quantum, ...(width > 1 && { width }) };
}

const quantum = 2 ** -34, end = 1000, rate = 50; // about 8000 oscillations
const x = (t) => Math.sin(rate * t) + 0.2 * Math.sin(3.7 * rate * t);
const v = (t) => rate * Math.cos(rate * t) + 0.74 * rate * Math.cos(3.7 * rate * t);
/** Some rows of all, and in between those at equal distances. */
function long({ rates = true, distance = 0.01 } = {}) {
  const time = Array.from({ length: 1001 }, (_, i) => (i * end) / 1000);
  const even = Array.from({ length: end / distance + 1 }, (_, i) => i * distance);
  const columns = [
    { name: "x", group: "coordinates", unit: "m", values: time.map(x), dotted: true },
    ...(rates ? [{ name: "x'", group: "velocities", unit: "m/s", values: time.map(v), dotted: true }] : []),
  ];
  return { ...bare(), runs: [{ name: "run", time, rows: { shown: 1001, of: 1000001 }, columns, even: {
    time: rice(even, 2 ** -33, 2),
    columns: [
      { name: "x", values: rice(even.map(x), quantum, 3) },
      ...(rates ? [{ name: "x'", values: rice(even.map(v), 64 * quantum, 3) }] : []),
    ],
  } }] };
}

const chart = (page) => page.locator(".plots .chart").first();
async function zoom(page, from, to) {
  const box = await chart(page).locator(".u-over").boundingBox(), at = (part) => box.x + part * box.width;
  await page.mouse.move(at(from), box.y + 60);
  await page.mouse.down();
  await page.mouse.move(at(to), box.y + 62, { steps: 3 });
  await page.mouse.up();
  await settle(page);
}
const rowsOf = async (page) => {
  await chart(page).locator(".tools summary").click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    chart(page).locator(".menu").getByText("CSV", { exact: true }).click(),
  ]);
  const stream = await download.createReadStream(), pieces = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString().trim().split("\n").slice(1).map((line) => line.split(",").map(Number));
};

test("under the zoom a plot has many more rows, true ones, and goes back", async () => {
  const page = await browser.open(long());
  assert.deepEqual(page.problems, []);
  assert.match(await page.locator(".plots .rows").first().textContent(),
    /^1,001 of 1,000,001 rows shown, 100,001 under the zoom/);
  assert.equal((await rowsOf(page)).length, 1001);
  await zoom(page, 0.5, 0.52);
  const rows = await rowsOf(page);
  assert.ok(rows.length > 1500, `${rows.length} rows`);
  const law = 2 ** -33;
  for (const [t, value] of rows) assert.ok(Math.abs(value - x(t)) < law * (1 + 2 * rate), `${t}: ${value}`);
  for (let i = 1; i < rows.length; ++i) {
    const step = rows[i][0] - rows[i - 1][0];
    assert.ok(step > 1e-6 && step < 0.01 + 1e-6, `ascending, none twice: ${step}`);
  }
  await page.mouse.move(0, 0);
  const drawn = () => chart(page).locator(".frame canvas").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 100 && data[i] < 60 && data[i + 2] > 120) ++count;
    return count;
  });
  assert.ok((await drawn()) > 5000, "lines, not points");
  await chart(page).locator(".u-over").dblclick();
  await settle(page);
  assert.equal((await rowsOf(page)).length, 1001);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("values at the cursor are those of the rows under the zoom, at a mark outside of it those of the plot",
  async () => {
  const page = await browser.open(long());
  await page.keyboard.press("m"); // at the start
  await zoom(page, 0.5, 0.51);
  const box = await chart(page).locator(".u-over").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 50);
  await settle(page);
  const value = chart(page).locator(".value").first();
  const t = Number((await page.locator(".measure").textContent()).match(/Δt = ([\d.]+) s/)[1]);
  const shown = Number(await value.getAttribute("data-value"));
  assert.ok(t > 490 && t < 520);
  assert.ok(Math.abs(shown - x(t)) < 1e-4 * rate, `${shown} is ${x(t)}`); // the time is told to six digits
  assert.ok(Math.abs(Number(await value.getAttribute("data-delta")) - shown + x(0)) < 1e-12);
  await page.context().close();
});

test("where even these rows are few, what has no rates is shown as points", async () => {
  for (const rates of [true, false]) {
    const page = await browser.open(long({ rates, distance: 0.1 }));
    await zoom(page, 0.5, 0.51);
    await page.mouse.move(0, 0);
    await settle(page);
    const ink = await chart(page).locator(".frame canvas").evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 100 && data[i] < 60 && data[i + 2] > 120) ++count;
      return count;
    });
    assert.equal(ink > 4000, rates, `${ink}`);
    await page.context().close();
  }
});

test("numbers written as differences are read to the last bit, in rows of any width", async () => {
  const noise = Array.from({ length: 300 }, (_, i) => ((i * 7919) % 1009) - 504);
  for (const [values, order, width] of [[noise, 0, 1], [noise.map((n) => n * 2 ** 30), 6, 1], [noise, 3, 3], [[5], 2,
    1]]) {
    const columns = [{ name: "a", group: "outputs", values: rice(values, 0.25, order, width) }];
    const page = await browser.open({ ...bare(), runs: [{ name: "run", time: values.map((_, i) => i), columns }] });
    const rows = values.length > 1 ? (await rowsOf(page)).map(([, value]) => value)
      : [Number(await page.locator(".still td").textContent())]; // of one instant there is no plot
    assert.deepEqual(rows, values);
    await page.context().close();
  }
});
