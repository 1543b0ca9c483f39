// The canvas: draws the pictures of one or several scenes together, only when something changed.
import { Box3, Group, PerspectiveCamera, Scene as Space, Vector3, WebGLRenderer } from "three";
import { Scene } from "../data";
import { el } from "../dom";
import { number } from "../format";
import { colour, onTheme } from "../theme";
import { extentOf, grainOf, scaled, union, withTips } from "./bounds";
import { Eye, guardWheel, Look, makeEye } from "./camera";
import { fillColourKey } from "./colour_key";
import { Labels } from "./labels";
import { Paint } from "./paint";
import { disposeGeometry, Picture } from "./picture";
import { longestArrow } from "./marks";
import { makeStage, Stage } from "./stage";
import { Layer, Part, Style } from "./style";
import { longestArrows, Painted, together } from "./together";
import { Triad } from "./triad";

export interface Shown {
  ghosts: boolean;
  moments: readonly number[]; // of the ghosts; if none, the usual ones
  names: boolean;
  layers: Record<Layer, boolean>;
}

const mostNamed = 20, mostFollowed = 200;
const nearest = 0.1, roomy = 1.6; // of the way back from which all is seen; of the size of the mechanism

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
    layers: { parts: true, joints: true, arrows: true, traces: true, trails: false },
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
  private look: Look = "whole";
  private followed?: { part: Part; last: Vector3 };

  /** Throws if the browser has no WebGL. */
  constructor() {
    guardWheel(this.canvas); // before the controls listen
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.shadowMap.enabled = true;
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
    addEventListener("beforeprint", () => this.copy(this.paper)); // the last frame shown, in the colours of paper
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
      linked: new Map(),
    };
    const lengths = new Map([...style.longest].map(([role, longest]) => [role, longest > 0
      ? (longestArrow * style.size) / longest : 0]));
    this.pictures = together(painted).map(({ scene, hue }) => new Picture(scene, { ...style, hue }));
    this.stage = makeStage(extent.box, dimension, up);
    this.world = new Group().add(this.stage.object, ...this.pictures.map((picture) => picture.object));
    this.world.scale.setScalar(1 / style.size);
    this.space = new Space().add(this.world);
    this.eye = makeEye(this.canvas, scaled(withTips(extent, scenes, lengths), 1 / style.size), dimension, up);
    this.followed = undefined;
    this.look = "whole";
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
    this.goAlong();
    this.request();
  }

  fit(look = this.look): void {
    this.moved = false;
    this.look = look;
    this.eye!.fit(look);
    if (this.followed) this.goAlong(this.eye!.controls.target);
    this.request();
  }

  get spatial(): boolean {
    return this.pictures[0]?.style.dimension === 3;
  }

  /** The names of what moves and can be followed. */
  get movers(): string[] {
    const names = this.pictures.flatMap(({ moving }) => moving.map(({ name }) => name ?? ""));
    return [...new Set(names)].filter(Boolean).slice(0, mostFollowed);
  }

  /** Keeps a thing where it is in the picture; of several of one name the first. Nothing: the camera stands still. */
  follow(name?: string): void {
    const part = name === undefined ? undefined : this.pictures.flatMap(({ moving }) => moving).find((p) =>
      p.name === name);
    this.followed = part && { part, last: new Vector3() };
    this.fit("whole");
    if (part) this.approach();
  }

  /** So near that the mechanism, but not all of its way, is in view. */
  private approach(): void {
    const { camera, controls } = this.eye!;
    const now = new Box3().setFromPoints(this.pictures.flatMap(({ moving }) => moving.map(({ anchor }) => anchor)));
    const share = Math.min(1, Math.max(nearest, roomy * now.getSize(new Vector3()).length() * this.world.scale.x));
    if (camera instanceof PerspectiveCamera)
      camera.position.sub(controls.target).multiplyScalar(share).add(controls.target);
    else camera.zoom = 1 / share;
    camera.updateProjectionMatrix();
    controls.update();
  }

  private goAlong(from?: Vector3): void {
    if (!this.followed || !this.eye) return;
    const { part, last } = this.followed;
    const now = part.anchor.clone().multiplyScalar(this.world.scale.x), way = now.clone().sub(from ?? last);
    if (!Number.isFinite(way.lengthSq())) return;
    last.copy(now);
    this.eye.move(way);
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

  /** The picture as it is now, with its background and its texts, for files. */
  drawOn(paper: HTMLCanvasElement): void {
    this.copy(paper, colour("stage"));
    this.labels.write(paper.getContext("2d")!, this.renderer.getPixelRatio());
  }

  private copy(paper: HTMLCanvasElement, background?: string): void {
    this.render();
    const { width, height } = this.canvas;
    if (paper.width !== width || paper.height !== height) Object.assign(paper, { width, height });
    const context = paper.getContext("2d")!;
    context.clearRect(0, 0, width, height);
    if (background) {
      context.fillStyle = background;
      context.fillRect(0, 0, width, height);
    }
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
