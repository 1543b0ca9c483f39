// The canvas: draws a picture of a scene, only when something changed.
import { Group, Scene as Space, WebGLRenderer } from "three";
import { Scene } from "../data";
import { el } from "../dom";
import { number } from "../format";
import { onTheme } from "../theme";
import { Eye, guardWheel, makeEye } from "./camera";
import { Labels } from "./labels";
import { Picture } from "./picture";
import { makeStage, Stage } from "./stage";
import { Layer } from "./style";

export interface Shown {
  ghosts: boolean;
  names: boolean;
  layers: Record<Layer, boolean>;
}

export class View {
  readonly element: HTMLElement;
  readonly canvas = el("canvas", { tabindex: 0, role: "img", class: "picture" });
  picture!: Picture;
  readonly shown: Shown = { ghosts: false, names: false, layers: { parts: true, joints: true, arrows: true, traces: true } };
  private renderer: WebGLRenderer;
  private labels = new Labels();
  private paper = el("canvas", { class: "paper", "aria-hidden": "true" });
  private scale = el("span", { class: "scale" });
  private space = new Space();
  private stage!: Stage;
  private eye?: Eye;
  private waiting = false;
  private moved = false; // by the reader: then a new size keeps the camera where it is

  /** Throws if the browser has no WebGL. */
  constructor() {
    guardWheel(this.canvas); // before the controls listen
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.element = el("div", { class: "stage" }, this.canvas, this.paper, this.labels.element, this.scale);
    new ResizeObserver(() => this.resize()).observe(this.element);
    onTheme(() => {
      this.picture.paint.repaint();
      this.stage.repaint();
      this.request();
    });
    addEventListener("beforeprint", () => this.copyToPaper());
  }

  open(scene: Scene, title: string): void {
    this.picture?.dispose();
    this.eye?.controls.dispose();
    this.picture = new Picture(scene);
    const { extent, up, paint } = this.picture;
    this.stage = makeStage(extent.box, scene.dimension, up, paint);
    this.space = new Space().add(new Group().add(this.stage.object, this.picture.object));
    this.eye = makeEye(this.canvas, extent, scene.dimension, up);
    this.eye.controls.addEventListener("change", () => this.request());
    this.eye.controls.addEventListener("start", () => (this.moved = true));
    this.scale.textContent = `grid ${number(this.stage.spacing)} ${scene.unit ?? "m"}`;
    const kinds = scene.items.filter((item) => item.kind === "body" || item.kind === "point").map((item) => item.name ?? item.kind);
    this.canvas.setAttribute("aria-label", `Animation of ${title}${kinds.length ? `: ${kinds.join(", ")}` : ""}`);
    this.fit();
    this.resize();
    this.applyShown();
  }

  update(t: number): void {
    this.picture.update(t);
    this.request();
  }

  fit(): void {
    this.moved = false;
    this.eye!.fit();
    this.request();
  }

  applyShown(): void {
    const { ghosts, names, layers } = this.shown;
    this.picture.ghosts.visible = ghosts;
    for (const layer of Object.keys(layers) as Layer[]) this.picture.show(layer, layers[layer]);
    this.labels.clear();
    for (const { text, place } of this.stage.letters) this.labels.add(text, place, "axis");
    if (names)
      for (const part of this.picture.parts) if (part.name && layers[part.layer]) this.labels.add(part.name, part.anchor, "name");
    this.request();
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
    this.paper.getContext("2d")!.drawImage(this.canvas, 0, 0);
  }

  private render(): void {
    if (!this.eye) return;
    this.renderer.render(this.space, this.eye.camera);
    this.labels.update(this.eye.camera, this.element.clientWidth, this.element.clientHeight);
  }
}
