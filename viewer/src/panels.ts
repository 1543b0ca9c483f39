// Which curves share a plot: those of one quantity and one unit and, where there are many, of one body or joint.
import { Column, decode, Event, Report } from "./data";
import { EvenRows } from "./even";
import { withUnit } from "./format";
import { curveColours } from "./theme";

export interface Curve {
  label: string;
  name?: string; // of the column
  of?: string; // of the column that shall be so
  unit?: string;
  x: Float64Array;
  y: Float64Array;
  colour: number; // in the palette
  dashed?: boolean;
  stepped?: boolean;
  dots?: boolean;
  dotted?: boolean; // without lines between its points
  sparse?: boolean; // rows were left out between its points
  rates?: Float64Array; // its derivatives at x, where they are known
  band?: { low: Float64Array; high: Float64Array }; // what y can be
  even?: EvenRows; // further rows of the run
}

export interface Panel {
  title: string;
  curves: Curve[];
  log: boolean;
  events: Event[];
  reach?: number; // the largest absolute value
  faint?: boolean; // no more than round-off beside others of the same unit
}

export interface Group {
  key: string;
  title: string;
  panels: Panel[];
}

const groupTitles: Record<string, string> = {
  outputs: "Outputs",
  errors: "Errors",
  inputs: "Inputs",
  reactions: "Reactions and cable forces",
  coordinates: "Coordinates",
  velocities: "Velocities",
  energy: "Energy",
  momentum: "Momentum",
  hamiltonian: "Hamiltonian",
  drift: "Drift",
};

const prefixes = /^(lambda|tension|momentum|angular_momentum|drift|error|energy)\./;

/** The body or joint that a column belongs to, and what remains of its name: "lambda.hinge.x" is x of hinge. */
export function ownerOf(name: string): { owner: string; rest: string } {
  const plain = name.replace(prefixes, "");
  const dot = plain.lastIndexOf(".");
  return { owner: plain.slice(0, Math.max(0, dot)), rest: plain.slice(dot + 1) };
}

/** Lists by key, in the order of first appearance. */
function gather<T>(items: T[], key: (item: T) => string): Map<string, T[]> {
  const lists = new Map<string, T[]>();
  for (const item of items) {
    const list = lists.get(key(item));
    if (list) list.push(item);
    else lists.set(key(item), [item]);
  }
  return lists;
}

interface Entry {
  run: number;
  column: Column;
  time: Float64Array;
  sparse: boolean;
  rates?: Column;
  even?: EvenRows;
}

const shown = (column: Column, values: Float64Array) => (column.log ? values.map(Math.abs) : values);

function curvesOf(entry: Entry, label: string, colour: number, referenceLabel = `${label} desired`): Curve[] {
  const { column, time, sparse, rates, even } = entry;
  const curve: Curve = {
    label,
    name: column.name,
    unit: column.unit,
    x: time,
    y: shown(column, decode(column.values)),
    colour,
    stepped: column.stepped,
    dotted: column.dotted,
    sparse,
    rates: rates && decode(rates.values),
    even: column.log ? undefined : even,
  };
  if (!column.reference) return [curve];
  const reference = {
    ...curve,
    label: referenceLabel,
    name: undefined,
    y: shown(column, decode(column.reference)),
    rates: undefined,
    dashed: true,
    dotted: false,
    of: column.name,
  };
  return [curve, reference];
}

/** The panels of one quantity and unit: one for each body or joint where eight curves are not enough for all. */
function shares(group: string, entries: Entry[]): { title: string; entries: Entry[]; label(column: Column): string }[] {
  const full = ({ label, name }: Column) => label ?? name;
  const owned = gather(entries, ({ column }) => ownerOf(column.name).owner);
  const [{ column }] = entries;
  if (entries.length > curveColours && !column.panel && owned.size > 1 && owned.size < entries.length)
    return [...owned].flatMap(([owner, own]) =>
      pieces(own).map((some) => ({
        title: owner || group,
        entries: some,
        label: (c: Column) => c.label ?? (owner ? ownerOf(c.name).rest : c.name),
      })),
    );
  return pieces(entries).map((some) => ({
    title: some[0].column.panel ?? (some.length === 1 ? full(some[0].column) : group),
    entries: some,
    label: full,
  }));
}

