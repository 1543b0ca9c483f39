// What a report holds, as the program writes it into the page (described in README.md).

import { fromRice, Rice } from "./rice";
import type { Sweep } from "./sweep/data";

export type Values = (number | null)[] | { f32: string } | { f64: string } | Rice;

export interface Figure {
  label: string;
  value: number | string | null;
  unit?: string;
  note?: string;
}

export interface Column {
  name: string;
  label?: string;
  unit?: string;
  group: string;
  panel?: string;
  values: Values;
  reference?: Values;
  stepped?: boolean;
  dotted?: boolean;
  log?: boolean;
}

export interface Event {
  t: number;
  label: string;
}

export type Shape =
  | { box: number[] }
  | { cylinder: [number, number] }
  | { sphere: number }
  | { mesh: { vertices: Values; triangles: Values } };

export interface BodyItem {
  kind: "body";
  name?: string;
  position: Values;
  rotation?: Values;
  shape?: Shape;
  fixed?: boolean;
}
export interface PointItem {
  kind: "point";
  name?: string;
  position: Values;
  radius?: number;
}
export interface LineItem {
  kind: "line";
  name?: string;
  points: Values;
  count: number;
  role?: string;
  closed?: boolean;
}
export interface SpringItem {
  kind: "spring";
  name?: string;
  points: Values;
}
export interface CircleItem {
  kind: "circle";
  name?: string;
  position: Values;
  radius: Values;
  rotation?: Values;
}
export interface JointItem {
  kind: "joint";
  name?: string;
  type?: string;
  position: Values;
  axis?: Values;
}
export interface ArrowItem {
  kind: "arrow";
  name?: string;
  position: Values;
  vector: Values;
  role?: string;
  unit?: string;
}
export interface TraceItem {
  kind: "trace";
  name?: string;
  points: Values;
  reference?: Values;
}
export interface SectionForce {
  name: string;
  unit?: string;
  values: Values;
  low: Values;
  high: Values;
}
export interface MemberColour {
  title: string;
  unit?: string;
  forces: string[];
  signless: boolean;
  range: [number, number];
}
export interface MemberItem {
  kind: "member";
  name?: string;
  points: Values;
  count: number;
  nodes: number[];
  role?: "string";
  radii?: [number, number];
  sides?: [number, number];
  normals?: Values;
  at?: number[];
  forces?: SectionForce[];
  colour?: MemberColour;
}
export type Item =
  | BodyItem
  | PointItem
  | LineItem
  | SpringItem
  | CircleItem
  | JointItem
  | ArrowItem
  | TraceItem
  | MemberItem;

export interface Scene {
  dimension: 2 | 3;
  up?: number[];
  time: Values;
  items: Item[];
  bounds?: { min: number[]; max: number[] };
  ghosts?: number[];
  unit?: string;
  axes?: string[];
  note?: string;
  held?: boolean;
}

/** Rows at equal distances, of some columns. */
export interface Even {
  time: Values;
  columns: { name: string; values: Values; reference?: Values }[];
}

export interface Run {
  name: string;
  note?: string;
  incomplete?: string;
  time?: Values;
  rows?: { shown: number; of: number };
  columns?: Column[];
  even?: Even;
  events?: Event[];
  scene?: Scene;
}

export type Cell = string | number | null;

export interface Table {
  title: string;
  columns: string[];
  rows: Cell[][];
}

export interface Convergence {
  x: string;
  y: string;
  series: { name: string; x: Values; y: Values; order?: number }[];
}

export type Detail = { title: string; rows: string[][] } | { title: string; text: string };

export interface Report {
  format: 1;
  name: string;
  task: string;
  verdict: string;
  said?: string[];
  status: "complete" | "incomplete" | "failed";
  message?: string;
  warnings?: string[];
  figures?: Figure[];
  table?: Table;
  runs: Run[];
  convergence?: Convergence;
  sweep?: Sweep;
  details?: Detail[];
  documentation?: string; // where its pages stand
  version?: string;
}

function bytes(base64: string): ArrayBuffer {
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) out[i] = text.charCodeAt(i);
  return out.buffer;
}

const decoded = new WeakMap<Rice, Float64Array>(); // which takes its time

function decodeRice(values: Rice): Float64Array {
  const numbers = decoded.get(values) ?? fromRice(values, new Uint8Array(bytes(values.rice)));
  decoded.set(values, numbers);
  return numbers;
}

/** Missing numbers become NaN. The numbers are not to be changed. */
export function decode(values: Values): Float64Array {
  if (Array.isArray(values)) return Float64Array.from(values, (v) => v ?? NaN);
  if ("rice" in values) return decodeRice(values);
  return "f64" in values ? new Float64Array(bytes(values.f64)) : Float64Array.from(new Float32Array(bytes(values.f32)));
}

export function readReport(): Report {
  const report = JSON.parse(document.getElementById("invar-data")!.textContent!) as Report;
  if (report.format !== 1) throw new Error(`this page reads format 1, the data have format ${report.format}`);
  return report;
}
