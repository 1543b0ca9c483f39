// The materials of a scene: one per colour and use, repainted when the theme changes.
import { Color, DoubleSide, Material, MeshBasicMaterial, MeshStandardMaterial, PointsMaterial } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { colour } from "../theme";

// Steps of depth per run: the later one covers an earlier one that moves alike, instead of mixing with it.
const further = 8;

type Coloured = Material & { color: Color };

export class Paint {
  private kept = new Map<string, { material: Coloured; name: string }>();

  /** In the plane nothing hides anything: parts are drawn in the order of their levels. Hues are the colours of runs in
   *  their order. */
  constructor(
    private inPlane: boolean,
    private hues: string[],
  ) {}

  private keep<T extends Coloured>(key: string, name: string, make: () => T): T {
    const found = this.kept.get(key);
    if (found) return found.material as unknown as T;
    const material = make();
    material.color.set(colour(name));
    material.polygonOffset = this.hues.includes(name);
    material.polygonOffsetUnits = further * (this.hues.length - this.hues.indexOf(name));
    this.kept.set(key, { material, name });
    return material;
  }

  /** Lit, for space. */
  solid(name: string, opacity = 1): MeshStandardMaterial {
    return this.keep(
      `solid ${name} ${opacity}`,
      name,
      () =>
        new MeshStandardMaterial({
          roughness: 0.65,
          metalness: 0.05,
          side: DoubleSide,
          opacity,
          transparent: opacity < 1,
          depthWrite: opacity === 1,
        }),
    );
  }

  /** Points with a diameter in pixels. */
  dots(name: string, size: number, opacity = 1): PointsMaterial {
    return this.keep(
      `dots ${name} ${size} ${opacity}`,
      name,
      () =>
        new PointsMaterial({
          size: size * Math.min(2, devicePixelRatio),
          sizeAttenuation: false,
          opacity,
          transparent: opacity < 1,
        }),
    );
  }

  /** Unlit, for drawings in the plane. */
  flat(name: string, opacity = 1): MeshBasicMaterial {
    return this.keep(
      `flat ${name} ${opacity}`,
      name,
      () =>
        new MeshBasicMaterial({
          side: DoubleSide,
          opacity,
          transparent: this.inPlane || opacity < 1,
          depthTest: !this.inPlane,
        }),
    );
  }

  line(name: string, width: number, opacity = 1, dash = 0): LineMaterial {
    return this.keep(
      `line ${name} ${width} ${opacity} ${dash}`,
      name,
      () =>
        new LineMaterial({
          linewidth: width,
          opacity,
          transparent: this.inPlane || opacity < 1,
          depthTest: !this.inPlane,
          dashed: dash > 0,
          dashSize: dash,
          gapSize: 0.7 * dash,
        }),
    );
  }

  /** A line that nothing hides. */
  sign(name: string, width: number): LineMaterial {
    return this.keep(`sign ${name} ${width}`, name, () => new LineMaterial({ linewidth: width, depthTest: false }));
  }

  repaint(): void {
    for (const { material, name } of this.kept.values()) material.color.set(colour(name));
  }

  dispose(): void {
    for (const { material } of this.kept.values()) material.dispose();
  }
}
