// A polyline with a width in pixels whose places change in place, without new buffers.
import { InterleavedBufferAttribute, Vector3 } from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";

const perSegment = 6;

export class FatLine extends Line2 {
  private numbers: Float32Array;

  constructor(
    private places: number,
    material: LineMaterial,
  ) {
    super(new LineGeometry().setPositions(new Float32Array(3 * Math.max(2, places))), material);
    this.numbers = (this.geometry.getAttribute("instanceStart") as InterleavedBufferAttribute).data
      .array as Float32Array;
    this.frustumCulled = false; // the bounding sphere would be that of the first frame
  }

  /** The i-th place; after the last one call end(). */
  set(i: number, place: Vector3): void {
    if (i < this.places - 1) place.toArray(this.numbers, i * perSegment);
    if (i > 0) place.toArray(this.numbers, (i - 1) * perSegment + 3);
  }

  end(): void {
    (this.geometry.getAttribute("instanceStart") as InterleavedBufferAttribute).data.needsUpdate = true;
  }

  /** Draws the first segments only. */
  showSegments(count: number): void {
    this.geometry.instanceCount = count;
  }
}

/** A line that stays as it is. */
export function stillLine(places: Vector3[], material: LineMaterial): FatLine {
  const line = new FatLine(places.length, material);
  places.forEach((place, i) => line.set(i, place));
  line.end();
  if (material.dashed) line.computeLineDistances();
  return line;
}

/** Single strokes that stay as they are, from pairs of places. */
export function stillStrokes(ends: Vector3[], material: LineMaterial): LineSegments2 {
  return new LineSegments2(new LineSegmentsGeometry().setPositions(ends.flatMap((p) => p.toArray())), material);
}
