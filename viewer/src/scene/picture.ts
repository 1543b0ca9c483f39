// One scene as three.js objects: the parts now, and faint pictures of them at chosen times.
import { Group, Vector3 } from "three";
import { ArrowItem, decode, Item, Scene } from "../data";
import { Extent, extentOf } from "./bounds";
import { arrow, longestVector, trace } from "./marks";
import { Paint } from "./paint";
import { body, circle, joint, line, point, spring } from "./parts";
import { Layer, Part, Style } from "./style";
import { momentAt } from "./track";

const defaultGhosts = 5;

function makePart(item: Item, index: number, style: Style): Part {
  switch (item.kind) {
    case "body": return body(item, index, style);
    case "point": return point(item, index, style);
    case "line": return line(item, style);
    case "spring": return spring(item, style);
    case "circle": return circle(item, style);
    case "joint": return joint(item, style);
    case "arrow": return arrow(item, style);
    case "trace": return trace(item, index, style);
    default: throw new Error(`unknown kind of item: ${JSON.stringify((item as { kind: unknown }).kind)}`);
  }
}

/** The place of an item among those of its colours: bodies and points share theirs, fixed bodies have none. */
function colourIndices(items: Item[]): number[] {
  let bodies = 0, traces = 0;
  return items.map((item) => (item.kind === "trace" ? traces++ : item.kind === "point" || (item.kind === "body" && !item.fixed) ? bodies++ : 0));
}

function longestOfRoles(items: Item[], dimension: number): Map<string, number> {
  const longest = new Map<string, number>();
  for (const item of items.filter((i): i is ArrowItem => i.kind === "arrow")) {
    const role = item.role ?? "force";
    longest.set(role, Math.max(longest.get(role) ?? 0, longestVector(item, dimension)));
  }
  return longest;
}

export class Picture {
  readonly object = new Group();
  readonly ghosts = new Group();
  readonly parts: Part[];
  readonly extent: Extent;
  readonly up: Vector3;
  readonly time: Float64Array;
  readonly paint: Paint;

  constructor(readonly scene: Scene) {
    const { dimension, items } = scene;
    this.time = decode(scene.time);
    this.extent = extentOf(scene);
    this.up = dimension === 2 ? new Vector3(0, 1, 0) : new Vector3(...(scene.up ?? [0, 0, 1])).normalize();
    this.paint = new Paint(dimension === 2);
    const size = this.extent.box.getSize(new Vector3()).length();
    const style: Style = { dimension, size, paint: this.paint, ghost: false, longest: longestOfRoles(items, dimension) };
    const indices = colourIndices(items);
    this.makeGhosts(indices, { ...style, ghost: true });
    this.parts = items.map((item, i) => makePart(item, indices[i], style));
    this.object.add(this.ghosts, ...this.parts.map((part) => part.object));
  }

  ghostTimes(): number[] {
    const first = this.time[0], last = this.time[this.time.length - 1];
    return this.scene.ghosts ?? Array.from({ length: defaultGhosts }, (_, i) => first + ((last - first) * i) / (defaultGhosts - 1));
  }

  has(layer: Layer): boolean {
    return this.parts.some((part) => part.layer === layer);
  }

  show(layer: Layer, on: boolean): void {
    const parts = this.parts.filter((part) => part.layer === layer);
    for (const part of parts) part.object.traverse((object) => (on ? object.layers.enable(0) : object.layers.disable(0)));
  }

  update(t: number): void {
    const moment = momentAt(this.time, t);
    for (const part of this.parts) part.update(moment);
  }

  dispose(): void {
    this.object.traverse((object) => "geometry" in object && (object.geometry as { dispose(): void }).dispose());
    this.paint.dispose();
  }

  private makeGhosts(indices: number[], style: Style): void {
    const left = (item: Item) => item.kind === "trace" || item.kind === "arrow" || item.kind === "joint" || (item.kind === "body" && item.fixed);
    for (const t of this.ghostTimes()) {
      const moment = momentAt(this.time, t);
      this.scene.items.forEach((item, i) => {
        if (left(item)) return;
        const part = makePart(item, indices[i], style);
        part.update(moment);
        this.ghosts.add(part.object);
      });
    }
  }
}
