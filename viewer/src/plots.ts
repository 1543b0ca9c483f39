// All plots over time: one zoom, one cursor, and that cursor is the time of the animation.
import { Chart } from "./chart";
import { Clock } from "./clock";
import { Run } from "./data";
import { el } from "./dom";
import { Group } from "./panels";
import { onTheme } from "./theme";

const slug = (index: number) => `plots-${index}`;

function makeCharts(group: Group, clock: Clock): Chart[] {
  return group.panels.map(
    (panel) => new Chart({ ...panel, xTitle: "t [s]", range: [clock.from - 0.5, clock.to + 0.5] }),
  );
}

/** Playing would repaint plots nobody sees. */
function watchVisibility(charts: Chart[], clock: Clock): void {
  const byElement = new Map(charts.map((chart) => [chart.element as Element, chart]));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const chart = byElement.get(entry.target)!;
        chart.visible = entry.isIntersecting;
        chart.show(clock.time);
      }
    },
    { rootMargin: "200px" },
  );
  for (const chart of charts) observer.observe(chart.element);
  addEventListener("beforeprint", () =>
    charts.forEach((chart) => {
      chart.visible = true;
      chart.show(clock.time);
    }),
  );
}

function link(charts: Chart[], clock: Clock): void {
  let zooming = false;
  for (const chart of charts) {
    chart.onHover = (t) => clock.playing || clock.seek(t);
    chart.onClick = (t) => clock.seek(t);
    chart.onZoom = (min, max) => {
      if (zooming) return;
      zooming = true;
      for (const other of charts) if (other !== chart) other.zoom(min, max);
      zooming = false;
      for (const other of charts) other.show(clock.time);
    };
  }
  clock.onChange(() => charts.forEach((chart) => chart.show(clock.time)));
}

export interface Plots {
  element: HTMLElement;
  resetZoom(): void;
}

const counted = (count: number) => count.toLocaleString("en");

/** How much of long results is drawn. */
function rowsNote(runs: Run[]): HTMLElement[] {
  const texts = runs.flatMap(({ name, rows }) =>
    rows ? [`${runs.length > 1 ? `${name}: ` : ""}${counted(rows.shown)} of ${counted(rows.of)} rows shown`] : [],
  );
  return texts.length
    ? [
        el(
          "p",
          { class: "rows" },
          `${texts.join("; ")}: extremes and others evenly between them. The table of the result holds all.`,
        ),
      ]
    : [];
}

export function makePlots(groups: Group[], runs: Run[], clock: Clock): Plots {
  const charts: Chart[] = [];
  const sections = groups.map((group, index) => {
    const own = makeCharts(group, clock);
    charts.push(...own);
    return el(
      "section",
      { class: "group", id: slug(index) },
      el("h2", {}, group.title),
      el("div", { class: "charts" }, ...own.map((chart) => chart.element)),
    );
  });
  link(charts, clock);
  watchVisibility(charts, clock);
  onTheme(() => charts.forEach((chart) => chart.plot.redraw(false)));

  const contents = el(
    "nav",
    { class: "contents", "aria-label": "Plots" },
    ...groups.map((group, index) => el("a", { href: `#${slug(index)}` }, group.title)),
  );
  return {
    element: el("div", { class: "plots" }, ...(groups.length > 1 ? [contents] : []), ...rowsNote(runs), ...sections),
    resetZoom: () => charts[0]?.zoom(clock.from, clock.to),
  };
}
