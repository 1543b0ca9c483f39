// Names in the picture, as text on top of the canvas; one that would cover an earlier one is left out.
import { Camera, Object3D, Vector3 } from "three";
import { el } from "../dom";
import { colour } from "../theme";

interface Label {
  element: HTMLElement;
  place: Vector3;
  width: number;
  height: number;
}

interface Spot {
  x: number;
  y: number;
  label: Label;
}

const overlap = (a: Spot, b: Spot) =>
  a.x < b.x + b.label.width && b.x < a.x + a.label.width && a.y < b.y + b.label.height && b.y < a.y + a.label.height;

export class Labels {
  readonly element = el("div", { class: "labels", "aria-hidden": "true" });
  private labels: Label[] = [];
  private projected = new Vector3();

  clear(): void {
    this.labels = [];
    this.element.replaceChildren();
  }

  /** The place may move: it is read at every update. Earlier ones go first. */
  add(text: string, place: Vector3, hue?: string): void {
    const element = el("span", { class: "name", style: hue ? `border-left: 3px solid var(--${hue})` : "" }, text);
    this.element.append(element);
    this.labels.push({ element, place, width: 0, height: 0 });
  }

  /** Those that are shown, onto a copy of the picture. */
  write(context: CanvasRenderingContext2D, ratio: number): void {
    context.font = `${12 * ratio}px system-ui, sans-serif`;
    context.fillStyle = colour("ink");
    context.textAlign = "left";
    context.textBaseline = "bottom";
    for (const { element } of this.labels) {
      const [x, y] = (element.style.transform.match(/-?[\d.]+(e-?\d+)?/g) ?? []).map(Number);
      if (!element.hidden && x !== undefined) context.fillText(element.textContent!, ratio * (x + 11), ratio * (y - 6));
    }
  }

  update(world: Object3D, camera: Camera, width: number, height: number): void {
    for (const label of this.labels)
      if (!label.width) Object.assign(label, { width: label.element.offsetWidth, height: label.element.offsetHeight });
    const placed: Spot[] = [];
    for (const label of this.labels) {
      const p = world.localToWorld(this.projected.copy(label.place)).project(camera);
      const spot = { x: ((p.x + 1) / 2) * width, y: ((1 - p.y) / 2) * height, label };
      const inside = Math.abs(p.x) <= 1 && Math.abs(p.y) <= 1 && p.z <= 1;
      label.element.hidden = !inside || placed.some((other) => overlap(spot, other));
      if (label.element.hidden) continue;
      placed.push(spot);
      label.element.style.transform = `translate(${spot.x}px, ${spot.y}px)`;
    }
  }
}
