// Many things of one kind drawn at once: instances of one sign or one solid, and all lines of one look in one object.
// A thousand bodies are then as quick as one.
import {
  BoxGeometry,
  BufferGeometry,
  CircleGeometry,
  InstancedMesh,
  InterleavedBufferAttribute,
  Material,
  Matrix4,
  Object3D,
  PlaneGeometry,
  Quaternion,
  RingGeometry,
  Vector3,
} from "three";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import { BodyItem, Item, JointItem, LineItem } from "../data";
import { bodyColour, bodyColours, glyphSize, jointSolid, level, lift, lineMaterial, rotationTrack } from "./parts";
import { markerEdge, solidGeometry } from "./shapes";
import { Layer, opacityOf, Part, Style } from "./style";
import { Moment, readPlace, readRotation, Track } from "./track";

export const manyItems = 40; // of a kind in a scene, from which on they are drawn together

/** A thing that is drawn as instances: its place among the items, what it shares with others, and how it is turned. */
interface Member {
  at: number;
  item: BodyItem | JointItem;
  turn(moment: Moment, out: Quaternion): void;
}

interface Look {
  geometry: BufferGeometry;
  material: Material;
  level: number;
}

const zAxis = new Vector3(0, 0, 1);
const one = new Vector3(1, 1, 1), none = new Vector3();

/** One part for each: the first has what is drawn. */
function instances(members: Member[], looks: Look[], layer: Layer, style: Style): [number, Part][] {
  const meshes = looks.map(({ geometry, material, level: height }) => {
    const mesh = new InstancedMesh(geometry, material, members.length);
    mesh.frustumCulled = false; // the bounding sphere would be that of the first frame
    mesh.castShadow = true;
    return lift(mesh, height, style) as InstancedMesh;
  });
  const whole = new Object3D();
  whole.add(...meshes);
  const matrix = new Matrix4(), turned = new Quaternion();
  return members.map(({ at, item, turn }, slot) => {
    const position = new Track(item.position, style.dimension), anchor = new Vector3();
    const update = (moment: Moment) => {
      readPlace(position, style.dimension, moment, anchor);
      const known = Number.isFinite(anchor.x + anchor.y + anchor.z);
      turn(moment, turned.identity());
      matrix.compose(known ? anchor : none, turned, known ? one : none);
      for (const mesh of meshes) {
        mesh.setMatrixAt(slot, matrix);
        mesh.instanceMatrix.needsUpdate = true;
      }
    };
    return [at, { object: slot ? new Object3D() : whole, layer, name: item.name, anchor, update }];
  });
}

/** All lines of one look; the interleaved buffer has both ends of every segment. */
function lines(members: [number, LineItem][], style: Style): [number, Part][] {
  const counts = members.map(([, item]) => (item.closed ? item.count : item.count - 1));
  const geometry = new LineSegmentsGeometry().setPositions(new Float32Array(6 * counts.reduce((a, b) => a + b, 0)));
  const whole = new LineSegments2(geometry, lineMaterial(members[0][1], style));
  whole.frustumCulled = false;
  lift(whole, members[0][1].role === "ground" ? level.ground : level.line, style);
  const { data } = geometry.getAttribute("instanceStart") as InterleavedBufferAttribute;
  const numbers = data.array as Float32Array, place = new Vector3();
  let first = 0;
  return members.map(([at, item], index) => {
    const track = new Track(item.points, item.count * style.dimension), anchor = new Vector3();
    const own = first;
    first += counts[index];
    const update = (moment: Moment) => {
      for (let i = 0; i < counts[index]; ++i)
        for (const end of [0, 1])
          readPlace(track, style.dimension, moment, place, (i + end) % item.count).toArray(numbers, 6 * (own + i)
            + 3 * end);
      anchor.lerpVectors(readPlace(track, style.dimension, moment, anchor), place, 0.5);
      data.needsUpdate = true;
    };
    return [at, { object: index ? new Object3D() : whole, layer: "parts" as Layer, name: item.name, anchor, update }];
  });
}

function jointLooks(type: string | undefined, style: Style): Look[] {
  const r = glyphSize(style);
  if (style.dimension === 3) return [{ geometry: jointSolid(type, r), material: style.paint.solid("joint"), level: 0 }];
  return [
    { geometry: new CircleGeometry(0.7 * r, 20), material: style.paint.flat("page"), level: level.joint },
    { geometry: new RingGeometry(0.55 * r, 0.7 * r, 20), material: style.paint.flat("ink"), level: level.joint + 1 },
  ];
}

function bodyLooks(item: BodyItem, index: number, style: Style): Look[] {
  const edge = markerEdge(style, item), opacity = opacityOf(style), colour = bodyColour(item, index, style);
  if (style.dimension === 2)
    return [{ geometry: new PlaneGeometry(edge, edge), material: style.paint.flat(colour, opacity), level: 0 }];
  const geometry = item.shape ? solidGeometry(item.shape) : new BoxGeometry(edge, edge, edge);
  return [{ geometry, material: style.paint.solid(colour, opacity), level: 0 }];
}

function turnOf(item: BodyItem | JointItem, style: Style): Member["turn"] {
  if (item.kind === "body") {
    const rotation = rotationTrack(item, style);
    return rotation ? (moment, out) => void readRotation(rotation, moment, out) : () => {};
  }
  const axis = style.dimension === 3 && item.axis ? new Track(item.axis, 3) : null, direction = new Vector3();
  return (moment, out) => {
    if (axis && readPlace(axis, 3, moment, direction).lengthSq() > 0) out.setFromUnitVectors(zAxis,
      direction.normalize());
  };
}

/** The parts of those items that are drawn together, by their places in the list. */
export function crowdParts(items: Item[], indices: number[], style: Style): Map<number, Part> {
  const counts = new Map<string, number>();
  for (const { kind } of items) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const groups = new Map<string, number[]>();
  items.forEach((item, at) => {
    if ((counts.get(item.kind) ?? 0) <= manyItems) return;
    const shape = item.kind === "body" && item.shape ? JSON.stringify(item.shape) : "";
    if (shape && style.dimension === 2) return;
    const look = item.kind === "body" ? [bodyColour(item, indices[at], style), shape] : item.kind === "joint"
      ? [item.type]
      : item.kind === "line" ? [item.role, (style.linked.get(item.name ?? "") ?? 0) % bodyColours] : null;
    if (!look) return;
    const key = [item.kind, ...look].join(" ");
    groups.set(key, [...(groups.get(key) ?? []), at]);
  });
  const parts: [number, Part][] = [];
  for (const places of groups.values()) {
    const [sample] = places.map((at) => items[at]);
    if (sample.kind === "line") parts.push(...lines(places.map((at) => [at, items[at] as LineItem]), style));
    if (sample.kind !== "body" && sample.kind !== "joint") continue;
    const looks = sample.kind === "body" ? bodyLooks(sample, indices[places[0]], style) : jointLooks(sample.type,
      style);
    const members = places.map((at): Member => {
      const item = items[at] as BodyItem | JointItem;
      return { at, item, turn: turnOf(item, style) };
    });
    parts.push(...instances(members, looks, sample.kind === "body" ? "parts" : "joints", style));
  }
  return new Map(parts);
}
