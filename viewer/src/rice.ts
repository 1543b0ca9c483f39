// Numbers that go on smoothly, as multiples of a quantum whose differences of some order are written in Rice's code: in
// blocks, each number as ones for what is beyond k bits, and these. The program's packing.cpp writes them.

export interface Rice {
  rice: string;
  count: number;
  order: number;
  quantum: number;
  width?: number; // numbers of a row, which stand together
}

const block = 128, bitsOfK = 6, mostOnes = 24, whole = 52;

class BitReader {
  private place = 0; // in bits

  constructor(private bytes: Uint8Array) {}

  bit(): number {
    const { place } = this;
    this.place = place + 1;
    return ((this.bytes[place >> 3] ?? 0) >> (7 - (place & 7))) & 1;
  }

  /** More bits than an integer of JavaScript has: a double takes them all. */
  read(count: number): number {
    let value = 0;
    for (let left = count; left > 0; ) {
      const inByte = 8 - (this.place & 7), some = Math.min(left, inByte);
      const bits = ((this.bytes[this.place >> 3] ?? 0) >> (inByte - some)) & ((1 << some) - 1);
      value = value * (1 << some) + bits;
      this.place += some;
      left -= some;
    }
    return value;
  }
}

const unfolded = (u: number) => (u % 2 === 0 ? u / 2 : -(u + 1) / 2);

export function fromRice({ count, order, quantum, width = 1 }: Rice, bytes: Uint8Array): Float64Array {
  const reader = new BitReader(bytes), x = new Float64Array(count);
  let k = 0, scale = 1;
  for (let i = 0; i < count; ++i) {
    if (i % block === 0) {
      k = reader.read(bitsOfK);
      scale = 2 ** k;
    }
    let ones = 0;
    while (ones < mostOnes && reader.bit()) ++ones;
    x[i] = unfolded(ones === mostOnes ? reader.read(whole) : ones * scale + reader.read(k));
  }
  for (let p = 0; p < order; ++p) for (let i = width; i < count; ++i) x[i] += x[i - width];
  for (let i = 0; i < count; ++i) x[i] *= quantum;
  return x;
}
