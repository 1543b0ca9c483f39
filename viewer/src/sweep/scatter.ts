// A figure over what was varied, a point for each case, coloured by another varied quantity; a click chooses a case.
import { el } from "../dom";
import { amount, withUnit } from "../format";
import { colour } from "../theme";
import { Box, makeBox } from "./box";
import { Cases } from "./data";
import { axisOf, makeFrame, makeRamp, point, svg } from "./svg";

const shades = 16;
const reach = 24; // pixels from the pointer, within which a case is meant

/** The key of a scale of colours. */
export function rampKey(name: string, low: number, high: number): Node[] {
  return [name, amount(low), el("i", { class: "ramp" }), amount(high)].map((part) =>
    typeof part === "string" ? el("span", {}, part) : part);
}

function extremes(values: Float64Array): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const v of values) if (Number.isFinite(v)) (low = Math.min(low, v)), (high = Math.max(high, v));
  return [low, high];
}

export function makeScatter(cases: Cases): Box {
  const key = el("p", { class: "colour-key" });
  const told = el("output", { class: "told" });
  let places: [number, number][] = [];

  const draw = (width: number) => {
    const { figure, x } = cases, other = cases.varied.length > 1 ? cases.y : undefined;
    if (!figure || !x) return null;
    const label = `${figure.name} over ${x.name}, ${cases.rows} cases`;
    const frame = makeFrame(label, width, 320, axisOf(withUnit(x.name, x.unit), x.values),
      axisOf(withUnit(figure.name, figure.unit), figure.values));
    const ramp = makeRamp(), [low, high] = other && other !== x ? extremes(other.values) : [0, 0];
    const coloured = other && other !== x && high > low;
    const paths = new Map<number, string[]>();
    places = [];
    for (let row = 0; row < cases.rows; ++row) {
      const a = frame.across(x.values[row]), b = frame.up(figure.values[row]);
      places.push([a, b]);
      if (!Number.isFinite(a + b)) continue;
      const shade = coloured ? Math.round(((other.values[row] - low) / (high - low)) * shades) : -1;
      const path = paths.get(shade) ?? [];
      path.push(`M${point(a, b)}h0`);
      paths.set(shade, path);
    }
    const size = cases.rows > 3000 ? 3 : cases.rows > 400 ? 4.5 : 6.5;
    for (const [shade, path] of paths)
      frame.inside.append(svg("path", { d: path.join(""), "stroke-width": size, "stroke-linecap": "round",
        "stroke-opacity": cases.rows > 400 ? 0.75 : 0.9,
        stroke: shade < 0 ? colour("curve-0") : ramp(shade / shades) }));
    const { row } = cases.chosen;
    if (row !== null && Number.isFinite(places[row][0] + places[row][1]))
      frame.inside.append(svg("circle", { cx: places[row][0], cy: places[row][1], r: 8, stroke: colour("ink"),
        "stroke-width": 2, class: "chosen" }));
    key.replaceChildren(...(coloured ? rampKey(other.name, low, high) : []));
    key.hidden = !coloured;

    const nearest = (event: MouseEvent) => {
      const at = frame.element.getBoundingClientRect(), px = event.clientX - at.left, py = event.clientY - at.top;
      let best = reach * reach, found: number | null = null;
      places.forEach(([a, b], row) => {
        const distance = (a - px) ** 2 + (b - py) ** 2;
        if (distance < best) (best = distance), (found = row);
      });
      return found as number | null;
    };
    frame.element.addEventListener("mousemove", (event) => {
      const row = nearest(event);
      frame.element.style.cursor = row === null ? "" : "pointer";
      const named = [x, ...(coloured ? [other] : []), figure];
      told.textContent = row === null ? "" : `case ${cases.numbers[row]}: ` +
        named.map(({ name, values }) => `${name} ${amount(values[row])}`).join(", ");
    });
    frame.element.addEventListener("click", (event) => cases.choose({ row: nearest(event) }));
    return frame.element;
  };
  return makeBox({ title: () => (cases.figure && cases.x ? `${cases.figure.name} over ${cases.x.name}` : ""), draw,
    after: el("div", {}, told, key) });
}
