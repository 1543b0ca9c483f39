// One plot: curves over a common axis, a legend with the values at the cursor, zoom by dragging.
import uPlot from "uplot";
import { decadeLabels, decades, decadeSplits, padded } from "./axes";
import { el } from "./dom";
import { number, ticks } from "./format";
import { Gutter } from "./gutter";
import { Legend } from "./legend";
import { Curve, Panel } from "./panels";
import { nearest } from "./search";
import { Stroke, strokesOf } from "./strokes";
import { colour, curveColour } from "./theme";

const height = 220;
const paper = { width: 680, height: 160 }; // about as wide as a page, and several below each other
const perCharacter = 7; // pixels, of the labels of axes
const gutter = new Gutter();
const bandOpacity = 0.16;
const clickSlack = 4; // pixels: less is a click, more is a drag

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
  const missing = (v: number) => Number.isNaN(v) || (log && v <= 0);
  const columns = curves.map(({ x, y }): uPlot.AlignedData => [
    Array.from(x),
    Array.from(y, (v) => (missing(v) ? null : v)),
  ]);
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
  private strokes: Stroke[];

  constructor(private options: ChartOptions) {
    const { curves } = options;
    this.strokes = strokesOf(curves);
    this.legend = new Legend(curves, (index, show) => this.toggle(index, show));
    const frame = el("div", { class: "frame", role: "img", "aria-label": this.describe() });
    this.element = el("figure", { class: "chart" }, el("figcaption", {}, options.title), this.legend.element, frame);
    this.plot = new uPlot(this.settings(), this.data(), frame);
    this.listen();
    this.fill(frame);
  }

  /** Moves the cursor and the legend to a place on the horizontal axis; outside the window there is no cursor. */
  show(x: number): void {
    if (!this.visible) return;
    this.legend.show(x);
    const { min, max } = this.plot.scales.x;
    const inside = x >= min! && x <= max!;
    this.plot.setCursor({ left: inside ? this.plot.valToPos(x, "x") : -10, top: -10 }, false);
  }

  /** The values of the curves changed; the cursor stays away until it is shown again, since uPlot moves the dots of
   *  another sample only. */
  renew(): void {
    this.plot.setCursor({ left: -10, top: -10 }, false);
    const drawn = this.plot.scales.x.min != null; // the first time uPlot finds the scales later
    this.plot.setData(this.data(), !drawn);
    if (drawn) this.plot.redraw();
  }

  /** The horizontal axis without zoom. */
  whole(): [number, number] {
    const x = this.plot.data[0];
    return this.options.span ?? [x[0], x[x.length - 1]];
  }

  zoom(min: number, max: number): void {
    const { scales } = this.plot;
    if (scales.x.min !== min || scales.x.max !== max) this.plot.setScale("x", { min, max });
  }

  private data(): uPlot.AlignedData {
    const { curves, log } = this.options;
    return table(
      this.strokes.map(({ curve }) => curves[curve]),
      log,
    );
  }

  private fill(frame: HTMLElement): void {
    let printing = false;
    const resize = () => this.plot.setSize(printing ? paper : { width: Math.max(200, frame.clientWidth), height });
    const print = (on: boolean) => {
      printing = on;
      resize();
    };
    new ResizeObserver(resize).observe(frame);
    addEventListener("beforeprint", () => print(true));
    addEventListener("afterprint", () => print(false));
  }

  private toggle(index: number, show: boolean): void {
    this.plot.batch(() =>
      this.strokes.forEach(({ curve }, i) => curve === index && this.plot.setSeries(i + 1, { show })),
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
    const { log, xLog, xTitle } = this.options;
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
    return {
      width: 400,
      height,
      legend: { show: false },
      padding: [8, () => Math.max(12, 4 + (perCharacter * lastLabel) / 2), 0, 0],
      scales: {
        x: {
          time: false,
          distr: xLog ? 3 : 1,
          range: xLog ? decades : (u, low, high) => this.horizontal(u, low, high),
        },
        y: { distr: log ? 3 : 1, range: log ? decades : (u, low, high) => this.vertical(u, low, high) },
      },
      axes: [
        { ...horizontal, values: labels, label: xTitle, labelSize: 18, labelFont: "12px system-ui, sans-serif" },
        { ...axis(widest), ...(log && logarithmic) },
      ],
      series: [{}, ...this.strokes.map((stroke) => this.series(stroke))],
      cursor: {
        y: false,
        drag: { x: true, y: false, dist: clickSlack },
        points: { size: 7, show: dot },
        bind: { mousemove: () => null } as uPlot.Cursor.Bind,
      },
      hooks: {
        setScale: [(u, key) => key === "x" && this.onZoom(u.scales.x.min!, u.scales.x.max!)],
        drawAxes: [(u) => this.drawBands(u)],
        draw: [(u) => this.drawEvents(u)],
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
    const banded = this.options.curves.filter((curve, index) => curve.band && this.shows(u, index));
    const [least, most] = extent(banded);
    if (!(least <= most)) return padded(u, low, high);
    return padded(u, Math.min(low ?? least, least), Math.max(high ?? most, most));
  }

  private shows(u: uPlot, index: number): boolean {
    return u.series[1 + this.strokes.findIndex(({ curve }) => curve === index)].show !== false;
  }

  private drawBands(u: uPlot): void {
    const { ctx, bbox } = u;
    this.options.curves.forEach(({ x, band, colour: index }, i) => {
      if (!band || !this.shows(u, i)) return;
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
      ctx.clip();
      ctx.beginPath();
      x.forEach((s, k) => ctx.lineTo(u.valToPos(s, "x", true), u.valToPos(band.high[k], "y", true)));
      for (let k = x.length - 1; k >= 0; --k)
        ctx.lineTo(u.valToPos(x[k], "x", true), u.valToPos(band.low[k], "y", true));
      ctx.closePath();
      ctx.globalAlpha = bandOpacity;
      ctx.fillStyle = curveColour(index);
      ctx.fill();
      ctx.restore();
    });
  }

  private series({ curve: index, width, dash }: Stroke): uPlot.Series {
    const curve = this.options.curves[index];
    return {
      stroke: () => curveColour(curve.colour),
      pxAlign: 0, // on whole pixels curves look like stairs
      width,
      dash,
      paths: curve.dotted ? () => null : curve.stepped ? uPlot.paths.stepped!({ align: 1 }) : undefined,
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

  /** A label that would stand on the one before, or leave the plot, is left out: the lines stay. */
  private drawEvents(u: uPlot): void {
    const { ctx, bbox } = u;
    const gap = 4 * devicePixelRatio;
    let free = bbox.left;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = colour("soft");
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([2, 4]);
    ctx.textAlign = "left";
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    for (const event of this.options.events) {
      const x = Math.round(u.valToPos(event.t, "x", true)) + 0.5;
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      const end = x + gap + ctx.measureText(event.label).width;
      if (x < free || end > bbox.left + bbox.width) continue;
      ctx.fillText(event.label, x + gap, bbox.top + 11 * devicePixelRatio);
      free = end + gap;
    }
    ctx.restore();
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
