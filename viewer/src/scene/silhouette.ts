// A mesh seen along z, for drawings in the plane: the triangles to fill and the edges that bound them.
import { BufferGeometry, Float32BufferAttribute, Vector3 } from "three";

type Triangle = [Vector3, Vector3, Vector3];

const flat = 1e-9; // of the largest triangle: what is seen edge on
const closed = 1e-6; // the sum of signed areas of a closed surface, of that of all areas

const area = ([a, b, c]: Triangle) => ((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2;

function trianglesOf(vertices: Float64Array, indices: Float64Array): Triangle[] {
  const corner = (i: number) => new Vector3(vertices[3 * indices[i]], vertices[3 * indices[i] + 1], 0);
  return Array.from({ length: Math.floor(indices.length / 3) }, (_, i) => [
    corner(3 * i),
    corner(3 * i + 1),
    corner(3 * i + 2),
  ]);
}

/** Of a closed surface the side that faces the reader, of a sheet all. */
function facing(triangles: Triangle[]): Triangle[] {
  const areas = triangles.map(area),
    sizes = areas.map(Math.abs);
  const least = flat * sizes.reduce((a, b) => Math.max(a, b), 0);
  const total = areas.reduce((a, b) => a + b, 0),
    size = sizes.reduce((a, b) => a + b, 0);
  const both = Math.abs(total) > closed * size;
  return triangles.filter((_, i) => (both ? sizes[i] : areas[i]) > least);
}

/** Edges of one triangle only, as pairs of places; corners are told apart by place, not by number. */
function rim(triangles: Triangle[]): Vector3[] {
  const name = (p: Vector3) => `${p.x},${p.y}`;
  const edges = new Map<string, { ends: [Vector3, Vector3]; uses: number }>();
  for (const triangle of triangles)
    triangle.forEach((a, i) => {
      const b = triangle[(i + 1) % 3];
      const key = [name(a), name(b)].sort().join(" ");
      const edge = edges.get(key);
      if (edge) ++edge.uses;
      else edges.set(key, { ends: [a, b], uses: 1 });
    });
  return [...edges.values()].filter(({ uses }) => uses === 1).flatMap(({ ends }) => ends);
}

export function silhouette(vertices: Float64Array, indices: Float64Array): { fill: BufferGeometry; rim: Vector3[] } {
  const triangles = facing(trianglesOf(vertices, indices));
  const fill = new BufferGeometry();
  fill.setAttribute(
    "position",
    new Float32BufferAttribute(
      triangles.flat().flatMap((p) => p.toArray()),
      3,
    ),
  );
  return { fill, rim: rim(triangles) };
}
