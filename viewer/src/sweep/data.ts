// What a sweep found, as the program writes it into the page (README.md), and the same decoded.
import { decode, Values } from "../data";

export interface Histogram {
  from: number;
  to: number;
  counts: number[];
}

export interface SweepColumn {
  name: string;
  unit?: string;
  values: Values;
  drawn?: boolean;
  count: number;
  mean: number | null;
  deviation: number | null;
  quantiles: (number | null)[];
  histogram: Histogram;
}

export type Interval = [value: number | null, low: number | null, high: number | null];

export interface Sensitivity {
  base_samples: number;
  drawn: string[];
  figures: { name: string; first_order: Interval[]; total: Interval[] }[];
}

export interface Band {
  name: string;
  unit?: string;
  time: Values;
  quantiles: Values[];
}

export interface Failure {
  status: string;
  reason: string;
  count: number;
  cases: number[];
}

export interface Sweep {
  cases: number;
  shown?: Values;
  probabilities: number[];
  varied: SweepColumn[];
  figures: SweepColumn[];
  status: Values;
  pearson: (number | null)[][];
  spearman: (number | null)[][];
  sensitivity?: Sensitivity;
  bands?: Band[];
  failures: Failure[];
  command: string;
  folder: string;
  reports?: Record<string, string>;
}

export interface Column extends Omit<SweepColumn, "values"> {
  values: Float64Array;
}

const ofColumn = /\.(end|min|max|peak|mean|rms)$/;

/** Is it the same in all cases, but for rounding? */
export function isConstant({ mean, deviation }: Column): boolean {
  return !((deviation ?? 0) > 1e-12 * Math.abs(mean ?? 0));
}

/** What is shown first: a figure that varies, rather of a column of the motion than of how it was computed. */
function firstOf(figures: Column[]): number {
  const places = figures.map((_, k) => k).filter((k) => !isConstant(figures[k]));
  return places.find((k) => ofColumn.test(figures[k].name)) ?? places[0] ?? 0;
}

/** The table of the page: a row for each case that is shown. */
export class Cases {
  readonly varied: Column[];
  readonly figures: Column[];
  readonly numbers: Float64Array; // of the cases
  readonly status: Float64Array;
  readonly chosen: { figure: number; x: number; y: number; row: number | null };
  private listeners: (() => void)[] = [];

  constructor(readonly sweep: Sweep) {
    const column = (given: SweepColumn): Column => ({ ...given, values: decode(given.values) });
    this.varied = sweep.varied.map(column);
    this.figures = sweep.figures.map(column);
    this.status = decode(sweep.status);
    this.numbers = sweep.shown ? decode(sweep.shown) : Float64Array.from(this.status, (_, k) => k);
    this.chosen = { figure: firstOf(this.figures), x: 0, y: Math.min(1, this.varied.length - 1), row: null };
  }

  get rows(): number {
    return this.numbers.length;
  }
  get figure(): Column | undefined {
    return this.figures[this.chosen.figure];
  }
  get x(): Column | undefined {
    return this.varied[this.chosen.x];
  }
  get y(): Column | undefined {
    return this.varied[this.chosen.y];
  }

  choose(change: Partial<Cases["chosen"]>): void {
    Object.assign(this.chosen, change);
    for (const listener of this.listeners) listener();
  }
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** What computes a case once more. */
  command(row: number): string {
    const set = this.varied.map(({ name, values }) => ` --set ${quoted(`${name}=${values[row]}`)}`);
    return this.sweep.command + set.join("");
  }
  report(row: number): string | undefined {
    return this.sweep.reports?.[String(this.numbers[row])];
  }
}

/** One word for a shell. */
export const quoted = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
