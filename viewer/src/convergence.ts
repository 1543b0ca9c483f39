// Error against step on logarithmic axes, with lines of the expected slopes.
import { Chart } from "./chart";
import { Convergence, decode } from "./data";
import { el } from "./dom";
import { Curve } from "./panels";
import { onTheme } from "./theme";
import { addTools } from "./tools";
import { Watch } from "./visibility";

/** Samples with positive coordinates in ascending x, which is what a logarithmic axis can show. */
function sorted(x: Float64Array, y: Float64Array): { x: Float64Array; y: Float64Array } {
  const pairs = Array.from(x, (value, i) => [value, y[i]])
    .filter(([a, b]) => a > 0 && b > 0)
    .sort((a, b) => a[0] - b[0]);
  return { x: Float64Array.from(pairs, (p) => p[0]), y: Float64Array.from(pairs, (p) => p[1]) };
}

/** y ~ x^order through the largest step, where rounding plays no part, as far down as there are errors. */
function slope(curve: Curve, order: number): Curve {
  const last = curve.x.length - 1;
  const least = Math.min(...curve.y) / 3;
  const y = curve.x.map((x) => curve.y[last] * (x / curve.x[last]) ** order).map((v) => (v < least ? NaN : v));
  return { ...curve, y, label: `order ${order}`, dashed: true, dots: false };
}

export function makeConvergence(data: Convergence): HTMLElement {
  const curves = data.series.flatMap((series, index): Curve[] => {
    const curve: Curve = {
      ...sorted(decode(series.x), decode(series.y)),
      label: series.name,
      colour: index,
      dots: true,
    };
    return series.order !== undefined && curve.x.length > 1 ? [curve, slope(curve, series.order)] : [curve];
  });
  const chart = new Chart({ title: data.y, xTitle: data.x, xLog: true, log: true, curves, events: [] });
  new Watch(() => {}).add(chart);
  addTools(chart, false);
  onTheme(() => chart.redraw());
  return el(
    "section",
    { class: "group convergence" },
    el("h2", {}, "Convergence"),
    el("div", { class: "charts" }, chart.element),
  );
}
