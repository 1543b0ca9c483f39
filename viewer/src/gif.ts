// GIF files, as in the "Graphics Interchange Format, Version 89a" (CompuServe, 1990): one palette for all pictures, of
// each picture only the rectangle that differs from the one before, what is as before in it transparent, packed by LZW.
import { Palette } from "./palette";

const transparent = 255; // the last colour of the palette
export const mostColours = 255;
const mostCodes = 4096, codeSize = 8; // bits of a colour

/** Bytes that grow. */
class Bytes {
  private data = new Uint8Array(1 << 16);
  length = 0;

  put(byte: number): void {
    if (this.length === this.data.length) {
      const larger = new Uint8Array(2 * this.length);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[this.length++] = byte;
  }

  list(...bytes: number[]): void {
    for (const byte of bytes) this.put(byte);
  }

  pair(value: number): void { // the lower byte first
    this.list(value & 255, value >> 8);
  }

  text(text: string): void {
    for (const letter of text) this.put(letter.charCodeAt(0));
  }

  all(): Uint8Array<ArrayBuffer> {
    return this.data.slice(0, this.length);
  }
}

/** Codes of growing width, the lowest bit first, in blocks of at most 255 bytes. */
class Codes {
  private block: number[] = [];
  private bits = 0;
  private held = 0;

  constructor(private out: Bytes) {}

  put(code: number, width: number): void {
    this.bits |= code << this.held;
    for (this.held += width; this.held >= 8; this.held -= 8, this.bits >>>= 8) this.byte(this.bits & 255);
  }

  end(): void {
    if (this.held > 0) this.byte(this.bits & 255);
    this.flush();
    this.out.put(0);
  }

  private byte(value: number): void {
    this.block.push(value);
    if (this.block.length === 255) this.flush();
  }

  private flush(): void {
    if (!this.block.length) return;
    this.out.put(this.block.length);
    this.out.list(...this.block);
    this.block = [];
  }
}

/** Welch's variant of Lempel and Ziv's method (IEEE Computer 17(6), 1984) with GIF's codes: sequences that were met
 *  before get one code, whose width grows with their number; a full table is begun again. */
function pack(pixels: Uint8Array, out: Bytes): void {
  const clear = 1 << codeSize, end = clear + 1;
  const known = new Int16Array(mostCodes << codeSize); // the code of a sequence and one more colour; 0: none
  const codes = new Codes(out);
  let width = codeSize + 1, next = end + 1;
  out.put(codeSize);
  codes.put(clear, width);
  let sequence = pixels[0];
  for (let i = 1; i < pixels.length; ++i) {
    const longer = (sequence << codeSize) | pixels[i];
    if (known[longer]) {
      sequence = known[longer];
      continue;
    }
    codes.put(sequence, width);
    sequence = pixels[i];
    if (next < mostCodes) {
      if (next === 1 << width) ++width; // the reader is one code behind
      known[longer] = next++;
    } else {
      codes.put(clear, width);
      known.fill(0);
      width = codeSize + 1;
      next = end + 1;
    }
  }
  codes.put(sequence, width);
  if (next === 1 << width && next < mostCodes) ++width;
  codes.put(end, width);
  codes.end();
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export class Gif {
  private out = new Bytes();
  private before?: Uint8Array; // the colours of the last picture

  /** Repeats itself for ever. */
  constructor(private width: number, private height: number, private palette: Palette) {
    const { out } = this;
    out.text("GIF89a");
    out.pair(width);
    out.pair(height);
    out.list(0xf7, 0, 0); // a palette of 256 colours for all
    for (let i = 0; i < 256; ++i) out.list(...palette.colour(i));
    out.list(0x21, 0xff, 11);
    out.text("NETSCAPE2.0");
    out.list(3, 1, 0, 0, 0);
  }

  /** A picture, red, green, blue and alpha of its pixels, shown for so many hundredths of a second. */
  add(pixels: Uint8ClampedArray, hundredths: number): void {
    const colours = this.palette.nearest(pixels), box = this.changed(colours), { out } = this;
    out.list(0x21, 0xf9, 4, this.before ? 0x05 : 0x04); // stays; has a transparent colour
    out.pair(hundredths);
    out.list(transparent, 0, 0x2c);
    for (const number of [box.left, box.top, box.width, box.height]) out.pair(number);
    out.put(0);
    pack(this.part(colours, box), out);
    this.before = colours;
  }

  end(): Uint8Array<ArrayBuffer> {
    this.out.put(0x3b);
    return this.out.all();
  }

  /** At least one pixel. */
  private changed(colours: Uint8Array): Box {
    const { before, width, height } = this;
    if (!before) return { left: 0, top: 0, width, height };
    let left = width, right = -1, top = height, bottom = -1;
    for (let y = 0, i = 0; y < height; ++y)
      for (let x = 0; x < width; ++x, ++i)
        if (colours[i] !== before[i]) {
          if (x < left) left = x;
          if (x > right) right = x;
          if (y < top) top = y;
          bottom = y;
        }
    return right < 0 ? { left: 0, top: 0, width: 1, height: 1 }
      : { left, top, width: right - left + 1, height: bottom - top + 1 };
  }

  private part(colours: Uint8Array, { left, top, width, height }: Box): Uint8Array {
    const part = new Uint8Array(width * height), { before } = this;
    for (let y = 0, k = 0; y < height; ++y)
      for (let x = 0, i = (top + y) * this.width + left; x < width; ++x, ++i, ++k)
        part[k] = before && before[i] === colours[i] ? transparent : colours[i];
    return part;
  }
}
