// The name of a run with its colour, and a mark if it stopped before its end.
import { Run } from "./data";
import { el } from "./dom";
import { swatch } from "./swatch";

export const runName = (run: Run, index: number, name: HTMLElement | string = run.name) =>
  [swatch(index), name, ...(run.incomplete ? [el("span", { class: "stopped" }, run.incomplete)] : [])];
