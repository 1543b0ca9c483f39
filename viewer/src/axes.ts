// The ranges and ticks of the axes of a plot, linear and logarithmic.
import uPlot from "uplot";
import { number } from "./format";

const flat = 1e-10; // a relative span below which a curve is rounding noise about a constant
const mostShown = 1e20; // the ratio of the largest to the smallest value on a logarithmic axis
const mostLabels = 7; // of decades
const subdivided = 3; // decades, up to which an axis also has lines in between
const lowest = -307, highest = 308; // powers of ten that a double holds to full precision

export function padded(_: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax {
  if (low === null || high === null) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const margin = high - low > flat * size ? 0.06 * (high - low) : size > 0 ? 0.1 * size : 1;
  return [low - margin, high + margin];
}

const power = (exponent: number, digit = 1) => Number(`${digit}e${exponent}`);

/** Whole decades. */
export function decades(_: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax {
  if (low === null || high === null || !(high > 0)) return [0.1, 1];
  const from = Math.max(lowest, Math.floor(Math.log10(Math.max(low, high / mostShown)) + 1e-9));
  const to = Math.min(highest, Math.max(Math.ceil(Math.log10(high) - 1e-9), from + 1));
  return [power(Math.min(from, to - 1)), power(to)];
}

/** Adding up steps, as uPlot does, never gets to the end where a step is lost in rounding: here they are counted. */
export function decadeSplits(_: uPlot, __: number, low: number, high: number): number[] {
  const from = Math.round(Math.log10(low)), to = Math.round(Math.log10(high));
  const digits = to - from > subdivided ? [1] : [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const inner = Array.from({ length: to - from }, (_, i) => digits.map((digit) => power(from + i, digit)));
  return [...inner.flat(), power(to)];
}

/** Labels at powers of ten, at so many of them as there is room for. */
export function decadeLabels(_: uPlot, splits: number[]): string[] {
  const exponents = splits.map((v) => Math.round(Math.log10(v) * 1e6) / 1e6);
  const every = Math.ceil(exponents.filter(Number.isInteger).length / mostLabels);
  return exponents.map((e, i) => (Number.isInteger(e) && e % every === 0 ? number(splits[i]) : ""));
}
