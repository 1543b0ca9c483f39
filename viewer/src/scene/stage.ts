// What surrounds the mechanism: a grid of round spacing, and light.
import {
  Box3,
  BufferGeometry,
  DirectionalLight,
  Group,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  Object3D,
  Vector3,
} from "three";
import { colour } from "../theme";
import { corners, roundDown } from "./bounds";

const cells = 8; // about so many across the scene
const axes = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];

export interface Stage {
  object: Object3D;
  spacing: number;
  repaint(): void;
}

/** The two directions of the ground, the ones least along "up". */
function groundAxes(up: Vector3): [Vector3, Vector3] {
  const [a, b] = [...axes].sort((p, q) => Math.abs(p.dot(up)) - Math.abs(q.dot(up)));
  const u = a.clone().addScaledVector(up, -a.dot(up)).normalize();
  const v = b.clone().addScaledVector(up, -b.dot(up)).addScaledVector(u, -b.dot(u)).normalize();
  return [u, v];
}

function range(points: Vector3[], along: Vector3): [number, number] {
  const values = points.map((p) => p.dot(along));
  return [Math.min(...values), Math.max(...values)];
}

/** Lines at round places, over the box and a margin around it. */
function gridLines(box: Box3, u: Vector3, v: Vector3, base: Vector3, spacing: number, margin: number): Vector3[] {
  const points = corners(box);
  const [u0, u1] = range(points, u),
    [v0, v1] = range(points, v);
  const first = (x: number) => Math.floor((x - margin) / spacing),
    last = (x: number) => Math.ceil((x + margin) / spacing);
  const at = (i: number, j: number) =>
    base
      .clone()
      .addScaledVector(u, i * spacing)
      .addScaledVector(v, j * spacing);
  const lines: Vector3[] = [];
  for (let i = first(u0); i <= last(u1); ++i) lines.push(at(i, first(v0)), at(i, last(v1)));
  for (let j = first(v0); j <= last(v1); ++j) lines.push(at(first(u0), j), at(last(u1), j));
  return lines;
}

export function makeStage(box: Box3, dimension: 2 | 3, up: Vector3): Stage {
  const size = box.getSize(new Vector3()).length();
  const spacing = roundDown(size / cells);
  const inPlane = dimension === 2;
  const [u, v] = inPlane ? [axes[0], axes[1]] : groundAxes(up);
  const base = inPlane ? new Vector3() : up.clone().multiplyScalar(range(corners(box), up)[0]);
  const material = new LineBasicMaterial({ depthWrite: false, depthTest: !inPlane });
  const lines = gridLines(box, u, v, base, spacing, inPlane ? 1.5 * size : 0.25 * size);
  const grid = new LineSegments(new BufferGeometry().setFromPoints(lines), material);
  grid.renderOrder = -100;

  const sun = new DirectionalLight(0xffffff, 2.2);
  sun.position.copy(up).multiplyScalar(2).add(u).addScaledVector(v, -0.6);
  const repaint = () => material.color.set(colour("grid-3d"));
  repaint();
  return {
    object: new Group().add(grid, sun, new HemisphereLight(0xffffff, 0x8a8f98, 1.6)),
    spacing,
    repaint,
  };
}
