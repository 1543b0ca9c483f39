// The end of the page: settings and model, folded, and how the page is used.
import { Detail, Report } from "./data";
import { el } from "./dom";
import { typeset } from "./format";
import { makeWords } from "./glossary";

function detail(item: Detail): HTMLDetailsElement {
  const content =
    "rows" in item
      ? el(
          "div",
          { class: "scroll" },
          el(
            "table",
            {},
            ...item.rows.map(([label, ...values]) =>
              el("tr", {}, el("th", { scope: "row" }, label), ...values.map((value) => el("td", {}, typeset(value)))),
            ),
          ),
        )
      : el("pre", { tabindex: 0 }, item.text);
  return el("details", {}, el("summary", {}, item.title), content);
}

/** Paper cannot be unfolded: what is short is shown there, long texts such as the model are not. */
export function unfoldForPrint(all: HTMLDetailsElement[]): void {
  let folded: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    folded = all.filter((details) => !details.open && details.querySelector("table, ul"));
    for (const details of folded) details.open = true;
  });
  addEventListener("afterprint", () => folded.forEach((details) => (details.open = false)));
}

function help(): HTMLElement {
  const key = (...names: string[]) =>
    names.flatMap((name, i) => (i ? [" ", el("kbd", {}, name)] : [el("kbd", {}, name)]));
  return el(
    "p",
    { class: "help" },
    ...key("Space"),
    " plays and pauses, ",
    ...key("←", "→"),
    " step (with ",
    ...key("Shift"),
    " ten), ",
    ...key("Home", "End"),
    " go to the ends, ",
    ...key("+", "−"),
    " change the speed, ",
    ...key("S"),
    " keeps a snapshot of this moment, ",
    ...key("M"),
    " (or a click with ",
    ...key("Shift"),
    ") sets a mark to measure from, ",
    ...key("R"),
    " resets zoom and view. ",
    "Drag across a plot to zoom in time, up or down to zoom in values, with ",
    ...key("Shift"),
    " a box; double click to reset; point at a plot to move the animation there. ",
    "Drag the picture to turn or move it; click it, then the wheel zooms.",
  );
}

export function makeFoot(report: Report): HTMLElement {
  const details = (report.details ?? []).map(detail);
  unfoldForPrint(details);
  return el(
    "footer",
    {},
    ...makeWords(report.documentation),
    ...(details.length ? [el("section", { class: "details" }, el("h2", {}, "Settings and model"), ...details)] : []),
    ...(report.runs.length ? [help()] : []),
    ...(report.version ? [el("p", { class: "version" }, report.version)] : []),
  );
}
