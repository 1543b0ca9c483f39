// Plots that nobody sees are not drawn again while the motion plays.
import { Chart } from "./chart";

export function watchVisibility(charts: Chart[], refresh: (chart: Chart) => void): void {
  const byElement = new Map(charts.map((chart) => [chart.element as Element, chart]));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const chart = byElement.get(entry.target)!;
        chart.visible = entry.isIntersecting;
        refresh(chart);
      }
    },
    { rootMargin: "200px" },
  );
  for (const chart of charts) observer.observe(chart.element);
  addEventListener("beforeprint", () =>
    charts.forEach((chart) => {
      chart.visible = true;
      refresh(chart);
    }),
  );
}