const pieces = (entries: Entry[]) =>
  Array.from({ length: Math.ceil(entries.length / curveColours) }, (_, i) =>
    entries.slice(i * curveColours, (i + 1) * curveColours),
  );

function panelsOfOneRun(group: string, entries: Entry[], events: Event[]): Panel[] {
  const keyed = gather(entries, ({ column }) => `${column.panel ?? ""}[${column.unit ?? ""}]`);
  return [...keyed.values()].flatMap((sharing) =>
    shares(group, sharing).map(({ title, entries: some, label }) => ({
      title: withUnit(title, some[0].column.unit),
      curves: some.flatMap((entry, i) => curvesOf(entry, label(entry.column), i)),
      log: some.some((entry) => entry.column.log),
      events,
    })),
  );
}

function panelsOfRuns(entries: Entry[], names: string[], events: Event[]): Panel[] {
  return [...gather(entries, ({ column }) => column.name).values()].map((same) => ({
    title: withUnit(
      same[0].column.panel ? `${same[0].column.panel}: ${same[0].column.name}` : same[0].column.name,
      same[0].column.unit,
    ),
    // Runs that follow the same reference would draw it on top of each other.
    curves: same.flatMap((entry, i) =>
      curvesOf(entry, names[entry.run], entry.run, "desired").slice(0, i === 0 ? 2 : 1),
    ),
    log: same.some(({ column }) => column.log),
    events,
  }));
}

const reachOf = ({ curves }: Panel) => {
  let reach = 0;
  for (const { y } of curves)
    for (const value of y) if (Math.abs(value) > reach && value !== Infinity) reach = Math.abs(value);
  return reach;
};

const drawable = ({ curves, log }: Panel) =>
  curves.some(({ y }) => y.some((value) => Number.isFinite(value) && (!log || value > 0)));

const roundOff = 1e-9; // of the largest value of the same unit
const nothing = 1e-20; // of the largest of all: units cannot make up for that

/** What is drawn, each with its largest value, and whether that is round-off beside others of its unit. */
function weighed(groups: Group[]): Group[] {
  const largest = new Map<string, number>();
  // Errors have the unit of what they are errors of, be it known or not.
  const kind = (key: string, { curves: [{ unit }] }: Panel) =>
    unit ?? (key === "errors" || key === "outputs" ? "that of outputs" : "");
  let most = 0;
  for (const { key, panels } of groups)
    for (const panel of panels) {
      panel.reach = reachOf(panel);
      const unit = kind(key, panel);
      if (unit) largest.set(unit, Math.max(largest.get(unit) ?? 0, panel.reach));
      if (key !== "drift") most = Math.max(most, panel.reach);
    }
  for (const { key, panels } of groups)
    for (const panel of panels) {
      const beside = largest.get(kind(key, panel)) ?? 0;
      panel.faint = key === "drift" || panel.reach! < roundOff * beside ||
        (panel.reach! > 0 && panel.reach! < nothing * most);
    }
  return groups;
}

export function groupsOf(report: Report): Group[] {
  const { runs } = report;
  const entries = runs.flatMap((run, index) => {
    const time = decode(run.time ?? []), columns = run.columns ?? [];
    const even = run.even && new EvenRows(run.even, time);
    const velocities = new Map(columns.flatMap((column) => (column.group === "velocities" ? [[column.name, column]]
      : [])));
    return columns.map((column): Entry => {
      const rates = column.stepped || column.log ? undefined : velocities.get(`${column.name}'`);
      return { run: index, column, time, sparse: run.rows !== undefined, rates, even };
    });
  });
  const several = runs.length > 1;
  const events = several ? [] : (runs[0]?.events ?? []);
  const groups = gather(entries, ({ column }) => column.group);
  const own = (key: string) => Object.hasOwn(groupTitles, key);
  const order = [
    ...Object.keys(groupTitles).filter((key) => groups.has(key)),
    ...[...groups.keys()].filter((key) => !own(key)),
  ];
  const names = runs.map((run) => run.name);
  const made = order.map((key) => {
    const title = own(key) ? groupTitles[key] : key, members = groups.get(key)!;
    const panels = several ? panelsOfRuns(members, names, events) : panelsOfOneRun(title, members, events);
    return { key, title, panels: panels.filter(drawable) };
  });
  return weighed(made.filter(({ panels }) => panels.length > 0));
}
