// The room that a motion takes, and round distances in it.
import { Box3, Vector3 } from "three";
import { decode, Item, Scene, Shape, Values } from "../data";

/** Of as many as there are: Math.max(...) takes only some ten thousand. */
export const largest = (numbers: Iterable<number>) => {
  let found = 0;
  for (const x of numbers) if (x > found) found = x;
  return found;
};

function reach(shape: Shape | undefined): number {
  if (!shape) return 0;
  if ("box" in shape) return Math.hypot(...shape.box) / 2;
  if ("cylinder" in shape) return Math.hypot(shape.cylinder[0], shape.cylinder[1] / 2);
  if ("sphere" in shape) return shape.sphere;
  return largest(decode(shape.mesh.vertices).map(Math.abs)) * Math.sqrt(3);
}

/** What the motion covers: balls around places on the way, and the box around them. */
export interface Extent {
  box: Box3;
  balls: { place: Vector3; radius: number }[];
}

const mostPlaces = 200; // of one item, enough to aim a camera

function include(extent: Extent, values: Values, dimension: number, radius: number): void {
  const data = decode(values);
  const every = Math.ceil(data.length / dimension / mostPlaces);
  for (let i = 0; (i + 1) * dimension <= data.length; ++i) {
    const first = i * dimension;
    const place = new Vector3(data[first], data[first + 1], dimension === 3 ? data[first + 2] : 0);
    if (!Number.isFinite(place.x + place.y + place.z)) continue;
    extent.box.expandByPoint(place.clone().addScalar(radius)).expandByPoint(place.clone().addScalar(-radius));
    if (i % every === 0) extent.balls.push({ place, radius });
  }
}

function includeItem(extent: Extent, item: Item, dimension: number): void {
  if ("points" in item) include(extent, item.points, dimension, 0);
  if ("position" in item) {
    const radius =
      item.kind === "body"
        ? reach(item.shape)
        : item.kind === "circle"
          ? largest(decode(item.radius))
          : item.kind === "point"
            ? (item.radius ?? 0)
            : 0;
    include(extent, item.position, dimension, radius);
  }
  if (item.kind === "trace" && item.reference) include(extent, item.reference, dimension, 0);
}

export function extentOf(scene: Scene): Extent {
  const extent: Extent = { box: new Box3(), balls: [] };
  const { box } = extent;
  if (!scene.bounds) {
    for (const item of scene.items) includeItem(extent, item, scene.dimension);
  } else {
    include(extent, [...scene.bounds.min, ...scene.bounds.max], scene.dimension, 0);
    extent.balls = corners(box).map((place) => ({ place, radius: 0 }));
  }
  if (box.isEmpty()) box.expandByPoint(new Vector3());
  if (scene.dimension === 2) box.min.z = box.max.z = 0;
  if (box.getSize(new Vector3()).length() === 0) {
    box.expandByVector(new Vector3(1, 1, scene.dimension === 3 ? 1 : 0));
    extent.balls = corners(box).map((place) => ({ place, radius: 0 }));
  }
  return extent;
}

const mostNeighbours = 400; // looked at

/** The median distance from a body to its nearest neighbour at the start; infinite where there are not two. */
export function grainOf(scenes: Scene[]): number {
  const distances = scenes.flatMap(({ items, dimension }) => {
    const places = items.flatMap((item) => {
      if (item.kind !== "body" && item.kind !== "point") return [];
      const data = decode(item.position);
      return [new Vector3(data[0], data[1], dimension === 3 ? data[2] : 0)];
    });
    const some = places.slice(0, mostNeighbours);
    return some.map((place) => Math.min(...some.map((other) => place.distanceTo(other) || Infinity)));
  });
  const known = distances.filter(Number.isFinite).sort((a, b) => a - b);
  return known.length ? known[known.length >> 1] : Infinity;
}

/** With the tips of the arrows, which are drawn in a length of their own. */
export function withTips(extent: Extent, scenes: Scene[], lengths: Map<string, number>): Extent {
  const tips: Extent = { box: extent.box.clone(), balls: [...extent.balls] };
  for (const { items, dimension, time } of scenes)
    for (const item of items) {
      if (item.kind !== "arrow") continue;
      const foot = decode(item.position), vector = decode(item.vector), scale = lengths.get(item.role ?? "force") ?? 0;
      const frames = Math.max(foot.length, vector.length) / dimension, ends: number[] = [];
      for (let k = 0; k < frames; ++k)
        for (let c = 0; c < dimension; ++c)
          ends.push(foot[(k * dimension + c) % foot.length] + scale * vector[(k * dimension + c) % vector.length]);
      if (frames <= decode(time).length) include(tips, ends, dimension, 0);
    }
  return tips;
}

export function union(extents: Extent[]): Extent {
  return {
    box: extents.reduce((box, extent) => box.union(extent.box), new Box3()),
    balls: extents.flatMap((extent) => extent.balls),
  };
}

export function scaled({ box, balls }: Extent, factor: number): Extent {
  return {
    box: new Box3(box.min.clone().multiplyScalar(factor), box.max.clone().multiplyScalar(factor)),
    balls: balls.map(({ place, radius }) => ({ place: place.clone().multiplyScalar(factor), radius: radius * factor })),
  };
}

export function corners(box: Box3): Vector3[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map(
    (bits) =>
      new Vector3(bits & 1 ? box.max.x : box.min.x, bits & 2 ? box.max.y : box.min.y, bits & 4 ? box.max.z : box.min.z),
  );
}

/** The largest of 1, 2, 5 times a power of ten that is not above x. */
export function roundDown(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x) + 1e-9);
  return power * (x / power >= 5 ? 5 : x / power >= 2 ? 2 : 1);
}
