// The top of the page: what was asked, the verdict, the key figures, and what to beware of.
import { Figure, Report } from "./data";
import { unfoldForPrint } from "./details";
import { el, icon } from "./dom";
import { amount, breakable, typeset } from "./format";
import { explained } from "./glossary";
import { runName } from "./run_name";
import { makeTable } from "./table";
import { toggleTheme } from "./theme";

const tasks: Record<string, string> = {
  simulate: "Simulation",
  invert: "Inverse dynamics",
  optimize: "Optimal control",
  control: "Control",
  equilibrium: "Equilibrium",
  check: "Check of the model",
  compare: "Comparison",
  sweep: "Sweep",
};
const halfMoon = "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 5a7 7 0 0 1 0 14z";

const figure = ({ label, value, unit, note }: Figure): HTMLElement => {
  const text = typeof value === "string" ? typeset(value) : amount(value);
  const shown = el("span", { class: typeof value === "string" ? "amount" : "amount whole" }, text);
  return el(
    "div",
    { class: "figure" },
    el("dt", {}, ...explained(label)),
    el(
      "dd",
      {},
      shown,
      ...(unit && unit !== "1" ? [el("span", { class: "unit" }, unit)] : []),
      ...(note ? [el("small", {}, note)] : []),
    ),
  );
};

function runsList(report: Report): HTMLElement {
  return el(
    "ul",
    { class: "runs", "aria-label": "Runs compared" },
    ...report.runs.map((run, index) => {
      const note = run.note ? [el("span", {}, run.note)] : [];
      return el("li", {}, ...runName(run, index, el("b", {}, run.name)), ...note);
    }),
  );
}

function notices(report: Report): HTMLElement[] {
  const out: HTMLElement[] = [];
  if (report.status !== "complete")
    out.push(
      el(
        "p",
        { class: "notice bad", role: "alert" },
        el("b", {}, report.status === "failed" ? "Failed. " : "Incomplete. "),
        typeset(report.message ?? "The run stopped before its end; what was computed is shown."),
      ),
    );
  if (report.warnings?.length)
    out.push(
      el(
        "div",
        { class: "notice", role: "note" },
        el("b", {}, report.warnings.length > 1 ? "Warnings" : "Warning"),
        el("ul", {}, ...report.warnings.map((text) => el("li", {}, typeset(text)))),
      ),
    );
  return out;
}

const manyLetters = 420; // of what is told: more is folded, so that the motion is not far below

/** All that the terminal said. */
function told(texts: string[]): HTMLElement[] {
  if (!texts.length) return [];
  const list = el("ul", { class: "said", "aria-label": "What the run told" },
    ...texts.map((text) => el("li", {}, typeset(text))));
  if (texts.join("").length < manyLetters) return [list];
  const fold = el("details", { class: "told" },
    el("summary", {}, `All that the run told (${texts.length} ${texts.length > 1 ? "lines" : "line"})`), list);
  unfoldForPrint([fold]);
  return [fold];
}

const narrowest = 150; // of a card, pixels

/** Rows of equal length, as far as numbers allow: nine are five and four, not eight and one. */
function cards(figures: HTMLElement[]): HTMLElement {
  const list = el("dl", { class: "figures", style: `--count: ${figures.length}` }, ...figures);
  new ResizeObserver(() => {
    const most = Math.max(1, Math.floor(list.clientWidth / narrowest));
    const columns = Math.ceil(figures.length / Math.ceil(figures.length / most));
    list.style.setProperty("--columns", String(columns));
  }).observe(list);
  return list;
}

export function makeHead(report: Report): HTMLElement {
  const label = "Switch between light and dark";
  const theme = el(
    "button",
    { type: "button", class: "theme", "aria-label": label, title: label, click: toggleTheme },
    icon(halfMoon),
  );
  const task = Object.hasOwn(tasks, report.task) ? tasks[report.task] : report.task;
  const single = report.runs.length === 1 ? report.runs[0].note : undefined;
  return el(
    "header",
    {},
    el("div", { class: "top" }, el("p", { class: "task" }, task, ...(single ? [" · ", single] : [])), theme),
    el("h1", {}, ...breakable(report.name).flatMap((part, i) => (i ? [el("wbr"), part] : [part]))),
    el("p", { class: "verdict" }, typeset(report.verdict)),
    ...told(report.said ?? []),
    ...notices(report),
    ...(report.table ? [makeTable(report.table, report.runs)] : report.runs.length > 1 ? [runsList(report)] : []),
    ...(report.figures?.length
      ? [cards(report.figures.map(figure))]
      : []),
  );
}
