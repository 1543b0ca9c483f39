// Numbers that change from frame to frame, read at any time in between: places and rotations along a cubic, the rest
// along a line.
import { Quaternion, Vector3 } from "three";
import { decode, Values } from "../data";
import { below, nearest } from "../search";
import { slopeWeights } from "./smooth";

/** A place between two frames. */
export interface Moment {
  index: number;
  fraction: number;
  curve?: { first: number; weights: number[] }; // what the frames around it count for, where motions are smooth
}

/** The cubic between two frames whose slopes are those of the parabolas through each and its neighbours. */
function curveAt(time: Float64Array, index: number, x: number): Moment["curve"] {
  const first = Math.max(0, Math.min(index - 1, time.length - 4)), nodes = time.subarray(first, first + 4);
  if (nodes.length < 3 || nodes.some((t, i) => i > 0 && !(t > nodes[i - 1]))) return undefined;
  const n = index - first, y = 1 - x, length = nodes[n + 1] - nodes[n];
  const weights = Array.from(nodes, () => 0);
  weights[n] += y * y * (1 + 2 * x);
  weights[n + 1] += x * x * (1 + 2 * y);
  for (const [node, weight] of slopeWeights(nodes, n)) weights[node] += x * y * y * length * weight;
  for (const [node, weight] of slopeWeights(nodes, n + 1)) weights[node] -= x * x * y * length * weight;
  return { first, weights };
}

/** Frames that are held show nothing in between: the nearest one. */
export function momentAt(time: Float64Array, t: number, held = false): Moment {
  if (held) return { index: nearest(time, t), fraction: 0 };
  const index = below(time, t);
  const span = time[index + 1] - time[index];
  const fraction = span > 0 ? Math.min(1, Math.max(0, (t - time[index]) / span)) : 0;
  return fraction > 0 && fraction < 1 ? { index, fraction, curve: curveAt(time, index, fraction) } : { index,
    fraction };
}

export class Track {
  readonly data: Float64Array;
  readonly frames: number;

  constructor(
    values: Values,
    readonly width: number,
  ) {
    this.data = decode(values);
    this.frames = Math.floor(this.data.length / width);
  }

  /** The k-th number at a moment; a track of one frame stands still. */
  at(moment: Moment, k = 0): number {
    const i = Math.min(moment.index, this.frames - 1),
      j = Math.min(i + 1, this.frames - 1);
    const a = this.data[i * this.width + k],
      b = this.data[j * this.width + k];
    return moment.fraction > 0 ? a + (b - a) * moment.fraction : a;
  }

  /** The same along a smooth curve; along the line where a frame around is missing. */
  smooth(moment: Moment, k = 0): number {
    const { curve } = moment;
    if (!curve || this.frames < curve.first + curve.weights.length) return this.at(moment, k);
    let sum = 0;
    for (let j = 0; j < curve.weights.length; ++j) sum += curve.weights[j] * this.data[(curve.first + j) * this.width
      + k];
    return Number.isFinite(sum) ? sum : this.at(moment, k);
  }
}

/** The k-th place of a frame, in the plane with z = 0. */
export function readPlace(track: Track, dimension: number, moment: Moment, out: Vector3, k = 0): Vector3 {
  const first = k * dimension;
  return out.set(
    track.smooth(moment, first),
    track.smooth(moment, first + 1),
    dimension === 3 ? track.smooth(moment, first + 2) : 0,
  );
}

/** A force or a torque, which may jump: between frames along a line. */
export function readVector(track: Track, dimension: number, moment: Moment, out: Vector3): Vector3 {
  return out.set(track.at(moment), track.at(moment, 1), dimension === 3 ? track.at(moment, 2) : 0);
}

const from = new Quaternion(),
  to = new Quaternion(),
  zAxis = new Vector3(0, 0, 1);
const turn = 2 * Math.PI;

/** Angles of the frames around, turned on by the shorter way; along the curve through them. */
function angleAt(track: Track, moment: Moment): number {
  const { index, fraction, curve } = moment;
  const angle = (frame: number) => track.at({ index: frame, fraction: 0 });
  const on = (from: number, to: number) => to - from - turn * Math.round((to - from) / turn);
  if (!curve || track.frames < curve.first + curve.weights.length)
    return angle(index) + fraction * on(angle(index), angle(index + 1));
  let sum = 0, at = angle(curve.first);
  curve.weights.forEach((weight, j) => {
    if (j > 0) at += on(at, angle(curve.first + j));
    sum += weight * at;
  });
  return sum;
}

/** In the plane an angle, in space a quaternion w x y z: smooth, by the shorter way. */
export function readRotation(track: Track, moment: Moment, out: Quaternion): Quaternion {
  if (track.width === 1) return out.setFromAxisAngle(zAxis, angleAt(track, moment));
  const read = (q: Quaternion, index: number) => {
    const frame = { index, fraction: 0 };
    return q.set(track.at(frame, 1), track.at(frame, 2), track.at(frame, 3), track.at(frame, 0)).normalize();
  };
  const { curve } = moment;
  if (!curve || track.frames < curve.first + curve.weights.length)
    return out.copy(read(from, moment.index)).slerp(read(to, moment.index + 1), moment.fraction);
  const sum = [0, 0, 0, 0];
  read(from, curve.first);
  curve.weights.forEach((weight, j) => {
    read(to, curve.first + j);
    if (to.dot(from) < 0) to.set(-to.x, -to.y, -to.z, -to.w); // the same rotation, on the near side
    from.copy(to);
    to.toArray().forEach((value, i) => (sum[i] += weight * value));
  });
  return out.fromArray(sum).normalize();
}
