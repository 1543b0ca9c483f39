// The motion as an animated picture: its file is taken apart here by a reader of its own, and read by the browser's.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { startBrowser } from "./browser.mjs";
import { planar } from "./fixtures.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(() => browser.close());

/** Reads a GIF: pictures with their place, delay, flags and colours, by the letter of the specification. */
function readGif(data) {
  let at = 0;
  const byte = () => data[at++], pair = () => byte() | (byte() << 8);
  const blocks = () => {
    const parts = [];
    for (let length = byte(); length; length = byte()) parts.push(...data.subarray(at, (at += length)));
    return parts;
  };
  const signature = data.subarray(0, 6).toString("latin1");
  at = 6;
  const gif = { signature, width: pair(), height: pair(), pictures: [], loops: undefined };
  const flags = byte();
  at += 2;
  gif.palette = Array.from({ length: flags & 0x80 ? 2 << (flags & 7) : 0 }, () => [byte(), byte(), byte()]);
  let control = {};
  for (let kind = byte(); kind !== 0x3b; kind = byte()) {
    if (kind === 0x21) {
      const label = byte();
      const parts = blocks();
      if (label === 0xf9) control = { delay: parts[1] | (parts[2] << 8), disposal: (parts[0] >> 2) & 7,
        transparent: parts[0] & 1 ? parts[3] : -1 };
      if (label === 0xff) gif.loops = String.fromCharCode(...parts.slice(0, 11));
    } else if (kind === 0x2c) {
      const picture = { ...control, left: pair(), top: pair(), width: pair(), height: pair() };
      assert.equal(byte(), 0, "no palette of its own, not interlaced");
      picture.colours = unpack(byte(), blocks());
      gif.pictures.push(picture);
    } else assert.fail(`a block ${kind} at ${at}`);
  }
  assert.equal(at, data.length, "nothing behind the end");
  return gif;
}

function unpack(size, bytes) {
  const clear = 1 << size, out = [];
  let width, table, last, at = 0;
  const reset = () => {
    width = size + 1;
    table = Array.from({ length: clear + 2 }, (_, i) => (i < clear ? [i] : []));
    last = undefined;
  };
  const code = () => {
    let value = 0;
    for (let i = 0; i < width; ++i, ++at) value |= ((bytes[at >> 3] >> (at & 7)) & 1) << i;
    return value;
  };
  reset();
  for (let next = code(); next !== clear + 1; next = code()) {
    assert.ok(at <= 8 * bytes.length, "the data end before their end code");
    if (next === clear) {
      reset();
      continue;
    }
    assert.ok(next < table.length || (next === table.length && last), `code ${next} of ${table.length}`);
    const entry = next < table.length ? table[next] : [...last, last[0]];
    for (const colour of entry) out.push(colour); // may be long
    if (last && table.length < 4096) table.push([...last, entry[0]]);
    if (table.length === 1 << width && width < 12) ++width;
    last = entry;
  }
  return out;
}

/** The pictures as one sees them, as colours of the palette. */
function shown({ width, height, pictures }) {
  const canvas = new Uint8Array(width * height);
  return pictures.map(({ left, top, width: w, height: h, transparent, colours }) => {
    for (let y = 0; y < h; ++y)
      for (let x = 0; x < w; ++x)
        if (colours[y * w + x] !== transparent) canvas[(top + y) * width + left + x] = colours[y * w + x];
    return canvas.slice();
  });
}

async function saved(page) {
  await page.getByLabel("Tools of the animation").click();
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 120000 }),
    page.locator(".stage .menu").getByText("GIF", { exact: true }).click()]);
  return { name: download.suggestedFilename(), data: await readFile(await download.path()) };
}

