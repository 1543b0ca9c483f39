// Which curves share a plot.
import { Column, decode, Event, Report } from "./data";
import { withUnit } from "./format";
import { curveColours } from "./theme";

export interface Curve {
  label: string;
  x: Float64Array;
  y: Float64Array;
  colour: number; // in the palette
  dashed?: boolean;
  stepped?: boolean;
  dots?: boolean;
  dotted?: boolean; // without lines between its points
  sparse?: boolean; // rows were left out between its points
  band?: { low: Float64Array; high: Float64Array }; // what y can be
}

export interface Panel {
  title: string;
  curves: Curve[];
  log: boolean;
  events: Event[];
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
}

const shown = (column: Column, values: Float64Array) => (column.log ? values.map(Math.abs) : values);

function curvesOf(entry: Entry, label: string, colour: number, referenceLabel = `${label} desired`): Curve[] {
  const { column, time, sparse } = entry;
  const curve: Curve = {
    label,
    x: time,
    y: shown(column, decode(column.values)),
    colour,
    stepped: column.stepped,
    dotted: column.dotted,
    sparse,
  };
  if (!column.reference) return [curve];
  const reference = {
    ...curve,
    label: referenceLabel,
    y: shown(column, decode(column.reference)),
    dashed: true,
    dotted: false,
  };
  return [curve, reference];
}

function panelsOfOneRun(group: string, entries: Entry[], events: Event[]): Panel[] {
  const panels: Panel[] = [];
  for (const sharing of gather(entries, ({ column }) => column.panel ?? `[${column.unit ?? ""}]`).values()) {
    const units = new Set(sharing.map(({ column }) => column.unit));
    for (let first = 0; first < sharing.length; first += curveColours) {
      const some = sharing.slice(first, first + curveColours);
      const [{ column }] = some;
      const named = column.panel ?? (some.length === 1 ? (column.label ?? column.name) : group);
      panels.push({
        title: units.size === 1 ? withUnit(named, column.unit) : named,
        curves: some.flatMap((entry, i) => curvesOf(entry, entry.column.label ?? entry.column.name, i)),
        log: some.some((entry) => entry.column.log),
        events,
      });
    }
  }
  return panels;
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

const drawable = ({ curves, log }: Panel) =>
  curves.some(({ y }) => y.some((value) => Number.isFinite(value) && (!log || value > 0)));

export function groupsOf(report: Report): Group[] {
  const { runs } = report;
  const entries = runs.flatMap((run, index) => {
    const time = decode(run.time ?? []);
    return (run.columns ?? []).map((column): Entry => ({ run: index, column, time, sparse: run.rows !== undefined }));
  });
  const several = runs.length > 1;
  const events = several ? [] : (runs[0]?.events ?? []);
  const groups = gather(entries, ({ column }) => column.group);
  const own = (key: string) => Object.hasOwn(groupTitles, key);
  const order = [
    ...Object.keys(groupTitles).filter((key) => groups.has(key)),
    ...[...groups.keys()].filter((key) => !own(key)),
  ];
  return order
    .map((key) => {
      const title = own(key) ? groupTitles[key] : key;
      const members = groups.get(key)!;
      const panels = several
        ? panelsOfRuns(
            members,
            runs.map((run) => run.name),
            events,
          )
        : panelsOfOneRun(title, members, events);
      return { key, title, panels: panels.filter(drawable) };
    })
    .filter(({ panels }) => panels.length > 0);
}
