// The surface of a member: its section, drawn along its axis, with ends.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Vector3 } from "three";

/** A corner of a section, by its places along d1 and d2, and the direction in which the surface looks there. */
interface Corner {
  place: [number, number];
  normal: [number, number];
}

export interface Section {
  corners: Corner[];
  edges: [number, number][]; // pairs of corners
  hollow: number; // the hole, as a part of the whole
}

export function round(radius: number, inner: number, sides: number): Section {
  const corners = Array.from({ length: sides }, (_, i): Corner => {
    const angle = (2 * Math.PI * i) / sides,
      normal: [number, number] = [Math.cos(angle), Math.sin(angle)];
    return { place: [radius * normal[0], radius * normal[1]], normal };
  });
  return { corners, edges: corners.map((_, i) => [i, (i + 1) % sides]), hollow: inner / radius };
}

/** Each side with corners of its own: edges are sharp. */
export function rectangle(a: number, b: number): Section {
  const sides: [number, number][] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ];
  const corners = sides.flatMap(([x, y]) =>
    [-1, 1].map((end): Corner => ({ place: [((x - y * end) * a) / 2, ((y + x * end) * b) / 2], normal: [x, y] })),
  );
  return { corners, edges: sides.map((_, i) => [2 * i, 2 * i + 1]), hollow: 0 };
}

/** Rings of corners along the axis; then at each end the rim and the hole in it. */
export class Skin {
  readonly geometry = new BufferGeometry();
  private places: Float32Array;
  private normals: Float32Array;
  private shares: Float32Array;
  private perRing: number;

  constructor(
    private section: Section,
    private rings: number,
  ) {
    this.perRing = section.corners.length;
    const count = this.perRing * (rings + 4);
    const attribute = (name: string, size: number) => {
      const data = new BufferAttribute(new Float32Array(size * count), size).setUsage(DynamicDrawUsage);
      this.geometry.setAttribute(name, data);
      return data.array as Float32Array;
    };
    this.places = attribute("position", 3);
    this.normals = attribute("normal", 3);
    this.shares = attribute("uv", 2);
    this.geometry.setIndex(this.triangles());
  }

  private triangles(): number[] {
    const list: number[] = [];
    const quad = (ring: number, next: number) => {
      for (const [i, j] of this.section.edges) {
        const a = ring * this.perRing,
          b = next * this.perRing;
        list.push(a + i, a + j, b + j, a + i, b + j, b + i);
      }
    };
    for (let ring = 0; ring + 1 < this.rings; ++ring) quad(ring, ring + 1);
    quad(this.rings + 1, this.rings);
    quad(this.rings + 2, this.rings + 3);
    return list;
  }

  /** The i-th ring at a place with its axes; the share of the range of colours there. */
  set(i: number, place: Vector3, d1: Vector3, d2: Vector3, d3: Vector3, share: number): void {
    this.ring(i, place, d1, d2, 1, share, null);
    if (i !== 0 && i + 1 !== this.rings) return;
    const end = i === 0 ? this.rings : this.rings + 2;
    const outward = d3.clone().multiplyScalar(i === 0 ? -1 : 1);
    this.ring(end, place, d1, d2, 1, share, outward);
    this.ring(end + 1, place, d1, d2, this.section.hollow, share, outward);
  }

  end(): void {
    for (const name of ["position", "normal", "uv"]) this.geometry.getAttribute(name).needsUpdate = true;
  }

  private ring(
    ring: number,
    { x, y, z }: Vector3,
    d1: Vector3,
    d2: Vector3,
    scale: number,
    share: number,
    facing: Vector3 | null,
  ): void {
    this.section.corners.forEach(({ place, normal }, k) => {
      const i = ring * this.perRing + k,
        a = scale * place[0],
        b = scale * place[1];
      this.places[3 * i] = x + a * d1.x + b * d2.x;
      this.places[3 * i + 1] = y + a * d1.y + b * d2.y;
      this.places[3 * i + 2] = z + a * d1.z + b * d2.z;
      this.normals[3 * i] = facing ? facing.x : normal[0] * d1.x + normal[1] * d2.x;
      this.normals[3 * i + 1] = facing ? facing.y : normal[0] * d1.y + normal[1] * d2.y;
      this.normals[3 * i + 2] = facing ? facing.z : normal[0] * d1.z + normal[1] * d2.z;
      this.shares[2 * i] = share;
      this.shares[2 * i + 1] = 0.5;
    });
  }
}
