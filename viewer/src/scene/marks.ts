// What is drawn on top of the mechanism: force arrows and the paths of outputs.
import {
  BufferGeometry,
  CircleGeometry,
  ConeGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  Points,
  SphereGeometry,
  Vector3,
} from "three";
import { ArrowItem, TraceItem } from "../data";
import { curveName } from "../theme";
import { FatLine, stillLine } from "./fat_line";
import { lift } from "./parts";
import { Part, Style, tint } from "./style";
import { Moment, momentAt, readPlace, readVector, Track } from "./track";

export const longestArrow = 0.2; // of the size of the scene
const thickness = 0.004,
  shortest = 1e-3; // of the size of the scene; of the longest arrow
const dash = 0.012;
const level = { trace: -1, arrow: 5 };
const yAxis = new Vector3(0, 1, 0);

export function longestVector(item: ArrowItem, dimension: number): number {
  const track = new Track(item.vector, dimension);
  let longest = 0;
  for (let index = 0; index < track.frames; ++index) {
    const length = readVector(track, dimension, { index, fraction: 0 }, new Vector3()).length();
    if (length > longest) longest = length;
  }
  return longest;
}

export function arrow(item: ArrowItem, style: Style): Part {
  const role = item.role ?? "force";
  const colour = role === "torque" || role === "velocity" ? role : "force";
  const material = style.paint.flat(tint(colour, style)); // a sign, not a thing: no shades
  const r = thickness * style.size,
    head = 7 * r;
  const shaft = new Mesh(new CylinderGeometry(r, r, 1, 12).translate(0, 0.5, 0), material);
  const tips = (role === "torque" ? [0, 0.7] : [0]).map(
    (back) => new Mesh(new ConeGeometry(3 * r, head, 20).translate(0, -head / 2 - back * head, 0), material),
  );
  const object = new Group().add(lift(shaft, level.arrow, style), ...tips.map((tip) => lift(tip, level.arrow, style)));

  const position = new Track(item.position, style.dimension),
    vector = new Track(item.vector, style.dimension);
  const longest = style.longest.get(role) || 1;
  const direction = new Vector3(),
    anchor = new Vector3();
  const update = (moment: Moment) => {
    readPlace(position, style.dimension, moment, object.position);
    const size = readVector(vector, style.dimension, moment, direction).length() / longest;
    object.visible = size > shortest;
    if (!object.visible) return;
    const length = size * longestArrow * style.size;
    const scale = Math.min(1, length / (1.5 * head)); // short arrows are small arrows
    shaft.scale.set(scale, length - 0.5 * head * scale, scale);
    for (const tip of tips) {
      tip.scale.setScalar(scale);
      tip.position.y = length;
    }
    direction.normalize();
    object.quaternion.setFromUnitVectors(yAxis, direction);
    anchor.copy(object.position).addScaledVector(direction, length);
  };
  return { object, layer: "arrows", name: item.name, anchor, update };
}

function places(track: Track, dimension: number): Vector3[] {
  return Array.from({ length: track.frames }, (_, index) =>
    readPlace(track, dimension, { index, fraction: 0 }, new Vector3()),
  ).filter((p) => Number.isFinite(p.x + p.y + p.z));
}

const mostPieces = 4, manyPlaces = 4000, lately = 1000;

/** The way through the frames, along the same curve as the motion, in so many pieces between two of them. */
function wayOf(track: Track, time: Float64Array, dimension: number): { way: Vector3[]; pieces: number } {
  const frames = places(track, dimension);
  const pieces = Math.max(1, Math.min(mostPieces, Math.floor(manyPlaces / frames.length)));
  if (pieces === 1 || frames.length < track.frames || track.frames !== time.length) return { way: frames, pieces: 1 };
  const way = frames.flatMap((place, k) =>
    k + 1 === frames.length ? [place] : Array.from({ length: pieces }, (_, i) =>
      readPlace(track, dimension, momentAt(time, time[k] + (i / pieces) * (time[k + 1] - time[k])), new Vector3())));
  return { way, pieces };
}

/** The whole path faintly, the part behind the point strongly, the desired path dashed. Of frames that are held only
 *  the places are known, not the way between them; of very many only those lately taken are joined. */
export function trace(item: TraceItem, index: number, style: Style, time: Float64Array, held = false): Part {
  const track = new Track(item.points, style.dimension);
  const colour = tint(curveName(index), style);
  const { way: path, pieces } = held ? { way: places(track, style.dimension), pieces: 1 } : wayOf(track, time,
    style.dimension);
  const object = new Group();
  const done: FatLine[] = [];
  const recent = held || path.length <= manyPlaces ? null : new FatLine(lately, style.paint.line(colour, 2.5));
  if (held || recent) {
    object.add(new Points(new BufferGeometry().setFromPoints(path), style.paint.dots(colour, 1.5, held ? 0.6 : 0.25)));
    if (recent) object.add(recent);
  } else if (path.length > 1) {
    done.push(stillLine(path, style.paint.line(colour, 2.5)));
    object.add(stillLine(path, style.paint.line(colour, 1.5, 0.3)), ...done);
  }
  if (item.reference) {
    const desired = places(new Track(item.reference, style.dimension), style.dimension);
    if (desired.length > 1) object.add(stillLine(desired, style.paint.line("ink", 1.25, 0.7, dash * style.size)));
  }
  const r = 1.5 * thickness * style.size;
  const marker =
    style.dimension === 2
      ? new Mesh(new CircleGeometry(r, 24), style.paint.flat(colour))
      : new Mesh(new SphereGeometry(r, 16, 12), style.paint.solid(colour));
  object.add(marker);
  object.children.forEach((child) => lift(child, level.trace, style));
  lift(marker, level.arrow, style);
  const update = (moment: Moment) => {
    readPlace(track, style.dimension, moment, marker.position);
    if (recent) {
      const end = moment.index;
      for (let i = 0; i < lately; ++i) recent.set(i, path[Math.max(0, end - lately + 2 + i)] ?? marker.position);
      recent.set(lately - 1, marker.position);
      recent.end();
    }
    for (const line of done) line.showSegments(Math.round((moment.index + moment.fraction) * pieces));
  };
  return { object, layer: "traces", name: item.name, anchor: marker.position, update };
}
