// Plots that nobody sees are not made, and not drawn again while the motion plays.
import { Chart } from "./chart";

export class Watch {
  private charts = new Map<Element, Chart>();
  private observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const chart = this.charts.get(entry.target);
        if (!chart) continue;
        chart.visible = entry.isIntersecting;
        if (!chart.visible) continue;
        chart.build();
        this.refresh(chart);
      }
    },
    { rootMargin: "200px" },
  );

  constructor(private refresh: (chart: Chart) => void) {
    addEventListener("beforeprint", () => {
      for (const [element, chart] of this.charts) {
        if (!element.isConnected || element.closest("[hidden]")) continue;
        chart.visible = true;
        chart.build();
        this.refresh(chart);
      }
    });
  }

  add(chart: Chart): void {
    this.charts.set(chart.element, chart);
    this.observer.observe(chart.element);
  }

  remove(chart: Chart): void {
    this.charts.delete(chart.element);
    this.observer.unobserve(chart.element);
  }
}
