// The canvas: draws the pictures of one or several scenes together, only when something changed.
import { Group, Scene as Space, Vector3, WebGLRenderer } from "three";
import { Scene } from "../data";
import { el } from "../dom";
import { number } from "../format";
import { onTheme } from "../theme";
import { extentOf, grainOf, scaled, union } from "./bounds";
import { Eye, guardWheel, makeEye } from "./camera";
import { fillColourKey } from "./colour_key";
import { Labels } from "./labels";
import { Paint } from "./paint";
import { disposeGeometry, Picture } from "./picture";
import { makeStage, Stage } from "./stage";
import { Layer, Style } from "./style";
import { longestArrows, Painted, together } from "./together";
import { Triad } from "./triad";

export interface Shown {
  ghosts: boolean;
  moments: readonly number[]; // of the ghosts; if none, the usual ones
  names: boolean;
  layers: Record<Layer, boolean>;
}

const mostNamed = 20;

const upOf = ({ dimension, up }: Scene) =>
  dimension === 2 ? new Vector3(0, 1, 0) : new Vector3(...(up ?? [0, 0, 1])).normalize();

function describe(scenes: Scene[], title: string): string {
  const things = ["body", "point", "member"];
  const items = scenes.flatMap((scene) => scene.items).filter((item) => things.includes(item.kind));
  const names = [...new Set(items.map((item) => item.name ?? item.kind))];
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return `Animation of ${title}${names.length ? `: ${names.slice(0, mostNamed).join(", ")}${more}` : ""}`;
}

export class View {
  readonly element: HTMLElement;
  readonly canvas = el("canvas", { tabindex: 0, role: "img", class: "picture" });
  readonly shown: Shown = {
    ghosts: false,
    moments: [],
    names: false,
    layers: { parts: true, joints: true, arrows: true, traces: true },
  };
  private pictures: Picture[] = [];
  private renderer: WebGLRenderer;
  private labels = new Labels();
  private triad = new Triad();
  private remark = el("p", { class: "remark" });
  private paper = el("canvas", { class: "paper", "aria-hidden": "true" });
  private scale = el("span", { class: "scale" });
  readonly colourKey = el("div", { class: "colour-key", role: "group", "aria-label": "Colours of beams and strings" });
  private space = new Space();
  private world = new Group(); // of size 1 for the camera, whatever the size of the mechanism
  private paint?: Paint;
  private stage!: Stage;
  private eye?: Eye;
  private waiting = false;
  private moved = false; // by the reader: then a new size keeps the camera where it is

  /** Throws if the browser has no WebGL. */
  constructor() {
    guardWheel(this.canvas); // before the controls listen
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.element = el(
      "div",
      { class: "stage" },
      this.canvas,
      this.paper,
      this.labels.element,
      this.triad.element,
      this.remark,
      this.scale,
    );
    new ResizeObserver(() => this.resize()).observe(this.element);
    onTheme(() => {
      this.paint?.repaint();
      this.stage.repaint();
      this.request();
    });
    addEventListener("beforeprint", () => this.copyToPaper());
  }

  /** Scenes of one dimension. */
  open(painted: Painted[], title: string): void {
    disposeGeometry(this.space);
    this.paint?.dispose();
    this.eye?.controls.dispose();
    const scenes = painted.map(({ scene }) => scene),
      [{ dimension, unit }] = scenes;
    const extent = union(scenes.map(extentOf)),
      up = upOf(scenes[0]);
    const paint = (this.paint = new Paint(
      dimension === 2,
      painted.flatMap(({ hue }) => hue ?? []),
    ));
    const style: Style = {
      dimension,
      size: extent.box.getSize(new Vector3()).length(),
      grain: grainOf(scenes),
      paint,
      ghost: false,
      longest: longestArrows(scenes),
    };
    this.pictures = together(painted).map(({ scene, hue }) => new Picture(scene, { ...style, hue }));
    this.stage = makeStage(extent.box, dimension, up);
    this.world = new Group().add(this.stage.object, ...this.pictures.map((picture) => picture.object));
    this.world.scale.setScalar(1 / style.size);
    this.space = new Space().add(this.world);
    this.eye = makeEye(this.canvas, scaled(extent, 1 / style.size), dimension, up);
    this.eye.controls.addEventListener("change", () => this.request());
    this.eye.controls.addEventListener("start", () => (this.moved = true));
    this.triad.open(dimension, scenes[0].axes ?? [], paint);
    this.remark.textContent = [...new Set(scenes.flatMap(({ note }) => note ?? []))].join(" · ");
    this.scale.textContent = `grid ${number(this.stage.spacing)} ${unit ?? "m"}`;
    fillColourKey(this.colourKey, scenes.length === 1 ? scenes[0] : null);
    this.canvas.setAttribute("aria-label", describe(scenes, title));
    this.fit();
    this.resize();
    this.applyShown();
  }

  has(layer: Layer): boolean {
    return this.pictures.some((picture) => picture.has(layer));
  }

  /** The time between frames, of the scene that has the shortest. */
  frameTime(): number {
    return Math.min(
      ...this.pictures.map(({ time }) => (time[time.length - 1] - time[0]) / Math.max(1, time.length - 1)),
    );
  }

  update(t: number): void {
    for (const picture of this.pictures) picture.update(t);
    this.request();
  }

  fit(): void {
    this.moved = false;
    this.eye!.fit();
    this.request();
  }

  applyShown(): void {
    const { ghosts, moments, names, layers } = this.shown;
    this.labels.clear();
    for (const picture of this.pictures) {
      picture.showGhosts(!ghosts ? [] : moments.length ? [...moments] : picture.usualMoments());
      for (const layer of Object.keys(layers) as Layer[]) picture.show(layer, layers[layer]);
      if (names) this.label(picture);
    }
    this.request();
  }

  /** Parts of one name are one thing: the first is labelled. */
  private label({ parts, style }: Picture): void {
    const seen = new Set<string>();
    for (const { name, anchor, layer } of parts) {
      if (!name || seen.has(name) || !this.shown.layers[layer]) continue;
      seen.add(name);
      this.labels.add(name, anchor, style.hue);
    }
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.eye?.resize(width, height);
    if (this.eye && !this.moved) this.fit();
    this.request();
  }

  private request(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.render();
    });
  }

  /** Printers get the last frame that was shown, in the colours of the screen; a copy is up to date. */
  private copyToPaper(): void {
    this.render();
    this.paper.width = this.canvas.width;
    this.paper.height = this.canvas.height;
    const context = this.paper.getContext("2d")!;
    context.drawImage(this.canvas, 0, 0);
    this.triad.write(context, this.renderer.getPixelRatio());
  }

  private render(): void {
    if (!this.eye) return;
    const { camera } = this.eye,
      { clientWidth: width, clientHeight: height } = this.element;
    this.renderer.render(this.space, camera);
    this.triad.render(this.renderer, camera, width, height);
    this.labels.update(this.world, camera, width, height);
  }
}
