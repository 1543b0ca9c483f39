// Several scenes in one picture: what they share is drawn once, the rest in the colour of its run.
import { ArrowItem, decode, Item, Scene, Values } from "../data";
import { longestVector } from "./marks";

/** A scene and, where several share a picture, the colour of its run. */
export interface Painted {
  scene: Scene;
  hue?: string;
}

/** What runs over the frames, with the numbers of one frame. */
function tracks(item: Item, dimension: number): Record<string, number> {
  const rotation = dimension === 2 ? 1 : 4;
  switch (item.kind) {
    case "body": return { position: dimension, rotation };
    case "circle": return { position: dimension, rotation, radius: 1 };
    case "joint": return { position: dimension, axis: 3 };
    case "arrow": return { position: dimension, vector: dimension };
    case "line": return { points: item.count * dimension };
    case "spring": return { points: 2 * dimension };
    case "trace": return { points: dimension };
    case "member": return { points: item.count * dimension, normals: item.count * dimension };
    case "point": return { position: dimension };
  }
}

/** The item with its first frame only if it stands still, null if it moves. */
export function frozen(item: Item, dimension: number): Item | null {
  const first: Record<string, number[]> = {};
  for (const [key, width] of Object.entries(tracks(item, dimension))) {
    const values = (item as unknown as Record<string, Values | undefined>)[key];
    if (values === undefined) continue;
    const data = decode(values);
    if (!data.every((value, i) => Object.is(value, data[i % width]))) return null;
    first[key] = Array.from(data.subarray(0, width));
  }
  return { ...item, ...first } as Item;
}

/** Apart what stands still in the same place in all scenes. */
export function together(painted: Painted[]): Painted[] {
  if (painted.length === 1) return painted;
  const marks = painted.map(({ scene }) => scene.items.map((item) => {
    const still = frozen(item, scene.dimension);
    return still && JSON.stringify(still);
  }));
  const shared = new Set(marks[0].filter((mark) => mark !== null && marks.every((list) => list.includes(mark))));
  const some = (index: number, wanted: boolean): Scene => {
    const { scene } = painted[index];
    return { ...scene, items: scene.items.filter((_, i) => shared.has(marks[index][i]) === wanted) };
  };
  return [{ scene: some(0, true) }, ...painted.map(({ hue }, index) => ({ scene: some(index, false), hue }))];
}

/** The longest arrow of each role, so that all have one scale. */
export function longestArrows(scenes: Scene[]): Map<string, number> {
  const longest = new Map<string, number>();
  for (const { items, dimension } of scenes)
    for (const item of items.filter((i): i is ArrowItem => i.kind === "arrow")) {
      const role = item.role ?? "force";
      longest.set(role, Math.max(longest.get(role) ?? 0, longestVector(item, dimension)));
    }
  return longest;
}
