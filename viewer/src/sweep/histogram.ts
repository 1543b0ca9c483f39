// How often a figure takes which values, over all cases, with its quantiles.
import { amount, withUnit } from "../format";
import { colour } from "../theme";
import { Box, makeBox } from "./box";
import { Cases } from "./data";
import { makeFrame, point, svg } from "./svg";

export function makeHistogram(cases: Cases): Box {
  const draw = (width: number) => {
    const figure = cases.figure, h = figure?.histogram;
    if (!figure || !h || h.counts.length === 0) return null;
    const part = (h.to - h.from) / h.counts.length || Math.abs(h.from) / 10 || 1;
    const from = h.from === h.to ? h.from - part / 2 : h.from, to = h.from === h.to ? h.to + part / 2 : h.to;
    const label = `Histogram of ${figure.name}, ${figure.count} cases`;
    const frame = makeFrame(label, width, 320, { title: withUnit(figure.name, figure.unit), from, to },
      { title: "cases", from: 0, to: Math.max(...h.counts) * 1.06 });
    const bars = h.counts.map((count, k) => {
      const a = frame.across(from + k * part), b = frame.across(from + (k + 1) * part);
      if (!count) return "";
      const top = frame.up(count), gap = 0.5, foot = frame.bottom;
      return `M${point(a + gap, foot)}L${point(a + gap, top)}L${point(b - gap, top)}L${point(b - gap, foot)}Z`;
    });
    frame.inside.append(svg("path", { d: bars.join(""), fill: colour("curve-0"), "fill-opacity": 0.75 }));
    cases.sweep.probabilities.forEach((p, k) => {
      const value = figure.quantiles[k];
      if (value === null || ![0.05, 0.5, 0.95].includes(p)) return;
      const at = frame.across(value);
      frame.inside.append(
        svg("path", { d: `M${point(at, frame.top)}V${frame.bottom}`, stroke: colour("curve-1"),
          "stroke-width": 1.5, "stroke-dasharray": p === 0.5 ? "none" : "5 4" },
          svg("title", {}, `${p * 100} %: ${amount(value)}`)));
    });
    return frame.element;
  };
  return makeBox({ title: () => (cases.figure ? `How often: ${cases.figure.name} (lines: 5, 50, 95 %)` : ""), draw });
}
