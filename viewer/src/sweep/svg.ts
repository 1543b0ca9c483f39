// Elements of pictures, and what all of them share: places on axes, ticks, colours of a scale.
import { colour } from "../theme";
import { decadeLabels, decadeSplits } from "../axes";
import { niceTicks } from "../svg_plot";

const space = "http://www.w3.org/2000/svg";

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(space, tag);
  for (const [key, value] of Object.entries(attributes))
    element.setAttribute(key, typeof value === "number" ? String(Math.round(value * 100) / 100) : value);
  element.append(...children);
  return element;
}

/** In a path. */
export const point = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;

export interface Axis {
  title: string;
  from: number;
  to: number;
  log?: boolean;
}

/** Of values: with room at the ends, logarithmic where they are positive over more than three powers of ten. */
export function axisOf(title: string, values: ArrayLike<number>, tight = false): Axis {
  let low = Infinity, high = -Infinity;
  for (let k = 0; k < values.length; ++k)
    if (Number.isFinite(values[k])) (low = Math.min(low, values[k])), (high = Math.max(high, values[k]));
  if (!(low <= high)) return { title, from: 0, to: 1 };
  if (low > 0 && high / low > 1e3) return { title, from: low / 1.2, to: high * 1.2, log: true };
  if (low === high) return { title, from: low - (Math.abs(low) || 1) / 2, to: high + (Math.abs(high) || 1) / 2 };
  const room = tight ? 0 : 0.04 * (high - low);
  return { title, from: low - room, to: high + room };
}

export interface Frame {
  element: SVGSVGElement;
  /** What lies between the axes. */
  inside: SVGGElement;
  across(x: number): number;
  up(y: number): number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const perCharacter = 6.6;

function ticksOf({ from, to, log }: Axis, count: number): { splits: number[]; labels: string[] } {
  if (!log) return niceTicks(from, to, count);
  const none = null as never;
  const splits = decadeSplits(none, 0, 10 ** Math.floor(Math.log10(from)), 10 ** Math.ceil(Math.log10(to)))
    .filter((v) => v >= from && v <= to);
  return { splits, labels: decadeLabels(none, splits) };
}

const placed = ({ from, to, log }: Axis, first: number, last: number) => {
  const scale = (v: number) => (log ? Math.log10(v) : v), low = scale(from), span = scale(to) - low || 1;
  return (v: number) => first + ((scale(v) - low) / span) * (last - first);
};

/** Axes with their titles and a grid; `named` are labels in place of numbers up the side. */
export function makeFrame(label: string, width: number, height: number, x: Axis, y: Axis, named?: string[]): Frame {
  const horizontal = ticksOf(x, Math.max(2, Math.floor(width / 90)));
  const vertical = named ? { splits: [], labels: named } : ticksOf(y, Math.max(2, Math.floor(height / 48)));
  const most = named ? Math.floor((0.4 * width) / perCharacter) : 12;
  const widest = Math.max(2, ...vertical.labels.map((text) => Math.min(most, text.length)));
  const left = 14 + perCharacter * widest + (y.title ? 18 : 0), right = width - 12;
  const top = 10, bottom = height - (x.title ? 40 : 24);
  const across = placed(x, left, right), up = placed(y, bottom, top);
  const soft = colour("soft"), grid = colour("grid");
  const element = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-size": 12, fill: "none",
    "font-family": "system-ui, sans-serif", role: "img", "aria-label": label });
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    element.append(svg("path", { d: `M${point(x1, y1)}L${point(x2, y2)}`, stroke: grid }));
  const text = (at: number, height_: number, words: string, anchor: string) =>
    element.append(svg("text", { x: at, y: height_, fill: soft, "text-anchor": anchor }, words));
  horizontal.splits.forEach((value, k) => {
    line(across(value), top, across(value), bottom);
    text(across(value), bottom + 16, horizontal.labels[k], "middle");
  });
  vertical.splits.forEach((value, k) => {
    line(left, up(value), right, up(value));
    text(left - 6, up(value) + 4, vertical.labels[k], "end");
  });
  named?.forEach((words, k) => {
    const shown = words.length > most ? `${words.slice(0, most - 1)}…` : words;
    text(left - 8, top + ((k + 0.5) * (bottom - top)) / named.length + 4, shown, "end");
  });
  if (x.title) text((left + right) / 2, height - 6, x.title, "middle");
  if (y.title)
    element.append(svg("text", { fill: soft, "text-anchor": "middle",
      transform: `translate(13 ${((top + bottom) / 2).toFixed(1)}) rotate(-90)` }, y.title));
  const inside = svg("g");
  element.append(inside);
  return { element, inside, across, up, left, right, top, bottom };
}

const channels = (hex: string) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));

/** From light to dark as the part grows from 0 to 1: the colours of the scale of loads. */
export function makeRamp(): (part: number) => string {
  const stops = [0, 1, 2, 3, 4].map((k) => channels(colour(`load-${k}`)));
  return (part) => {
    const last = stops.length - 1, place = Math.max(0, Math.min(1, part)) * last;
    const k = Math.min(last - 1, Math.floor(place));
    const mixed = stops[k].map((low, c) => Math.round(low + (place - k) * (stops[k + 1][c] - low)));
    return `rgb(${mixed.join(",")})`;
  };
}
