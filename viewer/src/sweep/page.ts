// The page of a sweep: what is chosen above, pictures of it, the worst cases, the failures.
import { Report } from "../data";
import { el } from "../dom";
import { makeBands } from "./bands";
import { makeCorrelation, makeSensitivity } from "./bars";
import { Box } from "./box";
import { Cases, Column, Sweep } from "./data";
import { makeHeat } from "./heat";
import { makeHistogram } from "./histogram";
import { makeScatter } from "./scatter";
import { makeChosen, makeFailures, makeQuantiles, makeWorst } from "./tables";

function chooser(label: string, columns: Column[], chosen: number, choose: (k: number) => void): HTMLElement {
  const names = columns.map(({ name }) => el("option", {}, name));
  const list = el("select", { "aria-label": label, change: () => choose(list.selectedIndex) }, ...names);
  list.selectedIndex = chosen;
  return el("label", {}, `${label} `, list);
}

function makeChoice(cases: Cases): HTMLElement {
  const { figures, varied, chosen } = cases;
  const fill = () =>
    box.replaceChildren(
      chooser("Figure", figures, chosen.figure, (figure) => cases.choose({ figure })),
      chooser("over", varied, chosen.x, (x) => cases.choose({ x })),
      ...(varied.length > 1 ? [chooser("and", varied, chosen.y, (y) => cases.choose({ y }))] : []),
    );
  const box = el("form", { class: "sweep-choice", "aria-label": "What is shown" });
  cases.onChange(() => {
    const places = [chosen.figure, chosen.x, chosen.y];
    box.querySelectorAll("select").forEach((list, k) => (list.selectedIndex = places[k]));
  });
  fill();
  return box;
}

export function makeSweep(report: Report, sweep: Sweep): HTMLElement {
  const cases = new Cases(sweep);
  const [drawn, all] = [cases.rows, sweep.cases].map((count) => count.toLocaleString("en"));
  const some = cases.rows < sweep.cases
    ? [el("p", { class: "rows" }, `${drawn} of ${all} cases are drawn as points and in the map of means, the extreme ` +
        "ones of each figure among them; histograms, quantiles, correlations and indices are of all.")]
    : [];
  if (cases.figures.length === 0 || cases.varied.length === 0)
    return el("main", {}, ...makeFailures(cases), el("p", { class: "rows" }, "Nothing was kept that can be drawn."));
  const boxes: Box[] = [makeScatter(cases), makeHistogram(cases), makeHeat(cases), makeSensitivity(cases),
    makeCorrelation(cases)];
  const bands = makeBands(cases);
  if (bands) boxes.push(bands);
  cases.onChange(() => boxes.forEach((box) => box.draw()));
  return el("main", { class: "sweep", "aria-label": report.name },
    makeChoice(cases), ...some,
    el("div", { class: "sweep-charts" }, ...boxes.map(({ element }) => element)),
    makeWorst(cases), makeChosen(cases), ...makeFailures(cases), makeQuantiles(cases));
}
