// All plots over time: one zoom, one cursor, which is the time of the animation, and one mark to measure from.
import { Chart } from "./chart";
import { Clock } from "./clock";
import { el } from "./dom";
import { number } from "./format";
import { Panel } from "./panels";
import { onTheme } from "./theme";
import { addTools } from "./tools";
import { Watch } from "./visibility";

export class Board {
  readonly status = el("p", { class: "measure", "aria-live": "polite" });
  private charts = new Map<Panel, Chart>();
  private watch: Watch;
  private window?: [number, number];
  private mark: number | null = null;

  constructor(readonly clock: Clock) {
    this.watch = new Watch((chart) => chart.show(clock.time));
    clock.onChange(() => {
      for (const chart of this.charts.values()) chart.show(clock.time);
      this.tell();
    });
    onTheme(() => this.charts.forEach((chart) => chart.redraw()));
    this.status.hidden = true;
  }

  /** The plot of a panel, always the same one. */
  chartOf(panel: Panel): Chart {
    const found = this.charts.get(panel);
    if (found) return found;
    const { clock } = this;
    const chart = new Chart({ ...panel, xTitle: "t [s]", range: [clock.from - 0.5, clock.to + 0.5] });
    chart.onHover = (t) => clock.playing || clock.seek(t);
    chart.onClick = (t) => clock.seek(t);
    chart.onMark = (t) => this.setMark(t);
    chart.onZoom = (min, max) => this.zoom(min, max);
    chart.onReset = () => this.reset();
    if (this.window) chart.zoom(...this.window);
    chart.setMark(this.mark);
    addTools(chart);
    this.charts.set(panel, chart);
    this.watch.add(chart);
    return chart;
  }

  zoom(min: number, max: number): void {
    this.window = [min, max];
    for (const chart of this.charts.values()) {
      chart.zoom(min, max);
      chart.show(this.clock.time);
    }
  }

  reset(): void {
    this.window = undefined;
    for (const chart of this.charts.values()) {
      chart.reset();
      chart.show(this.clock.time);
    }
  }

  /** A mark at the time shown; taken away if it is there already. */
  toggleMark(): void {
    this.setMark(this.mark === this.clock.time ? null : this.clock.time);
  }

  private setMark(t: number | null): void {
    this.mark = t;
    for (const chart of this.charts.values()) {
      chart.setMark(t);
      chart.show(this.clock.time);
    }
    this.tell();
  }

  private tell(): void {
    this.status.hidden = this.mark === null;
    if (this.mark === null) return;
    const span = this.clock.time - this.mark;
    const often = span ? ` (1/Δt = ${number(Math.abs(1 / span), 4)} Hz)` : "";
    this.status.textContent =
      `Δ is the difference to the mark at t = ${number(this.mark, 6)} s, Δt = ${number(span, 6)} s${often}`;
  }
}
