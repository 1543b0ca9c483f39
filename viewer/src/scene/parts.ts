// Bodies, points, lines, circles, joints and springs: each item becomes an object that follows its tracks.
import {
  BoxGeometry,
  BufferGeometry,
  CircleGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  Object3D,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from "three";
import { BodyItem, CircleItem, JointItem, LineItem, PointItem, SpringItem } from "../data";
import { FatLine, stillLine } from "./fat_line";
import { bodyShape, disc } from "./shapes";
import { opacityOf, Part, Style, tint } from "./style";
import { Moment, readPlace, readRotation, Track } from "./track";

export const bodyColours = 6;
const dot = 0.012,
  glyph = 0.014,
  glyphBeside = 0.11, // of the distance between neighbours, where that is less
  coil = 0.018; // of the size of the scene
const slender = 0.12,
  fewestTurns = 4,
  mostTurns = 12; // of a spring: its radius against its length at first
// Above the bodies, for drawings in the plane.
export const level = { ground: -2, trail: -1, line: 1, dot: 2, joint: 3 };
const zAxis = new Vector3(0, 0, 1),
  yAxis = new Vector3(0, 1, 0),
  xAxis = new Vector3(1, 0, 0);

export const lift = (object: Object3D, height: number, style: Style) => {
  if (style.dimension === 2) object.renderOrder = height;
  return object;
};

/** Moves an object along a track of places and, if given, of rotations. */
function follow(object: Object3D, position: Track, rotation: Track | null, style: Style): (moment: Moment) => void {
  return (moment) => {
    readPlace(position, style.dimension, moment, object.position);
    if (rotation) readRotation(rotation, moment, object.quaternion);
    object.visible = Number.isFinite(object.position.x + object.position.y + object.position.z);
  };
}

export const glyphSize = (style: Style) => Math.min(glyph * style.size, glyphBeside * style.grain);

export const bodyColour = (item: BodyItem, index: number, style: Style) =>
  item.fixed ? "fixed" : tint(`body-${index % bodyColours}`, style);

export const rotationTrack = (item: BodyItem | CircleItem, style: Style) =>
  item.rotation ? new Track(item.rotation, style.dimension === 2 ? 1 : 4) : null;

export function body(item: BodyItem, index: number, style: Style): Part {
  const colour = bodyColour(item, index, style);
  const object = bodyShape(item, colour, style);
  const update = follow(object, new Track(item.position, style.dimension), rotationTrack(item, style), style);
  return { object, layer: "parts", name: item.name, anchor: object.position, update };
}

export function point(item: PointItem, index: number, style: Style): Part {
  const radius = item.radius ?? Math.min(dot * style.size, 2 * glyphBeside * style.grain);
  const colour = tint(`body-${index % bodyColours}`, style);
  const object =
    style.dimension === 2
      ? new Mesh(new CircleGeometry(radius, 32), style.paint.flat(colour, style.ghost ? 0.2 : 1))
      : new Mesh(new SphereGeometry(radius, 24, 16), style.paint.solid(colour, opacityOf(style)));
  const update = follow(lift(object, level.dot, style), new Track(item.position, style.dimension), null, style);
  return { object, layer: "parts", name: item.name, anchor: object.position, update };
}

export function lineMaterial({ role, name }: LineItem, style: Style) {
  const own = `body-${(style.linked.get(name ?? "") ?? 0) % bodyColours}`;
  const looks: Record<string, [string, number]> = { cable: ["ink", 1.75], link: [own, 5], ground: ["fixed", 3] };
  const [colour, width] = role !== undefined && Object.hasOwn(looks, role) ? looks[role] : (["soft", 1.5] as const);
  return style.paint.line(
    role === "ground" ? colour : tint(colour, style),
    style.ghost ? 1 : width,
    style.ghost ? 0.25 : 1,
  );
}

const thickness = 0.006, thicknessBeside = 0.06; // of a bar: its radius, as of glyphs

/** A link in space: a solid, which has shades and casts a shadow. */
function bar(item: LineItem, style: Style): Part {
  const track = new Track(item.points, 6), own = style.linked.get(item.name ?? "") ?? 0;
  const r = Math.min(thickness * style.size, thicknessBeside * style.grain);
  const colour = tint(`body-${own % bodyColours}`, style);
  const object = new Mesh(new CylinderGeometry(r, r, 1, 16), style.paint.solid(colour, opacityOf(style)));
  const a = new Vector3(), b = new Vector3();
  const update = (moment: Moment) => {
    readPlace(track, 3, moment, a);
    readPlace(track, 3, moment, b, 1);
    const length = b.distanceTo(a);
    object.visible = length > 0; // not where a place is missing either
    if (!object.visible) return;
    object.position.lerpVectors(a, b, 0.5);
    object.scale.set(1, length, 1);
    object.quaternion.setFromUnitVectors(yAxis, b.sub(a).divideScalar(length));
  };
  return { object, layer: "parts", name: item.name, anchor: object.position, update };
}

export function line(item: LineItem, style: Style): Part {
  if (style.dimension === 3 && item.role === "link" && item.count === 2) return bar(item, style);
  const track = new Track(item.points, item.count * style.dimension);
  const total = item.closed ? item.count + 1 : item.count;
  const object = new FatLine(total, lineMaterial(item, style));
  lift(object, item.role === "ground" ? level.ground : level.line, style);
  const place = new Vector3(),
    anchor = new Vector3();
  const update = (moment: Moment) => {
    for (let i = 0; i < total; ++i) object.set(i, readPlace(track, style.dimension, moment, place, i % item.count));
    object.end();
    anchor.lerpVectors(readPlace(track, style.dimension, moment, anchor), place, 0.5);
  };
  return { object, layer: "parts", name: item.name, anchor, update };
}

/** Places along a coil from (0,0,0) to (0,0,1) with unit radius: a helix in space, a zigzag in the plane. */
function coilPlaces(dimension: number, turns: number): Vector3[] {
  const perTurn = dimension === 2 ? 2 : 14,
    lead = 0.12,
    last = turns * perTurn;
  const inner = Array.from({ length: last - 1 }, (_, k) => {
    const i = k + 1,
      along = lead + ((1 - 2 * lead) * i) / last,
      angle = (2 * Math.PI * i) / perTurn;
    return dimension === 2
      ? new Vector3(0, i % 2 ? 1 : -1, along)
      : new Vector3(Math.cos(angle), Math.sin(angle), along);
  });
  return [new Vector3(), new Vector3(0, 0, lead), ...inner, new Vector3(0, 0, 1 - lead), new Vector3(0, 0, 1)];
}

export function spring(item: SpringItem, style: Style): Part {
  const track = new Track(item.points, 2 * style.dimension);
  const a = new Vector3(),
    b = new Vector3(),
    along = new Vector3(),
    u = new Vector3(),
    v = new Vector3(),
    anchor = new Vector3();
  const measure = (moment: Moment) =>
    along.subVectors(readPlace(track, style.dimension, moment, b, 1), readPlace(track, style.dimension, moment, a));
  const length = measure({ index: 0, fraction: 0 }).length() || style.size;
  const radius = Math.min(coil * style.size, slender * length);
  const turns = Math.round(Math.min(mostTurns, Math.max(fewestTurns, length / (coil * style.size))));
  const places = coilPlaces(style.dimension, turns);
  const object = new FatLine(
    places.length,
    style.paint.line(tint("spring", style), style.ghost ? 1 : 2, style.ghost ? 0.25 : 1),
  );
  lift(object, level.line, style);
  const update = (moment: Moment) => {
    measure(moment);
    u.crossVectors(along, Math.abs(along.z) < 0.9 * along.length() ? zAxis : yAxis).setLength(radius);
    v.crossVectors(along, u).setLength(radius);
    if (style.dimension === 2) v.copy(u);
    places.forEach((p, i) =>
      object.set(i, anchor.copy(a).addScaledVector(along, p.z).addScaledVector(u, p.x).addScaledVector(v, p.y)),
    );
    object.end();
    anchor.lerpVectors(a, b, 0.5);
  };
  return { object, layer: "parts", name: item.name, anchor, update };
}

export function circle(item: CircleItem, style: Style): Part {
  const radius = new Track(item.radius, 1);
  const rim = disc(1, item.rotation !== undefined).map((p) => new Vector3(p.x, p.y, 0));
  const object = stillLine(rim, style.paint.line(tint("body-1", style), style.ghost ? 1 : 2, style.ghost ? 0.25 : 1));
  lift(object, level.line, style);
  const move = follow(object, new Track(item.position, style.dimension), rotationTrack(item, style), style);
  const update = (moment: Moment) => {
    move(moment);
    object.scale.setScalar(Math.max(1e-6 * style.size, radius.at(moment)));
  };
  return { object, layer: "parts", name: item.name, anchor: object.position, update };
}

/** A sign for the kind of joint, its axis along z. */
export function jointSolid(type: string | undefined, r: number): BufferGeometry {
  if (type === "revolute" || type === "cylindrical" || type === "screw")
    return new CylinderGeometry(0.6 * r, 0.6 * r, 3 * r, 24).rotateX(Math.PI / 2);
  if (type === "prismatic") return new BoxGeometry(r, r, 4 * r);
  if (type === "fixed") return new BoxGeometry(1.4 * r, 1.4 * r, 1.4 * r);
  if (type === "universal") return new TorusGeometry(r, 0.4 * r, 12, 24);
  return new SphereGeometry(0.9 * r, 20, 14);
}

function jointSign(type: string | undefined, style: Style): Object3D {
  const r = glyphSize(style);
  if (style.dimension === 3) return new Mesh(jointSolid(type, r), style.paint.solid("joint"));
  const ring = disc(0.7 * r, false).map((p) => new Vector3(p.x, p.y, 0));
  const ground = new Mesh(new CircleGeometry(0.7 * r, 32), style.paint.flat("page"));
  return new Group().add(
    lift(ground, level.joint, style),
    lift(stillLine(ring, style.paint.line("ink", 1.75)), level.joint + 1, style),
  );
}

export function joint(item: JointItem, style: Style): Part {
  const object = jointSign(item.type, style);
  const move = follow(object, new Track(item.position, style.dimension), null, style);
  const axis = style.dimension === 3 && item.axis ? new Track(item.axis, 3) : null;
  const direction = new Vector3(),
    turn = new Quaternion();
  const update = (moment: Moment) => {
    move(moment);
    if (!axis) return;
    readPlace(axis, 3, moment, direction).normalize();
    object.quaternion.copy(turn.setFromUnitVectors(zAxis, direction.lengthSq() > 0 ? direction : xAxis));
  };
  return { object, layer: "joints", name: item.name, anchor: object.position, update };
}
