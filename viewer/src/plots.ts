// The chapters of plots: folded or open, few of many at first, found by the names of their curves.
import { makeAlong } from "./along";
import { Board } from "./board";
import { Clock } from "./clock";
import { Run } from "./data";
import { el } from "./dom";
import { number } from "./format";
import { mark } from "./glossary";
import { Group, Panel } from "./panels";
import { makePortrait } from "./portrait";

const slug = (index: number) => `plots-${index}`;
const few = 6; // of the plots of a chapter, at first
const manyFound = 24;
const manyPanels = 8; // from which on signals are searched for

export interface Plots {
  element: HTMLElement;
  resetZoom(): void;
  mark(): void;
}

const counted = (count: number) => count.toLocaleString("en");

const underZoom = (even: Run["even"], of: number) => {
  const count = even ? (Array.isArray(even.time) ? even.time.length : "count" in even.time ? even.time.count : 0) : 0;
  return count >= of ? ", all of them under the zoom" : count ? `, ${counted(count)} under the zoom` : "";
};

/** How much of long results is drawn. */
function rowsNote(runs: Run[]): HTMLElement[] {
  const texts = runs.flatMap(({ name, rows, even }) =>
    rows
      ? [
          `${runs.length > 1 ? `${name}: ` : ""}${counted(rows.shown)} of ${counted(rows.of)} rows shown` +
            underZoom(even, rows.of),
        ]
      : [],
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
  count?: number;
  plots?: boolean; // what is counted
  folded?: boolean;
  /** Shows what these words find, or as before if there are none; returns how many. */
  find(words: string[]): number;
}

const words = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);

const found = (panel: Panel, wanted: string[]) => {
  const text = [panel.title, ...panel.curves.flatMap(({ label, name }) => [label, name ?? ""])].join(" ").toLowerCase();
  return wanted.every((word) => text.includes(word));
};

/** A few of many panels are those with the largest values. */
function important(panels: Panel[]): Panel[] {
  if (panels.length <= few) return panels;
  const chosen = new Set([...panels].sort((a, b) => (b.reach ?? 0) - (a.reach ?? 0)).slice(0, few));
  return panels.filter((panel) => chosen.has(panel));
}

/** The values of one instant, which leave nothing to plot. */
function valuesOf({ title, curves }: Panel): HTMLElement {
  return el("figure", { class: "chart still" }, el("figcaption", {}, title), el("table", {}, ...curves.map((curve) =>
    el("tr", { title: curve.name ?? "" }, el("th", { scope: "row" }, curve.label), el("td", {}, number(curve.y[0]))))));
}

function chapterOf({ title, panels }: Group, board: Board): Chapter {
  const still = board.clock.still;
  const charts = el("div", { class: still ? "charts stills" : "charts" });
  const elements = new Map<Panel, HTMLElement>();
  const elementOf = (panel: Panel) => {
    if (!elements.has(panel)) elements.set(panel, still ? valuesOf(panel) : board.chartOf(panel).element);
    return elements.get(panel)!;
  };
  let all = still, wanted: string[] = [];
  const more = el("button", { type: "button", class: "quiet more", click: () => {
    all = !all;
    show();
  } });
  const show = () => {
    const matching = wanted.length ? panels.filter((panel) => found(panel, wanted)) : panels;
    const some = all ? matching : wanted.length ? matching.slice(0, manyFound) : important(matching);
    charts.replaceChildren(...some.map(elementOf));
    more.hidden = still || matching.length <= (wanted.length ? manyFound : few);
    more.textContent = all ? "show fewer" : `show all ${counted(matching.length)} plots`;
    return matching.length;
  };
  show();
  const content = el("div", {}, charts, more);
  const nothing = still && panels.every(({ reach }) => !reach); // such as velocities at rest
  return { title, content, count: panels.length, plots: !still, folded: nothing,
    find: (list) => ((wanted = list), show()) };
}

/** What is no more than round-off stands by itself, at the end. */
function faintGroup(groups: Group[]): Group[] {
  const panels = groups.flatMap((group) =>
    group.panels
      .filter(({ faint }) => faint)
      .map((panel) => ({ ...panel, title: panel.title.startsWith(group.title) ? panel.title
        : `${group.title}: ${panel.title}` })),
  );
  return panels.length ? [{ key: "faint", title: "Round-off and drift", panels }] : [];
}

