// All plots over time: one zoom, one cursor, and that cursor is the time of the animation.
import { makeAlong } from "./along";
import { Chart } from "./chart";
import { Clock } from "./clock";
import { Run } from "./data";
import { el } from "./dom";
import { Group } from "./panels";
import { onTheme } from "./theme";
import { watchVisibility } from "./visibility";

const slug = (index: number) => `plots-${index}`;

function makeCharts(group: Group, clock: Clock): Chart[] {
  return group.panels.map(
    (panel) => new Chart({ ...panel, xTitle: "t [s]", range: [clock.from - 0.5, clock.to + 0.5] }),
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

interface Chapter {
  title: string;
  content: HTMLElement;
}

/** What moves a mechanism and what holds it, then what it bears along its beams, then the rest. */
const first = ["outputs", "errors", "inputs", "reactions"];

export function makePlots(groups: Group[], runs: Run[], clock: Clock): Plots {
  const charts: Chart[] = [];
  const overTime = (group: Group): Chapter => {
    const own = makeCharts(group, clock);
    charts.push(...own);
    return { title: group.title, content: el("div", { class: "charts" }, ...own.map((chart) => chart.element)) };
  };
  const alongs = makeAlong(runs, clock);
  const chapters = [
    ...groups.filter(({ key }) => first.includes(key)).map(overTime),
    ...alongs.map(({ title, element }): Chapter => ({ title, content: element })),
    ...groups.filter(({ key }) => !first.includes(key)).map(overTime),
  ];
  const sections = chapters.map(({ title, content }, index) =>
    el("section", { class: "group", id: slug(index) }, el("h2", {}, title), content),
  );
  link(charts, clock);
  watchVisibility(charts, (chart) => chart.show(clock.time));
  onTheme(() => charts.forEach((chart) => chart.plot.redraw(false)));

  const contents = el(
    "nav",
    { class: "contents", "aria-label": "Plots" },
    ...chapters.map(({ title }, index) => el("a", { href: `#${slug(index)}` }, title)),
  );
  return {
    element: el("div", { class: "plots" }, ...(chapters.length > 1 ? [contents] : []), ...rowsNote(runs), ...sections),
    resetZoom: () => {
      charts[0]?.zoom(clock.from, clock.to);
      alongs.forEach((along) => along.resetZoom());
    },
  };
}
