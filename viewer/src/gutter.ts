// One width of the vertical axes of all plots, so that a time stands at the same place in each.
import uPlot from "uplot";

export class Gutter {
  private wanted = new Map<uPlot, number>();
  private width = 0;

  /** The common width, given what one plot needs; if that changes it, the others follow. */
  fit(plot: uPlot, own: number): number {
    this.wanted.set(plot, own);
    const widest = Math.max(...this.wanted.values());
    if (widest !== this.width) {
      this.width = widest;
      queueMicrotask(() => this.spread(plot));
    }
    return widest;
  }

  private spread(from: uPlot): void {
    // Others are about to be drawn.
    for (const plot of this.wanted.keys()) if (plot !== from && plot.status === 1) plot.redraw(true, true);
  }
}
