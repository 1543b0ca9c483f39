// One scene as three.js objects: the parts now, and faint pictures of them at chosen times.
import { Group, Object3D } from "three";
import { decode, Item, Scene } from "../data";
import { crowdParts } from "./crowd";
import { arrow, trace } from "./marks";
import { member } from "./member";
import { body, circle, joint, line, point, spring } from "./parts";
import { Layer, Part, Style } from "./style";
import { frozen } from "./together";
import { momentAt } from "./track";
import { trailsOf } from "./trails";

const usualMoments = 5;
const behind = -20; // below all levels of parts

function makePart(item: Item, index: number, style: Style, time: Float64Array, held = false): Part {
  switch (item.kind) {
    case "body":
      return body(item, index, style);
    case "point":
      return point(item, index, style);
    case "line":
      return line(item, style);
    case "spring":
      return spring(item, style);
    case "circle":
      return circle(item, style);
    case "joint":
      return joint(item, style);
    case "arrow":
      return arrow(item, style);
    case "trace":
      return trace(item, index, style, time, held);
    case "member":
      return member(item, style);
    default:
      throw new Error(`unknown kind of item: ${JSON.stringify((item as { kind: unknown }).kind)}`);
  }
}

function makeParts(items: Item[], indices: number[], style: Style, time: Float64Array, held = false): Part[] {
  const crowd = crowdParts(items, indices, style);
  return items.map((item, i) => crowd.get(i) ?? makePart(item, indices[i], style, time, held));
}

/** Of solid things, seen from the sun. */
function castShadows({ object, layer }: Part): void {
  if (layer !== "parts" && layer !== "joints") return;
  object.traverse((part) => (part.castShadow = "isMesh" in part && !("isLineSegments2" in part)));
}

/** The place of an item among those of its colours: bodies and points share theirs, fixed bodies have none. */
function colourIndices(items: Item[]): number[] {
  let bodies = 0,
    traces = 0;
  return items.map((item) =>
    item.kind === "trace" ? traces++ : item.kind === "point" || (item.kind === "body" && !item.fixed) ? bodies++ : 0,
  );
}

/** Bodies without a shape that links show: those of their name. */
function linkedBodies(items: Item[], indices: number[]): Map<string, number> {
  const links = new Set(items.flatMap((item) => (item.kind === "line" && item.role === "link" ? item.name ?? [] : [])));
  return new Map(items.flatMap((item, i): [string, number][] =>
    item.kind === "body" && !item.shape && item.name !== undefined && links.has(item.name) ? [[item.name, indices[i]]]
      : []));
}

export function disposeGeometry(object: Object3D): void {
  object.traverse((part) => "geometry" in part && (part.geometry as { dispose(): void }).dispose());
}

export class Picture {
  readonly object = new Group();
  readonly parts: Part[];
  readonly moving: Part[]; // bodies, lines and the like that do not stand still
  readonly time: Float64Array;
  readonly style: Style;
  private ghosts = new Group();
  private ghostTimes: number[] = [];
  private indices: number[];

  constructor(
    private scene: Scene,
    style: Style,
  ) {
    this.time = decode(scene.time);
    this.indices = colourIndices(scene.items);
    this.style = { ...style, linked: linkedBodies(scene.items, this.indices) };
    this.parts = makeParts(scene.items, this.indices, this.style, this.time, scene.held);
    this.parts.forEach(castShadows);
    this.moving = this.parts.filter(({ layer }, i) => layer === "parts" && frozen(scene.items[i],
      style.dimension) === null);
    this.parts.push(...trailsOf(scene.items, this.indices, this.style, this.time, scene.held));
    this.object.add(this.ghosts, ...this.parts.map((part) => part.object));
  }

  usualMoments(): number[] {
    const first = this.time[0],
      last = this.time[this.time.length - 1];
    return (
      this.scene.ghosts ??
      Array.from({ length: usualMoments }, (_, i) => first + ((last - first) * i) / (usualMoments - 1))
    );
  }

  has(layer: Layer): boolean {
    return this.parts.some((part) => part.layer === layer);
  }

  show(layer: Layer, on: boolean): void {
    const parts = this.parts.filter((part) => part.layer === layer);
    for (const part of parts)
      part.object.traverse((object) => (on ? object.layers.enable(0) : object.layers.disable(0)));
  }

  update(t: number): void {
    const moment = momentAt(this.time, t, this.scene.held);
    for (const part of this.parts) part.update(moment, t);
  }

  /** Faint pictures at these times and no others. */
  showGhosts(times: number[]): void {
    if (times.join() === this.ghostTimes.join()) return;
    this.ghostTimes = times;
    disposeGeometry(this.ghosts);
    this.ghosts.clear();
    const style = { ...this.style, ghost: true };
    const left = (item: Item) =>
      item.kind === "trace" || item.kind === "arrow" || item.kind === "joint" || frozen(item, style.dimension) !== null;
    const moving = this.scene.items.map((item, i) => [item, this.indices[i]] as const).filter(([item]) => !left(item));
    for (const t of times)
      for (const part of makeParts(moving.map(([item]) => item), moving.map(([, index]) => index), style, this.time)) {
        part.update(momentAt(this.time, t, this.scene.held), t);
        part.object.traverse((object) => (object.renderOrder += behind));
        this.ghosts.add(part.object);
      }
  }
}
