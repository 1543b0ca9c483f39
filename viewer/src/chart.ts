// One plot: curves over a common axis, a legend with the values at the cursor, zoom by dragging. What uPlot draws is
// made when it is first looked at: a page may have a thousand plots.
import uPlot from "uplot";
import { decadeLabels, decades, decadeSplits, padded } from "./axes";
import { drawBands, drawEvents, drawMark } from "./chart_marks";
import { cubicPaths } from "./cubic";
import { el } from "./dom";
import { refined } from "./even";
import { number, ticks } from "./format";
import { Gutter } from "./gutter";
import { Legend } from "./legend";
import { Curve, Panel } from "./panels";
import { nearest } from "./search";
import { Stroke, strokesOf } from "./strokes";
import { colour, curveColour } from "./theme";
import { Box, listenTo } from "./zoom_box";

const height = 220;
const paper = { width: 680, height: 150 }; // about as wide as a page, and several below each other
const perCharacter = 7; // pixels, of the labels of axes
const gutter = new Gutter();
const away = { left: -10, top: -10 }; // of the cursor

export interface ChartOptions extends Panel {
  xTitle: string;
  xLog?: boolean;
  range?: [number, number];
  span?: [number, number]; // of the horizontal axis, beyond the samples
}

function extent(curves: Curve[]): [number, number] {
  let low = Infinity,
    high = -Infinity;
  for (const { y, band } of curves)
    for (const values of [y, band?.low ?? [], band?.high ?? []])
      for (const value of values) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
  return [low, high];
}

/** NaN means a gap, undefined (made by join) a time that belongs to another run. */
function table(curves: Curve[], log: boolean): uPlot.AlignedData {
  const shown = (v: number) => (Number.isNaN(v) || (log && v === 0) ? null : log ? Math.abs(v) : v);
  const columns = curves.map(({ x, y }): uPlot.AlignedData => [Array.from(x), Array.from(y, shown)]);
  if (columns.every(([x]) => x === columns[0][0] || sameTimes(x, columns[0][0])))
    return [columns[0][0], ...columns.map((column) => column[1])];
  return uPlot.join(columns);
}

const sameTimes = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  a.length === b.length && Array.prototype.every.call(a, (value: number, i: number) => value === b[i]);

export class Chart {
  readonly element: HTMLElement;
  plot?: uPlot;
  onHover: (x: number) => void = (x) => this.show(x);
  onClick: (x: number) => void = () => {};
  onMark: (x: number) => void = () => {};
  onZoom: (min: number, max: number) => void = () => {};
  onReset: () => void = () => this.reset();
  visible = false;
  log: boolean;
  private window?: [number, number]; // of the horizontal axis, where it is zoomed
  private upright?: [number, number]; // of the vertical one
  private mark: number | null = null;
  private hidden = new Set<number>();
  private frame: HTMLElement;
  private legend: Legend;
  private strokes: Stroke[];
  private finest?: [number, number]; // the window whose rows the curves have
  /** As they are drawn: with more rows under the zoom. */
  curves: Curve[];

  constructor(readonly options: ChartOptions) {
    const { curves } = options;
    this.log = options.log;
    this.curves = curves;
    this.strokes = strokesOf(curves);
    this.legend = new Legend(curves, (index, show) => this.toggle(index, show));
    this.frame = el("div", { class: "frame", role: "img", "aria-label": this.describe() });
    this.element = el("figure", { class: "chart" }, el("figcaption", {}, options.title), this.legend.element,
      this.frame);
    this.fill();
  }

  /** Makes what is drawn, once it is needed. */
  build(): uPlot {
    this.refine();
    if (this.plot) return this.plot;
    const plot = (this.plot = new uPlot(this.settings(), this.data(), this.frame));
    if (this.window) plot.setScale("x", { min: this.window[0], max: this.window[1] });
    const value = (pixels: number, axis: "x" | "y") => plot.posToVal(pixels, axis);
    const sample = (pixels: number) => {
      const x = value(pixels, "x"), times = plot.data[0] as number[];
      return times.length ? times[nearest(times, x)] : x;
    };
    listenTo(plot.over, {
      point: (x) => this.onHover(sample(x)),
      click: (x, shift) => (shift ? this.onMark(sample(x)) : this.onClick(sample(x))),
      choose: (box) => this.choose(box, value),
      reset: () => this.onReset(),
    });
    return plot;
  }

  /** Moves the cursor and the legend to a place on the horizontal axis; outside the window there is no cursor. */
  show(x: number): void {
    if (!this.visible) return;
    this.legend.show(x, this.mark);
    if (!this.plot) return;
    const { min, max } = this.plot.scales.x;
    const inside = x >= min! && x <= max!;
    this.plot.setCursor(inside ? { left: this.plot.valToPos(x, "x"), top: away.top } : away, false);
  }

