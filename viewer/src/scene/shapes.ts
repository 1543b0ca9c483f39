// What bodies look like: solids in space, filled outlines in the plane.
import {
  AxesHelper,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  Object3D,
  Shape as Outline,
  ShapeGeometry,
  SphereGeometry,
  Vector2,
  Vector3,
} from "three";
import { BodyItem, decode, Shape } from "../data";
import { stillLine, stillStrokes } from "./fat_line";
import { silhouette } from "./silhouette";
import { opacityOf, Style } from "./style";

const defaultSize = 0.03; // of the scene, for a body without a shape
const sharp = 30; // degrees between faces from which on an edge is drawn

const besideOthers = 0.35; // of the distance between neighbours, where that is less

const beside = 0.45; // links that show the body

/** The edge of the cube that stands for a body without a shape. */
export const markerEdge = (style: Style, { name }: BodyItem) =>
  Math.min(defaultSize * style.size, besideOthers * style.grain) * (style.linked.has(name ?? "") ? beside : 1);

export function solidGeometry(shape: Shape): BufferGeometry {
  if ("box" in shape) return new BoxGeometry(shape.box[0], shape.box[1], shape.box[2] ?? shape.box[1]);
  if ("sphere" in shape) return new SphereGeometry(shape.sphere, 32, 20);
  if ("cylinder" in shape) {
    const [radius, length] = shape.cylinder;
    return new CylinderGeometry(radius, radius, length, 40).rotateX(Math.PI / 2);
  }
  const mesh = new BufferGeometry();
  mesh.setAttribute("position", new BufferAttribute(Float32Array.from(decode(shape.mesh.vertices)), 3));
  mesh.setIndex(Array.from(decode(shape.mesh.triangles)));
  mesh.computeVertexNormals();
  return mesh;
}

/** three.js takes places within 1e-4 of each other for one, whatever the size of the body. */
function edgesOf(form: BufferGeometry): BufferGeometry {
  form.computeBoundingSphere();
  const size = form.boundingSphere!.radius || 1;
  const unit = form.clone().scale(1 / size, 1 / size, 1 / size);
  return new EdgesGeometry(unit, sharp).scale(size, size, size);
}

function solid(shape: Shape, colour: string, style: Style): Object3D {
  const form = solidGeometry(shape);
  const mesh = new Mesh(form, style.paint.solid(colour, opacityOf(style)));
  if (style.ghost || "sphere" in shape) return mesh;
  const edges = new LineBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.28 });
  return new Group().add(mesh, new LineSegments(edgesOf(form), edges));
}

function rectangle(a: number, b: number): Vector2[] {
  return [
    [-a, -b],
    [a, -b],
    [a, b],
    [-a, b],
    [-a, -b],
  ].map(([x, y]) => new Vector2(x / 2, y / 2));
}

/** With a spoke, so that one sees it turn. */
export function disc(radius: number, spoke: boolean): Vector2[] {
  const rim = Array.from({ length: 97 }, (_, i) =>
    new Vector2(radius, 0).rotateAround(new Vector2(), (i * Math.PI) / 48),
  );
  return spoke ? [new Vector2(), ...rim] : rim;
}

function outline(shape: Exclude<Shape, { mesh: unknown }>, turns: boolean): Vector2[] {
  if ("box" in shape) return rectangle(shape.box[0], shape.box[1] ?? shape.box[0]);
  if ("cylinder" in shape) return disc(shape.cylinder[0], turns);
  return disc(shape.sphere, turns);
}

function drawing(shape: Shape, colour: string, turns: boolean, style: Style): Object3D {
  const inside = style.paint.flat(colour, style.ghost ? 0.08 : 0.3);
  const line = style.paint.line(colour, style.ghost ? 1 : 2, style.ghost ? 0.3 : 1);
  if ("mesh" in shape) {
    const { fill, rim } = silhouette(decode(shape.mesh.vertices), decode(shape.mesh.triangles));
    return new Group().add(new Mesh(fill, inside), stillStrokes(rim, line));
  }
  const rim = outline(shape, turns);
  return new Group().add(
    new Mesh(new ShapeGeometry(new Outline(rim)), inside),
    stillLine(
      rim.map((p) => new Vector3(p.x, p.y, 0)),
      line,
    ),
  );
}

export function bodyShape(item: BodyItem, colour: string, style: Style): Object3D {
  const { shape } = item, edge = markerEdge(style, item);
  const form = shape ?? { box: [edge, edge, edge] };
  if (style.dimension === 2) return drawing(form, colour, item.rotation !== undefined, style);
  const object = solid(form, colour, style);
  return shape || style.ghost || style.linked.has(item.name ?? "") ? object : new Group().add(object,
    new AxesHelper(2 * edge));
}
