// Section forces of beams and strings against arc length: at the time of the animation, with their ranges over the run.
import { Chart } from "./chart";
import { Clock } from "./clock";
import { decode, MemberItem, Run, SectionForce } from "./data";
import { el } from "./dom";
import { number, withUnit } from "./format";
import { Curve } from "./panels";
import { Moment, momentAt, Track } from "./scene/track";
import { onTheme } from "./theme";
import { addTools } from "./tools";
import { Watch } from "./visibility";

const mostSections = 3; // more members share one, with a list to choose from
const unitTitles: Record<string, string> = { N: "Section forces", "N m": "Section moments" };

interface Bearing extends MemberItem {
  at: number[];
  forces: SectionForce[];
}

/** A member of one run. */
interface Own {
  run: number;
  runName: string;
  item: Bearing;
  moment(t: number): Moment;
}

/** The same member in all runs that have it. */
interface Member {
  name: string;
  owns: Own[];
}

interface Line {
  curve: Curve;
  track: Track;
  own: Own;
}

export interface Along {
  title: string;
  element: HTMLElement;
  resetZoom(): void;
}

const bears = (item: MemberItem): item is Bearing => item.at !== undefined && item.forces !== undefined;

function membersOf(runs: Run[]): Member[] {
  const members = new Map<string, Member>();
  runs.forEach(({ name: runName, scene }, run) => {
    if (!scene) return;
    const time = decode(scene.time);
    const moment = (t: number) => momentAt(time, t, scene.held);
    for (const item of scene.items) {
      if (item.kind !== "member" || !bears(item)) continue;
      const name = item.name ?? "";
      if (!members.has(name)) members.set(name, { name, owns: [] });
      members.get(name)!.owns.push({ run, runName, item, moment });
    }
  });
  return [...members.values()];
}

function lineOf(own: Own, force: SectionForce, label: string, colour: number, banded: boolean): Line {
  const track = new Track(force.values, own.item.at.length);
  const curve: Curve = {
    label,
    x: Float64Array.from(own.item.at),
    y: new Float64Array(own.item.at.length),
    colour,
    dots: own.item.at.length === 1,
    band: banded && track.frames > 1 ? { low: decode(force.low), high: decode(force.high) } : undefined,
  };
  return { curve, track, own };
}

/** Of one run forces of one unit share a plot, of several runs each force has its own. */
function linesOf({ owns }: Member): Map<string, Line[]> {
  const plots = new Map<string, Line[]>();
  const add = (title: string, line: Line) => plots.set(title, [...(plots.get(title) ?? []), line]);
  const several = owns.length > 1;
  for (const own of owns)
    for (const force of own.item.forces) {
      const unit = force.unit ?? "";
      const together = own.item.forces.filter((other) => other.unit === force.unit);
      const group = own.item.role === "string" ? "Tension" : (unitTitles[unit] ?? "Section forces");
      if (several) add(withUnit(force.name, unit), lineOf(own, force, own.runName, own.run, false));
      else add(withUnit(group, unit), lineOf(own, force, force.name, together.indexOf(force), true));
    }
  return plots;
}

class Diagram {
  readonly chart: Chart;

  constructor(
    title: string,
    private lines: Line[],
    length: number,
  ) {
    this.read(0);
    const curves = lines.map(({ curve }) => curve);
    this.chart = new Chart({ title, xTitle: "s [m]", log: false, events: [], curves, span: [0, length] });
  }

  update(t: number): void {
    if (!this.chart.visible) return;
    this.read(t);
    this.chart.renew();
  }

  private read(t: number): void {
    for (const { curve, track, own } of this.lines) {
      const moment = own.moment(t);
      for (let i = 0; i < curve.y.length; ++i) curve.y[i] = track.at(moment, i);
    }
  }
}

const lengthOf = ({ owns }: Member) => Math.max(...owns.map(({ item }) => item.nodes[item.nodes.length - 1]));

function makeSection(members: Member[], several: boolean, clock: Clock): Along {
  let diagrams: Diagram[] = [],
    place = 0; // of the cursor
  const charts = el("div", { class: "charts" }),
    note = el("p", { class: "rows" });
  const tell = () => {
    const bands = !several && clock.to > clock.from ? "; bands are the ranges over the run" : "";
    note.textContent = `at t = ${number(clock.time, 4)} s, values at s = ${number(place, 3)} m${bands}`;
  };
  const point = (s: number) => {
    place = s;
    for (const { chart } of diagrams) chart.show(s);
    tell();
  };
  const open = (member: Member) => {
    const length = lengthOf(member);
    diagrams = [...linesOf(member)].map(([title, lines]) => new Diagram(title, lines, length));
    for (const { chart } of diagrams) chart.onHover = chart.onClick = point;
    charts.replaceChildren(...diagrams.map(({ chart }) => chart.element));
    const watch = new Watch((chart) => {
      diagrams.find((diagram) => diagram.chart === chart)?.update(clock.time);
      chart.show(place);
    });
    for (const { chart } of diagrams) {
      addTools(chart, false);
      watch.add(chart);
    }
    for (const diagram of diagrams) diagram.update(clock.time);
    point(member.owns[0].item.at[0]);
  };
  const chooser = el(
    "select",
    { "aria-label": "Beam or string shown", change: () => open(members[Number(chooser.value)]) },
    ...members.map(({ name }, index) => el("option", { value: index }, name)),
  );
  open(members[0]);
  clock.onChange(() => {
    for (const diagram of diagrams) diagram.update(clock.time);
    for (const { chart } of diagrams) chart.show(place);
    tell();
  });
  onTheme(() => diagrams.forEach(({ chart }) => chart.redraw()));
  return {
    title: members.length > 1 ? "Along beams and strings" : `Along ${members[0].name}`,
    element: el("div", { class: "along" }, ...(members.length > 1 ? [chooser] : []), note, charts),
    resetZoom: () => diagrams.forEach(({ chart }) => chart.reset()),
  };
}

export function makeAlong(runs: Run[], clock: Clock): Along[] {
  const members = membersOf(runs),
    several = runs.length > 1;
  if (members.length > mostSections) return [makeSection(members, several, clock)];
  return members.map((member) => makeSection([member], several, clock));
}