  /** A second place: the legend tells the differences to it. */
  setMark(x: number | null): void {
    this.mark = x;
    if (this.visible) this.redraw();
  }

  redraw(): void {
    this.plot?.redraw(false);
  }

  /** The values of the curves changed; the cursor stays away until it is shown again, since uPlot moves the dots of
   *  another sample only. */
  renew(): void {
    const { plot } = this;
    if (!plot) return;
    plot.setCursor(away, false);
    const drawn = plot.scales.x.min != null; // the first time uPlot finds the scales later
    plot.setData(this.data(), !drawn);
    if (drawn) plot.redraw();
  }

  /** The horizontal axis without zoom. */
  whole(): [number, number] {
    const { span, curves } = this.options;
    const ends = curves.flatMap(({ x }) => (x.length ? [x[0], x[x.length - 1]] : []));
    return span ?? [Math.min(...ends), Math.max(...ends)];
  }

  /** What is seen of the horizontal axis. */
  seen(): [number, number] {
    return this.window ?? this.whole();
  }

  /** What is seen of the vertical axis. */
  heights(): [number, number] {
    const { min, max } = this.build().scales.y;
    return [min!, max!];
  }

  shows(index: number): boolean {
    return !this.hidden.has(index);
  }

  zoom(min: number, max: number): void {
    this.window = [min, max];
    if (this.visible) this.refine();
    if (!this.plot) return;
    const { scales } = this.plot;
    if (scales.x.min !== min || scales.x.max !== max) this.plot.setScale("x", { min, max });
  }

  /** All of both axes. */
  reset(): void {
    this.upright = undefined;
    this.window = undefined;
    if (this.visible) this.refine();
    this.plot?.setData(this.plot.data, true);
  }

  /** Takes the rows of the window where there are more than in all of the plot; draws it anew if that changes it. */
  private refine(): void {
    const { window, options } = this;
    if (window?.[0] === this.finest?.[0] && window?.[1] === this.finest?.[1]) return;
    this.finest = window;
    const curves = window ? options.curves.map((curve) => refined(curve, ...window)) : options.curves;
    const changed = curves.some((curve, i) => curve !== this.curves[i]);
    this.curves = curves;
    if (!changed) return;
    this.legend.use(curves);
    this.rebuild();
  }

  private rebuild(): void {
    if (!this.plot) return;
    this.plot.destroy();
    this.plot = undefined;
    this.build();
  }

  /** The same curves with the other kind of vertical axis: of absolute values on a logarithmic one. */
  setLog(log: boolean): void {
    this.log = log;
    this.upright = undefined;
    this.plot?.destroy();
    this.plot = undefined;
    if (this.visible) this.build();
  }

  private choose({ x, y }: Box, value: (pixels: number, axis: "x" | "y") => number): void {
    if (y) {
      this.upright = [value(y[1], "y"), value(y[0], "y")];
      if (!x) this.plot!.setScale("y", { min: this.upright[0], max: this.upright[1] });
    }
    if (!x) return;
    const window: [number, number] = [value(x[0], "x"), value(x[1], "x")];
    this.zoom(...window);
    this.onZoom(...window);
  }

  private data(): uPlot.AlignedData {
    return table(
      this.strokes.map(({ curve }) => this.curves[curve]),
      this.log,
    );
  }

  private fill(): void {
    let printing = false;
    const resize = () => {
      const full = document.fullscreenElement === this.element;
      const tall = full ? Math.max(height, innerHeight - this.frame.offsetTop - 48) : height;
      this.plot?.setSize(printing ? paper : { width: Math.max(200, this.frame.clientWidth), height: tall });
    };
    const print = (on: boolean) => {
      printing = on;
      resize();
      if (on) this.plot?.setCursor(away, false);
    };
    new ResizeObserver(resize).observe(this.frame);
    this.element.addEventListener("fullscreenchange", resize);
    addEventListener("beforeprint", () => this.element.isConnected && print(true));
    addEventListener("afterprint", () => this.element.isConnected && print(false));
  }

  private toggle(index: number, show: boolean): void {
    if (show) this.hidden.delete(index);
    else this.hidden.add(index);
    this.plot?.batch(() =>
      this.strokes.forEach(({ curve }, i) => curve === index && this.plot!.setSeries(i + 1, { show })),
    );
  }

  private describe(): string {
    const { curves, title, xTitle } = this.options;
    const ranges = curves
      .filter((curve) => !curve.dashed)
      .map((curve) => {
        const [low, high] = extent([curve]);
        return low <= high
          ? `${curve.label} from ${number(low, 3)} to ${number(high, 3)}`
          : `${curve.label} without values`;
      });
    return `Plot over ${xTitle}. ${title} ${ranges.join("; ")}.`;
  }

