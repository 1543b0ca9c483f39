// What surrounds the mechanism: a grid of round spacing, light, and in space the shadows on the ground.
import {
  Box3,
  BufferGeometry,
  DirectionalLight,
  Group,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  Object3D,
  PlaneGeometry,
  Quaternion,
  ShadowMaterial,
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

const reach = 0.8, far = 6; // of the size of the world, which is 1 where light is measured

/** A plane that shows nothing but shadows. */
function ground(sun: DirectionalLight, shade: ShadowMaterial, centre: Vector3, up: Vector3, size: number): Mesh {
  const { camera, mapSize } = sun.shadow;
  sun.castShadow = true;
  Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1, far });
  mapSize.set(1024, 1024);
  const plane = new Mesh(new PlaneGeometry(6 * size, 6 * size), shade);
  plane.position.copy(centre);
  plane.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up));
  plane.receiveShadow = true;
  plane.renderOrder = -99;
  return plane;
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
  const centre = box.getCenter(new Vector3());
  sun.target.position.copy(centre);
  sun.position.copy(up).multiplyScalar(2).add(u).addScaledVector(v, -0.6).multiplyScalar(size).add(centre);
  const shade = new ShadowMaterial({ depthWrite: false, polygonOffset: true, polygonOffsetFactor: 1,
    polygonOffsetUnits: 4 });
  const object = new Group().add(grid, sun, sun.target, new HemisphereLight(0xffffff, 0x8a8f98, 1.6));
  if (!inPlane) object.add(ground(sun, shade, base.clone().add(centre).addScaledVector(up, -centre.dot(up)), up, size));
  const repaint = () => {
    material.color.set(colour("grid-3d"));
    shade.opacity = Number(colour("shadow"));
  };
  repaint();
  return { object, spacing, repaint };
}
