// Few colours that stand for many: median cut [Heckbert, Color image quantization for frame buffer display, SIGGRAPH
// 1982]. Boxes of colours are halved where half of their pixels lie, the box first in which the most pixels lie the
// farthest apart; a colour is the mean of its box.

const bits = 5, levels = 1 << bits, cells = levels ** 3; // colours are counted so finely

const cellOf = (pixels: Uint8ClampedArray, i: number) =>
  ((pixels[i] >> 3) << (2 * bits)) | ((pixels[i + 1] >> 3) << bits) | (pixels[i + 2] >> 3);
const part = (cell: number, channel: number) => (cell >> (bits * (2 - channel))) & (levels - 1);

interface Box {
  cells: number[]; // that have pixels
  count: number;
  channel: number; // the longest side
  length: number;
}

export class Palette {
  private counts = new Float64Array(cells);
  private sums = new Float64Array(3 * cells); // red, green and blue of the pixels of each cell
  private colours: number[][] = [];
  private index = new Int16Array(cells).fill(-1);

  /** Learns the colours of a picture. */
  learn(pixels: Uint8ClampedArray): void {
    for (let i = 0; i < pixels.length; i += 4) {
      const cell = cellOf(pixels, i);
      ++this.counts[cell];
      for (let c = 0; c < 3; ++c) this.sums[3 * cell + c] += pixels[i + c];
    }
  }

  /** Makes at most so many colours of what was learned. */
  make(most: number): void {
    const used = Array.from(this.counts.keys()).filter((cell) => this.counts[cell] > 0);
    const boxes = [this.boxOf(used)];
    while (boxes.length < most) {
      const worst = boxes.reduce((a, b) => (weight(b) > weight(a) ? b : a));
      if (worst.length === 0) break;
      boxes.splice(boxes.indexOf(worst), 1, ...this.halves(worst));
    }
    this.colours = boxes.map((box) => this.mean(box));
  }

  /** Black beyond the last. */
  colour(index: number): number[] {
    return this.colours[index] ?? [0, 0, 0];
  }

  /** The nearest colour of each pixel. */
  nearest(pixels: Uint8ClampedArray): Uint8Array {
    const result = new Uint8Array(pixels.length / 4);
    for (let i = 0, k = 0; i < pixels.length; i += 4, ++k) {
      const cell = cellOf(pixels, i);
      if (this.index[cell] < 0) this.index[cell] = this.search(cell);
      result[k] = this.index[cell];
    }
    return result;
  }

  private search(cell: number): number {
    const count = this.counts[cell];
    const wanted = [0, 1, 2].map((c) => (count ? this.sums[3 * cell + c] / count : 8 * part(cell, c) + 4));
    let best = 0, least = Infinity;
    this.colours.forEach((colour, index) => {
      const far = colour.reduce((sum, value, c) => sum + (value - wanted[c]) ** 2, 0);
      if (far < least) [best, least] = [index, far];
    });
    return best;
  }

  private boxOf(own: number[]): Box {
    const count = own.reduce((sum, cell) => sum + this.counts[cell], 0);
    const lengths = [0, 1, 2].map((channel) => {
      let low = levels, high = 0;
      for (const cell of own) {
        low = Math.min(low, part(cell, channel));
        high = Math.max(high, part(cell, channel));
      }
      return Math.max(0, high - low);
    });
    const length = Math.max(...lengths);
    return { cells: own, count, channel: lengths.indexOf(length), length };
  }

  private halves({ cells: own, count, channel }: Box): Box[] {
    const sorted = [...own].sort((a, b) => part(a, channel) - part(b, channel));
    let before = 0, cut = 0;
    while (cut < sorted.length - 1 && (cut === 0 || 2 * before < count)) before += this.counts[sorted[cut++]];
    return [this.boxOf(sorted.slice(0, cut)), this.boxOf(sorted.slice(cut))];
  }

  private mean({ cells: own, count }: Box): number[] {
    return [0, 1, 2].map((c) => Math.round(own.reduce((sum, cell) => sum + this.sums[3 * cell + c], 0) / count));
  }
}

/** Backgrounds have most pixels and would get all colours if pixels counted in full. */
const weight = ({ count, length }: Box) => Math.sqrt(count) * length;
