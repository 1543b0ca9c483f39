// Any signal against any other of the same run: phase portraits, paths, force against way; a dot moves with the time.
import { Clock } from "./clock";
import { Run } from "./data";
import { el } from "./dom";
import { withUnit } from "./format";
import { Curve, Group } from "./panels";
import { makeMenu, menuItem } from "./menu";
import { fileName, quoted, rasterised, save } from "./save";
import { nearest } from "./search";
import { svgPlot, Svg } from "./svg_plot";
import { onTheme } from "./theme";

/** The curves of each column, one for each run that has it. */
function signalsOf(groups: Group[]): Map<string, Curve[]> {
  const signals = new Map<string, Curve[]>();
  for (const { panels } of groups)
    for (const { curves } of panels)
      for (const curve of curves)
        if (curve.name !== undefined && !curve.dashed) signals.set(curve.name, [...(signals.get(curve.name) ?? []),
          curve]);
  return signals;
}

/** A coordinate and its velocity, if there are such. */
function firstPair(names: string[]): [string, string] {
  const known = new Set(names);
  const moving = names.find((name) => known.has(`${name}'`));
  return moving ? [moving, `${moving}'`] : [names[0], names[1]];
}

const margin = 0.06;
function rangeOf(lists: Float64Array[]): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const list of lists)
    for (const v of list) if (Number.isFinite(v)) (low = Math.min(low, v)), (high = Math.max(high, v));
  if (!(low <= high)) return [-1, 1];
  const room = margin * (high - low) || Math.abs(high) || 1;
  return [low - room, high + room];
}

interface Pair {
  label: string;
  colour: number;
  time: Float64Array;
  x: Float64Array;
  y: Float64Array;
}

export function makePortrait(groups: Group[], runs: Run[], clock: Clock): HTMLElement | null {
  const signals = signalsOf(groups), names = [...signals.keys()];
  if (names.length < 2) return null;
  const picture = el("div", { class: "portrait", role: "img" });
  let pairs: Pair[] = [], drawn: Svg | null = null, dots: SVGCircleElement[] = [];
  const [firstX, firstY] = firstPair(names);

  const move = () => {
    if (!drawn || picture.closest("[hidden]")) return;
    pairs.forEach(({ time, x, y }, i) => {
      const k = nearest(time, clock.time), a = drawn!.across(x[k]), b = drawn!.up(y[k]);
      if (!Number.isFinite(a + b)) return;
      dots[i].setAttribute("cx", String(a));
      dots[i].setAttribute("cy", String(b));
    });
  };
  const draw = () => {
    const [xs, ys] = [across.value, up.value].map((name) => signals.get(name));
    if (!xs || !ys) return;
    const several = runs.length > 1;
    pairs = xs.flatMap((curve, i) => {
      const other = several ? ys.find(({ label }) => label === curve.label) : ys[i];
      return other && other.y.length === curve.y.length
        ? [{ label: curve.label, colour: several ? curve.colour : 0, time: curve.x, x: curve.y, y: other.y }] : [];
    });
    drawn = svgPlot({
      title: "",
      xTitle: withUnit(across.value, xs[0].unit),
      yTitle: withUnit(up.value, ys[0].unit),
      curves: pairs.map((pair) => ({ ...pair, free: true })),
      x: rangeOf(pairs.map(({ x }) => x)),
      y: rangeOf(pairs.map(({ y }) => y)),
      height: 420,
    });
    const parsed = new DOMParser().parseFromString(drawn.text, "image/svg+xml").documentElement;
    const dot = ({ colour }: Pair) => {
      const circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
      circle.setAttribute("r", "5");
      circle.setAttribute("style", `fill: var(--curve-${colour % 8})`);
      return circle;
    };
    dots = pairs.map(dot);
    picture.replaceChildren(document.importNode(parsed, true));
    picture.firstElementChild!.append(...dots);
    picture.setAttribute("aria-label", `Plot of ${up.value} over ${across.value}`);
    move();
  };
  const field = (label: string, value: string) =>
    el("input", { type: "search", "aria-label": label, list: "portrait-signals", value, change: draw });
  const across = field("Horizontal signal", firstX), up = field("Vertical signal", firstY);
  const list = el("datalist", { id: "portrait-signals" }, ...names.slice(0, 500).map((value) =>
    el("option", { value })));
  const name = (ending: string) => fileName(`${up.value}_over_${across.value}`, ending);
  const table = () => {
    const heads = pairs.map(({ label }) => (pairs.length > 1 ? `${label}: ` : ""));
    const lists = pairs.map(({ time, x, y }, i) => [
      ["t", `${heads[i]}${across.value}`, `${heads[i]}${up.value}`].map(quoted).join(","),
      ...Array.from(time, (t, k) => [t, x[k], y[k]].join(",")),
    ].join("\n"));
    return `${lists.join("\n\n")}\n`;
  };
  const tools = makeMenu("Tools of this plot", [
    menuItem("SVG", "as a picture for papers", () => drawn && save(name("svg"), drawn.text, "image/svg+xml")),
    menuItem("PNG", "as a picture of pixels", async () =>
      drawn && save(name("png"), await rasterised(drawn.text, drawn.width, drawn.height))),
    menuItem("CSV", "the rows of both signals", () => save(name("csv"), table(), "text/csv")),
  ]);
  clock.onChange(move);
  onTheme(draw);
  draw();
  return el("div", { class: "portrait-box" }, el("p", { class: "find" }, up, " over ", across, list, tools), picture);
}
