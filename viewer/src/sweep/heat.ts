// A figure over two varied quantities: the mean of the cases in each cell.
import { el } from "../dom";
import { amount, withUnit } from "../format";
import { Box, makeBox } from "./box";
import { Cases, Column } from "./data";
import { rampKey } from "./scatter";
import { makeFrame, makeRamp, svg } from "./svg";

const mostListed = 64; // different values up to which each has cells of its own
const parts = 14;

/** The edges of cells along an axis: between neighbours of listed values, equal parts of others. */
function edgesOf({ values }: Column): number[] {
  const listed = [...new Set(values)].filter(Number.isFinite).sort((a, b) => a - b);
  if (listed.length === 0) return [];
  const half = (Math.abs(listed[0]) || 1) / 2;
  if (listed.length === 1) return [listed[0] - half, listed[0] + half];
  if (listed.length <= mostListed) {
    const middles = listed.slice(1).map((v, k) => (v + listed[k]) / 2);
    return [2 * listed[0] - middles[0], ...middles, 2 * listed[listed.length - 1] - middles[middles.length - 1]];
  }
  const low = listed[0], high = listed[listed.length - 1];
  return Array.from({ length: parts + 1 }, (_, k) => low + (k * (high - low)) / parts);
}

function cellOf(edges: number[], value: number): number {
  const next = edges.findIndex((edge) => value < edge);
  return next < 0 ? edges.length - 2 : Math.max(0, next - 1);
}

export function makeHeat(cases: Cases): Box {
  const key = el("p", { class: "colour-key" });
  const draw = (width: number) => {
    const { figure, x, y } = cases;
    if (!figure || !x || !y || x === y) return null;
    const xs = edgesOf(x), ys = edgesOf(y), columns = xs.length - 1, rows = ys.length - 1;
    if (columns < 1 || rows < 1) return null;
    const sums = new Float64Array(columns * rows), counts = new Float64Array(columns * rows);
    figure.values.forEach((value, k) => {
      if (!Number.isFinite(value)) return;
      const cell = cellOf(ys, y.values[k]) * columns + cellOf(xs, x.values[k]);
      sums[cell] += value;
      ++counts[cell];
    });
    const means = sums.map((sum, k) => (counts[k] ? sum / counts[k] : NaN));
    const known = means.filter(Number.isFinite);
    if (known.length === 0) return null;
    const low = Math.min(...known), high = Math.max(...known), ramp = makeRamp();
    const label = `Mean of ${figure.name} over ${x.name} and ${y.name}`;
    const linear = (column: Column, edges: number[]) =>
      ({ title: withUnit(column.name, column.unit), from: edges[0], to: edges[edges.length - 1] });
    const frame = makeFrame(label, width, 320, linear(x, xs), linear(y, ys));
    for (let r = 0; r < rows; ++r)
      for (let c = 0; c < columns; ++c) {
        const mean = means[r * columns + c];
        if (!Number.isFinite(mean)) continue;
        const left = frame.across(xs[c]), top = frame.up(ys[r + 1]), count = counts[r * columns + c];
        frame.inside.append(svg("rect", { x: left, y: top, width: frame.across(xs[c + 1]) - left + 0.4,
          height: frame.up(ys[r]) - top + 0.4, fill: ramp(high > low ? (mean - low) / (high - low) : 0.5) },
          svg("title", {}, `${amount(mean)}, ${count} ${count === 1 ? "case" : "cases"}`)));
      }
    key.replaceChildren(...rampKey(figure.name, low, high));
    return frame.element;
  };
  const title = () => `${cases.figure?.name}: mean over ${cases.x?.name} and ${cases.y?.name}`;
  return makeBox({ title, draw, after: key });
}
