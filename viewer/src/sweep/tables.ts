// Cases by name: the worst ones, the one that is chosen, those that failed and why.
import { el } from "../dom";
import { amount, number } from "../format";
import { Cases, Column, isConstant } from "./data";

const mostWorst = 10;
type Order = "largest" | "smallest" | "farthest from the median";

function worstRows(cases: Cases, order: Order): number[] {
  const figure = cases.figure;
  if (!figure) return [];
  const sorted = Float64Array.from(figure.values.filter(Number.isFinite)).sort();
  const median = sorted[sorted.length >> 1];
  const rank = { largest: (v: number) => -v, smallest: (v: number) => v,
    "farthest from the median": (v: number) => -Math.abs(v - median) }[order];
  return Array.from(figure.values.keys()).filter((row) => Number.isFinite(figure.values[row]))
    .sort((a, b) => rank(figure.values[a]) - rank(figure.values[b])).slice(0, mostWorst);
}

function copyButton(text: () => string): HTMLElement {
  const button = el("button", { type: "button", class: "quiet", click: async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "copied";
    } catch {
      button.textContent = "select the line and copy it";
    }
    setTimeout(() => (button.textContent = "copy"), 2000);
  } }, "copy");
  return button;
}

/** The command that computes a case once more, or a link to its report where there is one. */
function wayTo(cases: Cases, row: number): HTMLElement {
  const report = cases.report(row);
  if (report) return el("a", { href: report }, "report");
  return el("button", { type: "button", class: "quiet", click: (event: Event) => {
    event.stopPropagation();
    cases.choose({ row });
    document.querySelector(".chosen-case")?.scrollIntoView();
  } }, "how to see it");
}

export function makeWorst(cases: Cases): HTMLElement {
  const orders: Order[] = ["largest", "smallest", "farthest from the median"];
  const chooser = el("select", { "aria-label": "Which cases", change: () => fill() },
    ...orders.map((order) => el("option", {}, order)));
  const box = el("div", { class: "results", role: "region", "aria-label": "The worst cases", tabindex: 0 });
  const fill = () => {
    const rows = worstRows(cases, orders[chooser.selectedIndex]), figure = cases.figure;
    const names = [figure?.name ?? "", ...cases.varied.map(({ name }) => name)];
    const head = el("tr", {}, el("th", { scope: "col" }, "case"),
      ...names.map((name) => el("th", { scope: "col", class: "amounts" }, name)), el("th", { scope: "col" }, ""));
    const body = rows.map((row) => {
      const line = el("tr", { class: row === cases.chosen.row ? "chosen" : "",
        click: () => cases.choose({ row }) },
        el("th", { scope: "row" }, String(cases.numbers[row])),
        el("td", { class: "amounts" }, el("b", {}, amount(figure!.values[row]))),
        ...cases.varied.map(({ values }) => el("td", { class: "amounts" }, amount(values[row]))),
        el("td", {}, wayTo(cases, row)));
      return line;
    });
    box.replaceChildren(el("table", {}, el("thead", {}, head), el("tbody", {}, ...body)));
  };
  cases.onChange(fill);
  fill();
  return el("section", { class: "group" }, el("h2", {}, "Worst cases"),
    el("p", { class: "rows" }, "By the figure above, the ", chooser), box);
}

/** All that is known of one case, and how to look into it. */
export function makeChosen(cases: Cases): HTMLElement {
  const box = el("section", { class: "group chosen-case", "aria-live": "polite" });
  const fill = () => {
    const { row } = cases.chosen;
    box.hidden = row === null;
    if (row === null) return;
    const line = (name: string, value: number) =>
      el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "amounts" }, number(value, 10)));
    const report = cases.report(row), stored = `invar report ${cases.sweep.folder} --case ${cases.numbers[row]}`;
    const command = (text: string) => el("p", { class: "command" }, el("code", {}, text), copyButton(() => text));
    box.replaceChildren(
      el("h2", {}, `Case ${cases.numbers[row]} `,
        el("button", { type: "button", class: "quiet", click: () => cases.choose({ row: null }) }, "close")),
      ...(report ? [el("p", {}, el("a", { href: report }, "Its own report"))]
        : [el("p", { class: "rows" }, "Its own report, kept beside this page:"), command(stored)]),
      el("p", { class: "rows" }, "The same run by itself:"), command(cases.command(row)),
      el("div", { class: "results" }, el("table", {}, el("tbody", {},
        ...[...cases.varied, ...cases.figures].map(({ name, values }) => line(name, values[row]))))),
    );
  };
  cases.onChange(fill);
  fill();
  return box;
}

export function makeFailures(cases: Cases): HTMLElement[] {
  const { failures } = cases.sweep;
  if (failures.length === 0) return [];
  const total = failures.reduce((sum, { count }) => sum + count, 0);
  const name = (number: number): Node | string => {
    const report = cases.sweep.reports?.[String(number)];
    return report ? el("a", { href: report }, String(number)) : String(number);
  };
  const list = (some: number[], all: number) =>
    [...some.flatMap((number, k) => (k ? [", ", name(number)] : [name(number)])), some.length < all ? " …" : ""];
  const body = failures.map(({ status, reason, count, cases: some }) =>
    el("tr", {}, el("td", { class: "amounts" }, String(count)), el("td", {}, status),
      el("td", { class: "reason" }, reason), el("td", {}, ...list(some, count))));
  const head = ["cases", "", "why", "which"].map((name, k) =>
    el("th", { scope: "col", class: k ? "" : "amounts" }, name));
  return [el("section", { class: "group" }, el("h2", {}, `Failures: ${total} of ${cases.sweep.cases} cases`),
    el("div", { class: "results", role: "region", "aria-label": "Failures", tabindex: 0 },
      el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...body))))];
}

/** Each figure's quantiles over all cases. */
export function makeQuantiles(cases: Cases): HTMLElement {
  const ends = new Map([[0, "least"], [1, "largest"]]);
  const percent = cases.sweep.probabilities.map((p) => ends.get(p) ?? `${Math.round(100 * p)} %`);
  const head = ["", "mean", "deviation", ...percent].map((name, k) =>
    el("th", { scope: "col", class: k ? "amounts" : "" }, name));
  const row = (figure: Column) =>
    el("tr", {}, el("th", { scope: "row" }, figure.name),
      ...[figure.mean, figure.deviation, ...figure.quantiles].map((v) => el("td", { class: "amounts" }, amount(v))));
  const body = cases.figures.filter((figure) => !isConstant(figure)).map(row);
  const constant = cases.figures.filter((figure) => figure.count && isConstant(figure))
    .map(({ name, mean }) => `${name} ${amount(mean)}`);
  const title = "Figures over all cases";
  const table = el("div", { class: "results", role: "region", "aria-label": title, tabindex: 0 },
    el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...body)));
  return el("section", { class: "group" }, el("h2", {}, title),
    ...(body.length ? [table] : []),
    ...(constant.length ? [el("p", { class: "rows" }, `The same in all cases: ${constant.join(", ")}.`)] : []));
}
