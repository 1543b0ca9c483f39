// One plot: curves over a common axis, a legend with the values at the cursor, zoom by dragging.
import uPlot from "uplot";
import { decadeLabels, decades, decadeSplits, padded } from "./axes";
import { el } from "./dom";
import { number, ticks } from "./format";
import { Legend } from "./legend";
import { Curve, Panel } from "./panels";
import { nearest } from "./search";
import { colour, curveColour } from "./theme";

const height = 220;
const clickSlack = 4; // pixels: less is a click, more is a drag

export interface ChartOptions extends Panel {
  xTitle: string;
  xLog?: boolean;
  range?: [number, number];
}

function extent(curves: Curve[]): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const curve of curves)
    for (const value of curve.y) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  return [low, high];
}

/** NaN means a gap, undefined (made by join) a time that belongs to another run. */
function table(curves: Curve[], log: boolean): uPlot.AlignedData {
  const missing = (v: number) => Number.isNaN(v) || (log && v <= 0);
  const columns = curves.map(({ x, y }): uPlot.AlignedData => [Array.from(x), Array.from(y, (v) => (missing(v) ? null : v))]);
  if (columns.every(([x]) => x === columns[0][0] || sameTimes(x, columns[0][0])))
    return [columns[0][0], ...columns.map((column) => column[1])];
  return uPlot.join(columns);
}

const sameTimes = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  a.length === b.length && Array.prototype.every.call(a, (value: number, i: number) => value === b[i]);

export class Chart {
  readonly element: HTMLElement;
  readonly plot: uPlot;
  onHover: (x: number) => void = (x) => this.show(x);
  onClick: (x: number) => void = () => {};
  onZoom: (min: number, max: number) => void = () => {};
  visible = true;
  private legend: Legend;

  constructor(private options: ChartOptions) {
    const { curves } = options;
    this.legend = new Legend(curves, (index, show) => this.plot.setSeries(index + 1, { show }));
    const frame = el("div", { class: "frame", role: "img", "aria-label": this.describe() });
    this.element = el("figure", { class: "chart" }, el("figcaption", {}, options.title), this.legend.element, frame);
    this.plot = new uPlot(this.settings(), table(curves, options.log), frame);
    this.listen();
    new ResizeObserver(() => this.plot.setSize({ width: Math.max(200, frame.clientWidth), height })).observe(frame);
  }

  /** Moves the cursor and the legend to a place on the horizontal axis. */
  show(x: number): void {
    if (!this.visible) return;
    this.legend.show(x);
    this.plot.setCursor({ left: this.plot.valToPos(x, "x"), top: -10 }, false);
  }

  zoom(min: number, max: number): void {
    const { scales } = this.plot;
    if (scales.x.min !== min || scales.x.max !== max) this.plot.setScale("x", { min, max });
  }

  private describe(): string {
    const { curves, title, xTitle } = this.options;
    const ranges = curves.filter((curve) => !curve.dashed).map((curve) => {
      const [low, high] = extent([curve]);
      return low <= high ? `${curve.label} from ${number(low, 3)} to ${number(high, 3)}` : `${curve.label} without values`;
    });
    return `Plot over ${xTitle}. ${title} ${ranges.join("; ")}.`;
  }

  private settings(): uPlot.Options {
    const { curves, log, xLog, xTitle, range } = this.options;
    const axis = (size: number | ((u: uPlot, values: string[] | null) => number)) => ({
      stroke: () => colour("soft"),
      font: "12px system-ui, sans-serif",
      grid: { stroke: () => colour("grid"), width: 1 },
      ticks: { show: false },
      size: size as number,
      values: (_: uPlot, splits: (number | null)[], __: number, ___: number, increment: number) => ticks(splits, increment),
    });
    const logarithmic = { splits: decadeSplits, values: decadeLabels, filter: (_: uPlot, splits: number[]) => splits };
    const widest = (_: uPlot, values: string[] | null) => 18 + 7 * Math.max(3, ...(values ?? []).map((v) => v?.length ?? 0));
    return {
      width: 400,
      height,
      legend: { show: false },
      padding: [8, 12, 0, 0],
      scales: {
        x: { time: false, distr: xLog ? 3 : 1, range: xLog ? decades : range && ((_, low, high) => (low === high ? range : [low, high])) },
        y: { distr: log ? 3 : 1, range: log ? decades : padded },
      },
      axes: [
        { ...axis(30), label: xTitle, labelSize: 18, labelFont: "12px system-ui, sans-serif", ...(xLog && logarithmic) },
        { ...axis(widest), ...(log && logarithmic) },
      ],
      series: [{}, ...curves.map((curve) => this.series(curve))],
      cursor: { y: false, drag: { x: true, y: false, dist: clickSlack }, points: { size: 7 }, bind: { mousemove: () => null } as uPlot.Cursor.Bind },
      hooks: {
        setScale: [(u, key) => key === "x" && this.onZoom(u.scales.x.min!, u.scales.x.max!)],
        draw: [(u) => this.drawEvents(u)],
      },
    };
  }

  private series(curve: Curve): uPlot.Series {
    return {
      stroke: () => curveColour(curve.colour),
      pxAlign: 0, // on whole pixels curves look like stairs
      width: curve.dashed ? 1.25 : 1.75,
      dash: curve.dashed ? [6, 4] : undefined,
      paths: curve.stepped ? uPlot.paths.stepped!({ align: 1 }) : undefined,
      points: { show: curve.dots ?? false, size: 6, fill: () => curveColour(curve.colour) },
    };
  }

  private drawEvents(u: uPlot): void {
    const { ctx, bbox } = u;
    for (const event of this.options.events) {
      const x = Math.round(u.valToPos(event.t, "x", true)) + 0.5;
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.save();
      ctx.strokeStyle = ctx.fillStyle = colour("soft");
      ctx.lineWidth = devicePixelRatio;
      ctx.setLineDash([2, 4]);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
      const right = x > bbox.left + bbox.width / 2;
      ctx.textAlign = right ? "right" : "left";
      ctx.fillText(event.label, x + (right ? -4 : 4), bbox.top + 11 * devicePixelRatio);
      ctx.restore();
    }
  }

  /** A pointer chooses the nearest sample; a drag with the mouse zooms, which uPlot does by itself. */
  private listen(): void {
    const { over } = this.plot;
    let pressed = NaN;
    const sample = (event: PointerEvent) => {
      const x = this.plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x");
      const times = this.plot.data[0] as number[];
      return times.length ? times[nearest(times, x)] : x;
    };
    over.addEventListener("pointerdown", (event) => (pressed = event.clientX));
    over.addEventListener("pointermove", (event) => this.onHover(sample(event)));
    over.addEventListener("pointerup", (event) => {
      if (Math.abs(event.clientX - pressed) < clickSlack) this.onClick(sample(event));
    });
  }
}
