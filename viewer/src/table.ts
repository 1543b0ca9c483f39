// A table of results, one row per run in comparisons: wide ones scroll in their own box.
import { Cell, Run, Table } from "./data";
import { el } from "./dom";
import { amount } from "./format";
import { runName } from "./run_name";

const text = (cell: Cell) => (typeof cell === "string" ? cell : amount(cell));

/** With the colours and marks of runs if there is a row for each. */
export function makeTable({ title, columns, rows }: Table, runs: Run[]): HTMLElement {
  const coloured = runs.length > 1 && rows.length === runs.length;
  const numeric = columns.map((_, i) => rows.every((row) => typeof row[i] !== "string"));
  const look = (i: number) => ({ class: numeric[i] ? "amounts" : "" });
  const head = el("tr", {}, ...columns.map((name, i) => el("th", { scope: "col", ...look(i) }, name)));
  const body = rows.map(([first, ...rest], index) => el("tr", {},
    el("th", { scope: "row" }, ...(coloured ? runName(runs[index], index, text(first)) : [text(first)])),
    ...rest.map((cell, i) => el("td", look(i + 1), text(cell)))));
  return el("div", { class: "results", role: "region", "aria-label": title, tabindex: 0 },
    el("table", {}, el("caption", {}, title), el("thead", {}, head), el("tbody", {}, ...body)));
}
