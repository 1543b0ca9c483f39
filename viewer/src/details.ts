// The end of the page: settings and model, folded, and how the page is used.
import { Detail, Report } from "./data";
import { el } from "./dom";

function detail(item: Detail): HTMLElement {
  const content = "rows" in item
    ? el("div", { class: "scroll" }, el("table", {}, ...item.rows.map(([label, ...values]) =>
      el("tr", {}, el("th", { scope: "row" }, label), ...values.map((value) => el("td", {}, value))))))
    : el("pre", { tabindex: 0 }, item.text);
  return el("details", {}, el("summary", {}, item.title), content);
}

function help(): HTMLElement {
  const key = (...names: string[]) => names.flatMap((name, i) => (i ? [" ", el("kbd", {}, name)] : [el("kbd", {}, name)]));
  return el("p", { class: "help" },
    ...key("Space"), " plays and pauses, ", ...key("←", "→"), " step (with ", ...key("Shift"), " ten), ",
    ...key("Home", "End"), " go to the ends, ", ...key("+", "−"), " change the speed, ",
    ...key("S"), " keeps a snapshot of this moment, ", ...key("R"), " resets zoom and view. ",
    "Drag in a plot to zoom, double click to reset; point at a plot to move the animation there. ",
    "Drag the picture to turn or move it; click it, then the wheel zooms.");
}

export function makeFoot(report: Report): HTMLElement {
  return el("footer", {},
    ...(report.details?.length ? [el("section", { class: "details" }, el("h2", {}, "Settings and model"), ...report.details.map(detail))] : []),
    ...(report.runs.length ? [help()] : []),
    ...(report.version ? [el("p", { class: "version" }, report.version)] : []));
}
