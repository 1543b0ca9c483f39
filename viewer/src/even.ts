// What plots show under the zoom: the rows that all of the plot has, and between them those of the run at equal
// distances, as soon as the window holds few enough of these.
import { decode, Even, Values } from "./data";
import { Curve } from "./panels";
import { below } from "./search";

const most = 20000; // in the window
const beside = 1e-3; // of the distance: nearer to another row it is that row

/** Rows of a window: places in the list of the plot or, as −1 − place, among the even ones. */
interface Window {
  x: Float64Array;
  rows: Int32Array;
}

export class EvenRows {
  private time?: Float64Array;
  private columns: Map<string, { values: Values; reference?: Values }>;
  private last?: { from: number; to: number; window: Window | null };

  constructor(private data: Even, private plotted: Float64Array) {
    this.columns = new Map(data.columns.map((column) => [column.name, column]));
  }

  /** A column, or what it shall be, in a window; null if it has no more rows there. */
  refine(name: string, plotted: Float64Array, from: number, to: number,
    kind: "values" | "reference" = "values"): Float64Array | null {
    const window = this.rowsIn(from, to), values = this.columns.get(name)?.[kind];
    if (!window || !values) return null;
    const even = decode(values);
    return Float64Array.from(window.rows, (row) => (row >= 0 ? plotted[row] : even[-1 - row]));
  }

  times(from: number, to: number): Float64Array | null {
    return this.rowsIn(from, to)?.x ?? null;
  }

  private rowsIn(from: number, to: number): Window | null {
    if (this.last?.from !== from || this.last.to !== to) this.last = { from, to, window: this.merge(from, to) };
    return this.last.window;
  }

  private merge(from: number, to: number): Window | null {
    const { plotted } = this, even = (this.time ??= decode(this.data.time));
    // One row further on either side, so that curves reach the edges.
    const range = (list: Float64Array) => [below(list, from), Math.min(list.length, below(list, to) + 2)];
    const [a0, a1] = range(plotted), [b0, b1] = range(even);
    if (b1 - b0 > most || b1 - b0 <= 2) return null;
    const near = (beside * (even[b1 - 1] - even[b0])) / (b1 - b0);
    const x: number[] = [], rows: number[] = [];
    for (let a = a0, b = b0; a < a1 || b < b1; ) {
      const same = a < a1 && b < b1 && Math.abs(plotted[a] - even[b]) <= near;
      if (a < a1 && (same || b >= b1 || plotted[a] < even[b])) {
        if (same) ++b;
        x.push(plotted[a]);
        rows.push(a++);
      } else {
        x.push(even[b]);
        rows.push(-1 - b++);
      }
    }
    return { x: Float64Array.from(x), rows: Int32Array.from(rows) };
  }
}

const gap = 0.3; // of the range, between neighbouring rows: then lines between them would tell more than is known

/** The curve with all rows that are known of a window; itself if that is no more. */
export function refined(curve: Curve, from: number, to: number): Curve {
  const { even, name, of, rates } = curve, column = name ?? of;
  const x = even?.times(from, to);
  if (!even || !x || column === undefined) return curve;
  const y = even.refine(column, curve.y, from, to, name === undefined ? "reference" : "values");
  if (!y) return curve;
  const fineRates = rates && even.refine(`${column}'`, rates, from, to);
  return { ...curve, x, y, rates: fineRates ?? undefined, dotted: curve.dotted && !fineRates && jumps(y) };
}

function jumps(y: Float64Array): boolean {
  let low = Infinity, high = -Infinity, most = 0;
  for (let i = 0; i < y.length; ++i) {
    low = Math.min(low, y[i]);
    high = Math.max(high, y[i]);
    if (i > 0) most = Math.max(most, Math.abs(y[i] - y[i - 1]));
  }
  return most > gap * (high - low);
}