const makeSection = (chapter: Chapter, index: number): HTMLElement => {
  const { title, content, count, plots, folded } = chapter;
  const fold = el("button", { type: "button", class: "fold", "aria-expanded": String(!folded), click: () => {
    content.hidden = !content.hidden;
    fold.setAttribute("aria-expanded", String(!content.hidden));
  } }, title, ...(plots && count && count > few ? [el("small", {}, `${counted(count)} plots`)] : []));
  content.hidden = folded ?? false;
  return el("section", { class: "group", id: slug(index) }, el("h2", {}, fold), ...mark(title), content);
};

/** What moves a mechanism and what holds it, then what it bears along its beams, then the rest. */
const first = ["outputs", "errors", "inputs", "reactions"];

export function makePlots(groups: Group[], runs: Run[], clock: Clock): Plots {
  const board = new Board(clock);
  const alongs = makeAlong(runs, clock);
  const strong = groups
    .map((group) => ({ ...group, panels: group.panels.filter(({ faint }) => !faint) }))
    .filter(({ panels }) => panels.length > 0);
  const portrait = clock.still ? null : makePortrait(groups, runs, clock);
  const fixed = (title: string, content: HTMLElement, folded = false): Chapter =>
    ({ title, content, folded, find: (list) => ((content.closest("section")!.hidden = list.length > 0), 1) });
  const chapters = [
    ...strong.filter(({ key }) => first.includes(key)).map((group) => chapterOf(group, board)),
    ...alongs.map(({ title, element }) => fixed(title, element)),
    ...strong.filter(({ key }) => !first.includes(key)).map((group) => chapterOf(group, board)),
    ...(portrait ? [fixed("One signal against another", portrait, true)] : []),
    ...faintGroup(groups).map((group): Chapter => ({ ...chapterOf(group, board), folded: true })),
  ];
  const sections = chapters.map(makeSection);
  const links = chapters.map(({ title }, index) =>
    el("a", { href: `#${slug(index)}`, click: () => unfold(sections[index]) }, title));
  const contents = el("nav", { class: "contents", "aria-label": "Plots" }, ...links);
  const total = groups.reduce((sum, { panels }) => sum + panels.length, 0);
  return {
    element: el("div", { class: "plots" },
      ...(chapters.length > 1 ? [contents] : []),
      ...(total > manyPanels ? [makeSearch(chapters, sections, groups)] : []),
      ...rowsNote(runs), board.status, ...sections),
    resetZoom: () => {
      board.reset();
      alongs.forEach((along) => along.resetZoom());
    },
    mark: () => board.toggleMark(),
  };
}

function unfold(section: HTMLElement): void {
  const fold = section.querySelector<HTMLElement>(".fold")!;
  if (fold.getAttribute("aria-expanded") === "false") fold.click();
}

const mostNames = 500; // that a list offers

function makeSearch(chapters: Chapter[], sections: HTMLElement[], groups: Group[]): HTMLElement {
  const names = new Set(groups.flatMap(({ panels }) => panels.flatMap(({ curves }) =>
    curves.map((c) => c.name ?? c.label))));
  const told = el("output", {}, "");
  const field = el("input", {
    type: "search", placeholder: "find a signal", "aria-label": "Find a signal", list: "signals",
    input: () => {
      const wanted = words(field.value);
      let total = 0;
      chapters.forEach((chapter, i) => {
        const count = chapter.find(wanted);
        if (chapter.count === undefined) return;
        sections[i].hidden = wanted.length > 0 && count === 0;
        if (wanted.length && count) unfold(sections[i]);
        total += count;
      });
      told.textContent = wanted.length ? `${counted(total)} ${total === 1 ? "plot" : "plots"}` : "";
    },
  });
  const list = el("datalist", { id: "signals" }, ...[...names].slice(0, mostNames).map((value) =>
    el("option", { value })));
  return el("p", { class: "find" }, field, list, told);
}
