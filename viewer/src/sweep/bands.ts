// A series of all cases over time: its median and the bands that hold the middle half and nine in ten.
import { decode } from "../data";
import { el } from "../dom";
import { withUnit } from "../format";
import { colour } from "../theme";
import { Box, makeBox } from "./box";
import { Cases } from "./data";
import { axisOf, makeFrame, point, svg } from "./svg";

export function makeBands(cases: Cases): Box | null {
  const bands = cases.sweep.bands ?? [];
  if (bands.length === 0) return null;
  const chooser = el("select", { "aria-label": "Series", change: () => box.draw() },
    ...bands.map(({ name }) => el("option", {}, name)));
  const of = (list: Float64Array[], p: number) => list[cases.sweep.probabilities.indexOf(p)];

  const draw = (width: number) => {
    const band = bands[chooser.selectedIndex], time = decode(band.time), lists = band.quantiles.map(decode);
    const all = Float64Array.from(lists.flatMap((list) => [...list]));
    const frame = makeFrame(`${band.name} over time, quantiles of all cases`, width, 320, axisOf("t [s]", time, true),
      { ...axisOf(withUnit(band.name, band.unit), all) });
    const line = (values: ArrayLike<number>, from: number, step: number) => {
      const out: string[] = [];
      for (let k = from; k >= 0 && k < time.length; k += step)
        if (Number.isFinite(values[k])) out.push(point(frame.across(time[k]), frame.up(values[k])));
      return out.join("L");
    };
    for (const [low, high, opacity] of [[0.05, 0.95, 0.22], [0.25, 0.75, 0.38]])
      frame.inside.append(svg("path", { fill: colour("curve-0"), "fill-opacity": opacity,
        d: `M${line(of(lists, low), 0, 1)}L${line(of(lists, high), time.length - 1, -1)}Z` }));
    for (const p of [0, 1])
      frame.inside.append(svg("path", { d: `M${line(of(lists, p), 0, 1)}`, stroke: colour("soft"),
        "stroke-dasharray": "3 3" }));
    const median = `M${line(of(lists, 0.5), 0, 1)}`;
    frame.inside.append(svg("path", { d: median, stroke: colour("curve-0"), "stroke-width": 2 }));
    return frame.element;
  };
  const title = () => `${bands[chooser.selectedIndex]?.name} over time: median, 25–75 %, 5–95 %, extremes`;
  const box = makeBox({ title, draw }, ...(bands.length > 1 ? [chooser] : []));
  return box;
}
