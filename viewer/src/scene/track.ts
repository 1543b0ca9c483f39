// Numbers that change from frame to frame, read at any time in between.
import { Quaternion, Vector3 } from "three";
import { decode, Values } from "../data";
import { below, nearest } from "../search";

/** A place between two frames. */
export interface Moment {
  index: number;
  fraction: number;
}

/** Frames that are held show nothing in between: the nearest one. */
export function momentAt(time: Float64Array, t: number, held = false): Moment {
  if (held) return { index: nearest(time, t), fraction: 0 };
  const index = below(time, t);
  const span = time[index + 1] - time[index];
  return { index, fraction: span > 0 ? Math.min(1, Math.max(0, (t - time[index]) / span)) : 0 };
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
}

/** The k-th place of a frame, in the plane with z = 0. */
export function readPlace(track: Track, dimension: number, moment: Moment, out: Vector3, k = 0): Vector3 {
  const first = k * dimension;
  return out.set(
    track.at(moment, first),
    track.at(moment, first + 1),
    dimension === 3 ? track.at(moment, first + 2) : 0,
  );
}

const from = new Quaternion(),
  to = new Quaternion(),
  zAxis = new Vector3(0, 0, 1);
const turn = 2 * Math.PI;

function angleAt(track: Track, { index, fraction }: Moment): number {
  const a = track.at({ index, fraction: 0 }),
    b = track.at({ index: index + 1, fraction: 0 });
  return a + fraction * (b - a - turn * Math.round((b - a) / turn));
}

/** In the plane an angle, in space a quaternion w x y z, turned the shorter way between frames. */
export function readRotation(track: Track, moment: Moment, out: Quaternion): Quaternion {
  if (track.width === 1) return out.setFromAxisAngle(zAxis, angleAt(track, moment));
  const read = (q: Quaternion, index: number) => {
    const frame = { index, fraction: 0 };
    return q.set(track.at(frame, 1), track.at(frame, 2), track.at(frame, 3), track.at(frame, 0)).normalize();
  };
  return out.copy(read(from, moment.index)).slerp(read(to, moment.index + 1), moment.fraction);
}
