// What a figure depends on: Sobol indices with their confidence, and correlations, a row for each varied quantity.
import { el } from "../dom";
import { amount } from "../format";
import { swatch } from "../swatch";
import { colour, curveColour } from "../theme";
import { Box, makeBox } from "./box";
import { Cases, Interval } from "./data";
import { makeFrame, svg } from "./svg";

interface Bars {
  label: string;
  names: string[];
  /** Of each kind, for each name. */
  kinds: { name: string; values: Interval[] }[];
  from: number;
  to: number;
}

function drawBars(width: number, { label, names, kinds, from, to }: Bars): SVGSVGElement {
  const room = Math.max(24, Math.min(56, 240 / names.length)), height = 44 + names.length * room;
  const frame = makeFrame(label, width, height, { title: "", from, to }, { title: "", from: 0, to: 1 }, names);
  const zero = frame.across(0), row = (frame.bottom - frame.top) / names.length, thick = (row * 0.66) / kinds.length;
  kinds.forEach(({ name, values }, kind) =>
    values.forEach(([value, low, high], k) => {
      if (value === null || !Number.isFinite(value)) return;
      const top = frame.top + k * row + row * 0.17 + kind * thick, middle = top + thick / 2;
      const end = frame.across(Math.max(from, Math.min(to, value)));
      const spread = low !== null ? ` (${amount(low)} to ${amount(high)})` : "";
      const words = `${names[k]}, ${name}: ${amount(value)}${spread}`;
      frame.inside.append(svg("rect", { x: Math.min(zero, end), y: top, width: Math.abs(end - zero), height: thick - 1,
        fill: curveColour(kind), "fill-opacity": 0.8 }, svg("title", {}, words)));
      if (low === null || high === null) return;
      const [a, b] = [low, high].map((v) => frame.across(Math.max(from, Math.min(to, v))).toFixed(1));
      frame.inside.append(svg("path", { stroke: colour("ink"), "stroke-width": 1.25,
        d: `M${a} ${middle}H${b}M${a} ${middle - 3}v6M${b} ${middle - 3}v6` }));
    }));
  frame.inside.append(svg("path", { d: `M${zero.toFixed(1)} ${frame.top}V${frame.bottom}`, stroke: colour("soft") }));
  return frame.element;
}

const legend = (...names: string[]) =>
  el("p", { class: "key" }, ...names.map((name, k) => el("span", {}, swatch(k), ` ${name}`)));

export function makeSensitivity(cases: Cases): Box {
  const draw = (width: number) => {
    const found = cases.sweep.sensitivity, of = found?.figures.find(({ name }) => name === cases.figure?.name);
    if (!found || !of) return null;
    const all = [...of.first_order, ...of.total].flat().filter((v): v is number => v !== null);
    const kinds = [{ name: "first order", values: of.first_order }, { name: "total", values: of.total }];
    return drawBars(width, { label: `Sobol indices of ${of.name}`, names: found.drawn, kinds,
      from: Math.min(0, ...all), to: Math.max(1, ...all) });
  };
  const count = cases.sweep.sensitivity?.base_samples ?? 0;
  const title = () =>
    `Share of the variance of ${cases.figure?.name}: Sobol indices, 95 % confidence, ${count} base samples`;
  return makeBox({ title, draw, after: legend("by itself (first order)", "with all it acts together with (total)") });
}

export function makeCorrelation(cases: Cases): Box {
  const draw = (width: number) => {
    if (!cases.figure) return null;
    const { figure: k } = cases.chosen, plain = (row: (number | null)[]) => row.map((v): Interval => [v, null, null]);
    const kinds = [{ name: "of ranks", values: plain(cases.sweep.spearman[k]) },
      { name: "linear", values: plain(cases.sweep.pearson[k]) }];
    const names = cases.varied.map(({ name }) => name);
    return drawBars(width, { label: `Correlations of ${cases.figure.name}`, names, kinds, from: -1, to: 1 });
  };
  return makeBox({ title: () => `Correlation with ${cases.figure?.name}`, draw,
    after: legend("of ranks (Spearman)", "linear (Pearson)") });
}