  private settings(): uPlot.Options {
    const { xLog, xTitle, curves, events } = this.options, { log } = this;
    const axis = (size: number | ((u: uPlot, values: string[] | null) => number)) => ({
      stroke: () => colour("soft"),
      font: "12px system-ui, sans-serif",
      grid: { stroke: () => colour("grid"), width: 1 },
      ticks: { show: false },
      size: size as number,
      values: (_: uPlot, splits: (number | null)[], __: number, ___: number, increment: number) =>
        ticks(splits, increment),
    });
    const logarithmic = { splits: decadeSplits, values: decadeLabels, filter: (_: uPlot, splits: number[]) => splits };
    const widest = (u: uPlot, values: string[] | null) =>
      gutter.fit(u, 18 + perCharacter * Math.max(3, ...(values ?? []).map((v) => v?.length ?? 0)));
    const dot = (_: uPlot, series: number) => (this.strokes[series - 1].again ? false : el("div")) as HTMLElement;
    const horizontal = { ...axis(30), ...(xLog && logarithmic) };
    let lastLabel = 0; // its length: half of it stands beside the plot
    const labels: uPlot.Axis.DynamicValues = (...arguments_) => {
      const texts = (horizontal.values as uPlot.Axis.DynamicValues)(...arguments_) as string[];
      lastLabel = texts.filter((text) => text !== "").pop()?.length ?? 0;
      return texts;
    };
    const nothing = () => null;
    return {
      width: Math.max(200, this.frame.clientWidth || 400),
      height,
      legend: { show: false },
      padding: [8, () => Math.max(12, 4 + (perCharacter * lastLabel) / 2), 0, 0],
      scales: {
        x: {
          time: false,
          distr: xLog ? 3 : 1,
          range: xLog ? decades : (u, low, high) => this.horizontal(u, low, high),
        },
        y: { distr: log ? 3 : 1, range: (u, low, high) => this.vertical(u, low, high) },
      },
      axes: [
        { ...horizontal, values: labels, label: xTitle, labelSize: 18, labelFont: "12px system-ui, sans-serif" },
        { ...axis(widest), ...(log && logarithmic) },
      ],
      series: [{}, ...this.strokes.map((stroke) => this.series(stroke))],
      cursor: {
        y: false,
        drag: { x: false, y: false },
        points: { size: 7, show: dot },
        bind: { mousemove: nothing, mousedown: nothing, mouseup: nothing, dblclick: nothing } as uPlot.Cursor.Bind,
      },
      hooks: {
        drawAxes: [(u) => drawBands(u, curves, (index) => this.shows(index))],
        draw: [
          (u) => drawEvents(u, events),
          (u) => this.mark !== null && drawMark(u, this.mark),
        ],
      },
    };
  }

  /** All samples are shown with all of the span; a single one, for which uPlot shows a hundred seconds, with the range
   *  around it. */
  private horizontal(u: uPlot, low: number, high: number): uPlot.Range.MinMax {
    const { range, span } = this.options;
    const [first, last] = [u.data[0][0], u.data[0][u.data[0].length - 1]];
    if (first === last) return span ?? range ?? [low, high];
    return span && low === first && high === last ? span : [low, high];
  }

  /** With the bands, so that the axis stays while the curves move. */
  private vertical(u: uPlot, low: number | null, high: number | null): uPlot.Range.MinMax {
    if (this.upright) return this.upright;
    if (this.log) return decades(u, low, high);
    const banded = this.options.curves.filter((curve, index) => curve.band && this.shows(index));
    const [least, most] = extent(banded);
    if (!(least <= most)) return padded(u, low, high);
    return padded(u, Math.min(low ?? least, least), Math.max(high ?? most, most));
  }

  private series({ curve: index, width, dash }: Stroke): uPlot.Series {
    const curve = this.curves[index];
    const smooth = curve.rates && !this.log ? cubicPaths(curve.x, curve.rates) : undefined;
    return {
      stroke: () => curveColour(curve.colour),
      pxAlign: 0, // on whole pixels curves look like stairs
      width,
      dash,
      show: this.shows(index),
      paths: curve.dotted ? () => null : curve.stepped ? uPlot.paths.stepped!({ align: 1 }) : smooth,
      points: {
        show: this.showsPoints(curve),
        size: curve.dotted ? 3 : curve.sparse ? 4 : 6,
        width: curve.dotted ? 0 : undefined,
        fill: () => curveColour(curve.colour),
      },
    };
  }

  /** Where rows were left out, those that are there show as points as soon as there is room between them: uPlot decides
   *  if it is told nothing. */
  private showsPoints({ dots, dotted, sparse }: Curve): boolean | undefined {
    return dots || dotted || (sparse ? undefined : false);
  }
}
