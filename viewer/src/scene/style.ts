// What all parts of one picture have in common, and what a part is.
import { Object3D, Vector3 } from "three";
import { Paint } from "./paint";
import { Moment } from "./track";

export interface Style {
  dimension: 2 | 3;
  size: number; // diagonal of the scene
  grain: number; // a typical distance between neighbouring bodies
  paint: Paint;
  ghost: boolean;
  hue?: string; // of the run, where several share the picture
  longest: Map<string, number>; // the longest arrow of each role
  linked: ReadonlyMap<string, number>; // bodies that are shown by links, with the place of their colour
}

/** The colour of a thing that may differ between runs. */
export const tint = (own: string, style: Style) => style.hue ?? own;

/** Of solids: one sees the runs that share a picture through each other. */
export const opacityOf = ({ ghost, hue }: Style) => (ghost ? 0.16 : hue ? 0.6 : 1);

/** What the viewer can switch off. */
export type Layer = "parts" | "joints" | "arrows" | "traces" | "trails";

export interface Part {
  object: Object3D;
  layer: Layer;
  name?: string;
  anchor: Vector3; // where its name stands
  update(moment: Moment, t: number): void;
}
