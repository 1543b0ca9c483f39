// Beams and strings: their section drawn along a smooth line through their nodes, coloured by what they bear.
import { Mesh, Vector3 } from "three";
import { MemberItem } from "../data";
import { below } from "../search";
import { lift } from "./parts";
import { rectangle, round, Section, Skin } from "./section";
import { smooth } from "./smooth";
import { Part, Style, tint } from "./style";
import { Moment, Track } from "./track";

const thickness = { beam: 0.006, string: 0.0025, least: 0.0016 }; // radii, of the size of the scene
const places = 120, // along a member, about
  mostPieces = 12, // between two nodes
  manyPlaces = 300; // from which on it has fewer sides
const height = 1; // with lines, for drawings in the plane

function sectionOf({ radii, sides, role }: MemberItem, rings: number, style: Style): Section {
  const least = thickness.least * style.size;
  if (style.dimension === 2) {
    // What one sees along z: the second side, or the diameter.
    const half = sides ? sides[1] / 2 : (radii?.[0] ?? thickness[role ?? "beam"] * style.size);
    return {
      corners: [-1, 1].map((side) => ({ place: [0, side * Math.max(least, half)], normal: [1, 0] })),
      edges: [[0, 1]],
      hollow: 0,
    };
  }
  if (sides) return rectangle(Math.max(2 * least, sides[0]), Math.max(2 * least, sides[1]));
  const [outer, inner] = radii ?? [thickness[role ?? "beam"] * style.size, 0];
  return round(Math.max(least, outer), inner, rings > manyPlaces ? 8 : 16);
}

/** The part of the range of its colour at the i-th point of a member. */
export function sharesOf({ colour, forces, at }: MemberItem): (moment: Moment, i: number) => number {
  if (!colour || !forces || !at) return () => 0.5;
  const tracks = forces.filter(({ name }) => colour.forces.includes(name)).map((f) => new Track(f.values, at.length));
  const [low, high] = colour.range;
  return (moment, i) => {
    const value = colour.signless
      ? Math.sqrt(tracks.reduce((sum, track) => sum + track.at(moment, i) ** 2, 0))
      : tracks[0].at(moment, i);
    return high > low ? (value - low) / (high - low) : 0.5;
  };
}

export function member(item: MemberItem, style: Style): Part {
  const { nodes, count } = item,
    d = style.dimension;
  const axis = smooth(nodes, Math.max(1, Math.min(mostPieces, Math.ceil(places / (count - 1)))));
  const rings = axis.s.length;
  const skin = new Skin(sectionOf(item, rings, style), rings);
  const coloured = item.colour !== undefined && !style.ghost && !style.hue;
  const plain = d === 2 ? "flat" : "solid";
  const material = coloured
    ? style.paint.loads()
    : style.paint[plain](tint("body-0", style), style.ghost ? (d === 2 ? 0.25 : 0.16) : 1);
  const object = new Mesh(skin.geometry, material);
  object.frustumCulled = false; // the bounding sphere would be that of the first frame
  lift(object, height, style);

  const points = item.at ?? [],
    share = sharesOf(item),
    before = axis.s.map((s) => (points.length ? below(points, s) : 0));
  const track = new Track(item.points, count * d),
    normals = item.normals && d === 3 ? new Track(item.normals, count * 3) : null;
  const at = new Float64Array(3 * count),
    across = new Float64Array(3 * count),
    shares = new Float64Array(Math.max(1, points.length)).fill(0.5);
  const place = new Vector3(),
    d1 = new Vector3(),
    d2 = new Vector3(),
    d3 = new Vector3(),
    anchor = new Vector3();

  const read = (moment: Moment) => {
    for (let k = 0; k < count; ++k)
      for (let c = 0; c < d; ++c) at[3 * k + c] = track.smooth(moment, d * k + c);
    if (normals) for (let k = 0; k < 3 * count; ++k) across[k] = normals.smooth(moment, k);
    if (coloured) for (let k = 0; k < points.length; ++k) shares[k] = share(moment, k);
  };
  const vector = (out: Vector3, of: typeof axis.value, numbers: Float64Array, i: number) =>
    out.set(of(numbers, 3, 0, i), of(numbers, 3, 1, i), of(numbers, 3, 2, i));
  /** That of the section or, of what is round, that of the place before, which does not twist; in the plane z. */
  const turn = (i: number) => {
    if (d === 2) d1.set(0, 0, 1);
    else if (normals) vector(d1, axis.value, across, i);
    else if (i === 0) d1.set(Math.abs(d3.x) < 0.8 ? 1 : 0, Math.abs(d3.x) < 0.8 ? 0 : 1, 0);
    d1.addScaledVector(d3, -d1.dot(d3)).normalize();
    d2.crossVectors(d3, d1);
  };
  /** Between points straight, beyond them constant. */
  const shareAt = (i: number) => {
    const k = before[i],
      next = Math.min(k + 1, points.length - 1);
    const part = next > k ? Math.max(0, (axis.s[i] - points[k]) / (points[next] - points[k])) : 0;
    return next > k ? shares[k] + part * (shares[next] - shares[k]) : shares[k];
  };
  const update = (moment: Moment) => {
    read(moment);
    for (let i = 0; i < rings; ++i) {
      vector(place, axis.value, at, i);
      vector(d3, axis.slope, at, i).normalize();
      turn(i);
      skin.set(i, place, d1, d2, d3, shareAt(i));
      if (i === rings >> 1) anchor.copy(place);
    }
    skin.end();
    object.visible = Number.isFinite(anchor.x + anchor.y + anchor.z);
  };
  return { object, layer: "parts", name: item.name, anchor, update };
}