test("the motion is saved as an animated picture", async () => {
  const page = await browser.open(planar());
  await page.getByLabel("Time", { exact: true }).fill("500");
  for (let i = 0; i < 2; ++i) await page.getByLabel("Faster").click(); // 4 s in 0.8 s
  const { name, data } = await saved(page);
  assert.equal(name, "Planar_pendulum.gif");
  assert.equal(await page.locator(".filming, .progress").count(), 0);
  assert.equal(await page.getByLabel("Time", { exact: true }).inputValue(), "500", "the time is as before");

  const gif = readGif(data);
  assert.equal(gif.signature, "GIF89a");
  assert.equal(gif.loops, "NETSCAPE2.0");
  assert.equal(gif.palette.length, 256);
  assert.ok(gif.width <= 800 && gif.width >= 400, `${gif.width} wide`);
  assert.equal(gif.pictures.length, 21); // 25 per second
  for (const { left, top, width, height, colours, delay, disposal } of gif.pictures) {
    assert.ok(left + width <= gif.width && top + height <= gif.height);
    assert.equal(colours.length, width * height, "each pixel has a colour");
    assert.ok(delay === 4 || delay === 100);
    assert.equal(disposal, 1, "stays for the next");
  }
  const [first] = gif.pictures, rest = gif.pictures.slice(1);
  assert.deepEqual([first.left, first.top, first.width, first.height], [0, 0, gif.width, gif.height]);
  const area = ({ width, height }) => width * height;
  assert.ok(rest.some((picture) => area(picture) < 0.6 * area(first)), "later ones hold what changes");
  assert.ok(data.length < 1e6, `${data.length} bytes`);

  // The colours are those of the page: what is saved as PNG at the begin and end of the motion is what is seen here.
  const pictures = shown(gif);
  for (const [moment, colours] of [["0", pictures[0]], ["2000", pictures.at(-1)]]) {
    await page.getByLabel("Time", { exact: true }).fill(moment);
    const far = await page.evaluate(async ({ width, height, colours, palette }) => {
      document.querySelector(".stage .tools summary").click();
      const made = new Promise((done) => {
        const whole = URL.createObjectURL;
        URL.createObjectURL = (blob) => ((URL.createObjectURL = whole), done(blob), whole.call(URL, blob));
      });
      [...document.querySelectorAll(".stage .menu button")].find((b) => b.textContent === "PNG").click();
      const picture = await createImageBitmap(await made);
      const context = new OffscreenCanvas(width, height).getContext("2d");
      context.drawImage(picture, 0, 0, width, height);
      const { data } = context.getImageData(0, 0, width, height);
      let sum = 0;
      colours.forEach((colour, i) => palette[colour].forEach((value, c) => (sum += Math.abs(value - data[4 * i + c]))));
      return sum / data.length;
    }, { width: gif.width, height: gif.height, colours: [...colours], palette: gif.palette });
    assert.ok(far < 2, `${far} of 255 away on average at ${moment}`); // a cell of the palette is 8 wide
  }
  await page.context().close();
});

test("the browser reads the animated picture, and who plays the motion stops its making", async () => {
  const page = await browser.open(planar());
  for (let i = 0; i < 3; ++i) await page.getByLabel("Faster").click();
  const { data } = await saved(page);
  const read = await page.evaluate(async (bytes) => {
    const decoder = new ImageDecoder({ data: new Uint8Array(bytes), type: "image/gif" });
    await decoder.tracks.ready;
    await decoder.completed;
    const { frameCount, repetitionCount } = decoder.tracks.selectedTrack;
    const last = await decoder.decode({ frameIndex: frameCount - 1 });
    return { frameCount, forever: repetitionCount === Infinity, width: last.image.displayWidth };
  }, [...data]).catch((error) => String(error));
  const gif = readGif(data);
  if (typeof read === "string") assert.match(read, /ImageDecoder/, read); // only where pages are secure
  else assert.deepEqual(read, { frameCount: gif.pictures.length, forever: true, width: gif.width });

  const size = await page.evaluate(async (bytes) => {
    const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/gif" }));
    return [picture.width, picture.height];
  }, [...data]);
  assert.deepEqual(size, [gif.width, gif.height]);

  for (let i = 0; i < 6; ++i) await page.getByLabel("Slower").click(); // so long that there is time to stop it
  await page.getByLabel("Tools of the animation").click();
  await page.locator(".stage .menu").getByText("GIF", { exact: true }).click();
  await page.locator(".progress").filter({ hasText: "%" }).waitFor();
  await page.getByLabel("Play").click();
  await page.locator(".filming").waitFor({ state: "detached" });
  assert.equal(await page.locator(".progress").count(), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("long motions have fewer pictures a second", async () => {
  const { build } = await import("esbuild");
  const made = await build({ entryPoints: ["src/animation.ts"], bundle: true, format: "esm", write: false });
  const { instants } = await import(`data:text/javascript,${encodeURIComponent(made.outputFiles[0].text)}`);
  assert.deepEqual(instants(2), { count: 51, hundredths: 4 });
  for (const duration of [0, 0.01, 5, 19.96, 20, 100, 1e4]) {
    const { count, hundredths } = instants(duration);
    assert.ok(count >= 2 && count <= 501 && hundredths >= 4, `${duration}: ${count}`);
    if (duration > 1) assert.ok(Math.abs((count - 1) * hundredths - 100 * duration) <= hundredths, `${duration}`);
  }
});
