// The materials of a scene: one per colour and use, repainted when the theme changes.
import {
  Color,
  DataTexture,
  DoubleSide,
  LinearFilter,
  Material,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PointsMaterial,
  SRGBColorSpace,
} from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { colour } from "../theme";

// Steps of depth per run: the later one covers an earlier one that moves alike, instead of mixing with it.
const further = 8;

type Coloured = Material & { color: Color };

const loadColours = 5; // --load-0 … in colours.css, from little to much
const steps = 64; // of the ramp between them

function fillRamp(ramp: DataTexture): void {
  const colours = Array.from({ length: loadColours }, (_, i) => new Color(colour(`load-${i}`)));
  const bytes = ramp.image.data as Uint8Array,
    mixed = new Color();
  for (let i = 0; i < steps; ++i) {
    const x = (i / (steps - 1)) * (loadColours - 1),
      k = Math.min(loadColours - 2, Math.floor(x));
    const { r, g, b } = mixed
      .copy(colours[k])
      .convertLinearToSRGB()
      .lerp(colours[k + 1].clone().convertLinearToSRGB(), x - k);
    bytes.set([255 * r, 255 * g, 255 * b, 255].map(Math.round), 4 * i);
  }
  ramp.needsUpdate = true;
}

export class Paint {
  private kept = new Map<string, { material: Coloured; name: string }>();
  private ramp?: { texture: DataTexture; material: Material };

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

  /** From little to much along the first texture coordinate; lit in space. */
  loads(): Material {
    if (this.ramp) return this.ramp.material;
    const texture = new DataTexture(new Uint8Array(4 * steps), steps, 1);
    texture.colorSpace = SRGBColorSpace;
    texture.magFilter = texture.minFilter = LinearFilter;
    fillRamp(texture);
    const material = this.inPlane
      ? new MeshBasicMaterial({ map: texture, side: DoubleSide, transparent: true, depthTest: false })
      : new MeshStandardMaterial({
          map: texture,
          color: 0xb0b0b0,
          emissive: 0xffffff,
          emissiveMap: texture, // so that colours in the shade still are those of the key
          emissiveIntensity: 0.65,
          side: DoubleSide,
          roughness: 0.8,
        });
    this.ramp = { texture, material };
    return material;
  }

  /** A line that nothing hides. */
  sign(name: string, width: number): LineMaterial {
    return this.keep(`sign ${name} ${width}`, name, () => new LineMaterial({ linewidth: width, depthTest: false }));
  }

  repaint(): void {
    for (const { material, name } of this.kept.values()) material.color.set(colour(name));
    if (this.ramp) fillRamp(this.ramp.texture);
  }

  dispose(): void {
    for (const { material } of this.kept.values()) material.dispose();
    this.ramp?.material.dispose();
    this.ramp?.texture.dispose();
  }
}
