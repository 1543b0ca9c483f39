// A plot as an SVG picture, for papers: the curves in the window that is seen, with axes, ticks and a key.
import { decadeLabels, decades, decadeSplits } from "./axes";
import { ticks } from "./format";
import { colour, curveColour } from "./theme";

export interface Drawn {
  label: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  colour: number;
  dashed?: boolean;
  stepped?: boolean;
  dots?: boolean; // only
  free?: boolean; // goes anywhere in x
}

export interface Drawing {
  title: string;
  xTitle: string;
  yTitle?: string;
  curves: Drawn[];
  x: [number, number];
  y: [number, number];
  log?: boolean;
  xLog?: boolean;
  width?: number;
  height?: number;
}

export interface Svg {
  text: string;
  width: number;
  height: number;
  /** Where a value stands in it. */
  across(x: number): number;
  up(y: number): number;
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!);
const short = (value: number) => String(Math.round(value * 100) / 100);
const perCharacter = 6.6;

/** The ticks of an axis at 1, 2 or 5 times a power of ten. */
export function niceTicks(low: number, high: number, count: number): { splits: number[]; labels: string[] } {
  const rough = (high - low) / count || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough * 0.999)!;
  const from = Math.ceil(low / step - 1e-9), to = Math.floor(high / step + 1e-9);
  const splits = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => (from + i) * step);
  return { splits, labels: ticks(splits, step) };
}

function axisTicks(log: boolean | undefined, range: [number, number], count: number) {
  if (!log) return niceTicks(...range, count);
  const none = null as never; // what uPlot would give
  const splits = decadeSplits(none, 0, ...range);
  return { splits, labels: decadeLabels(none, splits) };
}

/** Of the points that share half a pixel, the first, lowest, highest and last. */
function thinned(places: [number, number][]): [number, number][] {
  if (places.length < 4000) return places;
  const kept: [number, number][] = [];
  for (let i = 0; i < places.length; ) {
    let end = i, low = i, high = i;
    for (; end < places.length && Math.floor(2 * places[end][0]) === Math.floor(2 * places[i][0]); ++end) {
      if (places[end][1] < places[low][1]) low = end;
      if (places[end][1] > places[high][1]) high = end;
    }
    for (const k of [...new Set([i, low, high, end - 1])].sort((a, b) => a - b)) kept.push(places[k]);
    i = end;
  }
  return kept;
}

export function svgPlot(d: Drawing): Svg {
  const { width = 640, height = 320 } = d;
  const xRange = d.xLog ? (decades(null as never, ...d.x) as [number, number]) : d.x;
  const horizontal = axisTicks(d.xLog, xRange, 8), vertical = axisTicks(d.log, d.y, 5);
  const widest = Math.max(3, ...vertical.labels.map((label) => label.length));
  const named = d.curves.length > 1;
  const left = 16 + perCharacter * widest + (d.yTitle ? 16 : 0), top = d.title || named ? (named ? 44 : 28) : 10;
  const right = width - 16, bottom = height - 40;
  const part = (log: boolean | undefined, [low, high]: [number, number]) => {
    const scale = (v: number) => (log ? Math.log10(v) : v), [a, b] = [scale(low), scale(high)];
    return (v: number) => (scale(v) - a) / (b - a || 1);
  };
  const px = part(d.xLog, xRange), py = part(d.log, d.y);
  const across = (x: number) => left + px(x) * (right - left), up = (y: number) => bottom - py(y) * (bottom - top);
  const soft = colour("soft"), ink = colour("ink"), grid = colour("grid");
  const out: string[] = [];
  const line = (x1: number, y1: number, x2: number, y2: number, stroke: string) =>
    out.push(`<path d="M${short(x1)} ${short(y1)}L${short(x2)} ${short(y2)}" stroke="${stroke}"/>`);
  const text = (x: number, y: number, words: string, rest = "") =>
    out.push(`<text x="${short(x)}" y="${short(y)}" ${rest}>${escaped(words)}</text>`);
  horizontal.splits.forEach((x, i) => {
    line(across(x), top, across(x), bottom, grid);
    text(across(x), bottom + 16, horizontal.labels[i], `fill="${soft}" text-anchor="middle"`);
  });
  vertical.splits.forEach((y, i) => {
    line(left, up(y), right, up(y), grid);
    text(left - 6, up(y) + 4, vertical.labels[i], `fill="${soft}" text-anchor="end"`);
  });
  out.push(`<clipPath id="inside"><rect x="${short(left)}" y="${short(top)}" width="${short(right - left)}" ` +
    `height="${short(bottom - top)}"/></clipPath>` +
    `<g clip-path="url(#inside)" stroke-width="1.75" stroke-linejoin="round">`);
  for (const curve of d.curves) out.push(curvePath(curve, d, across, up));
  out.push("</g>");
  text((left + right) / 2, height - 6, d.xTitle, `fill="${soft}" text-anchor="middle"`);
  if (d.yTitle)
    text(0, 0, d.yTitle, `fill="${soft}" text-anchor="middle" ` +
      `transform="translate(13 ${short((top + bottom) / 2)}) rotate(-90)"`);
  if (d.title) text(left, 17, d.title, `fill="${ink}" font-weight="600" font-size="13"`);
  let place = left;
  if (named)
    for (const { label, colour: index, dashed } of d.curves) {
      const room = 26 + perCharacter * label.length;
      if (place + room > right) break;
      out.push(`<path d="M${short(place)} 33h16" stroke="${curveColour(index)}" stroke-width="2.5"` +
        `${dashed ? ' stroke-dasharray="4 3"' : ""}/>`);
      text(place + 21, 37, label, `fill="${ink}"`);
      place += room + 8;
    }
  const body = `<rect width="${width}" height="${height}" fill="${colour("card")}"/>${out.join("")}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ` +
    `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="system-ui, sans-serif" font-size="12" fill="none">${body}</svg>`;
  return { text: svg, width, height, across, up };
}

function curvePath(curve: Drawn, d: Drawing, across: (x: number) => number, up: (y: number) => number): string {
  const { x, y, stepped, dashed, dots, free } = curve, [from, to] = d.x;
  const runs: [number, number][][] = [[]];
  for (let i = 0; i < x.length; ++i) {
    const value = d.log ? Math.abs(y[i]) : y[i];
    const outside = !free && ((i + 1 < x.length && x[i + 1] < from && x[i] < from)
      || (i > 0 && x[i - 1] > to && x[i] > to));
    if (outside) continue;
    if (!Number.isFinite(value) || (d.log && value === 0)) runs.push([]);
    else runs[runs.length - 1].push([across(x[i]), up(value)]);
  }
  const stroke = `stroke="${curveColour(curve.colour)}"`;
  if (dots)
    return runs.flat().map(([a, b]) =>
      `<circle cx="${short(a)}" cy="${short(b)}" r="1.5" fill="${curveColour(curve.colour)}"/>`).join("");
  const path = runs.filter((run) => run.length).map((run) => (free ? run : thinned(run)).map(([a, b], i) =>
    !i ? `M${short(a)} ${short(b)}` : stepped ? `H${short(a)}V${short(b)}`
      : `L${short(a)} ${short(b)}`).join("")).join("");
  return `<path d="${path}" ${stroke}${dashed ? ' stroke-dasharray="6 4"' : ""}/>`;
}
