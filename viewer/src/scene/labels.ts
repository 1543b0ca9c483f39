// Names in the picture, as text on top of the canvas.
import { Camera, Vector3 } from "three";
import { el } from "../dom";

interface Label {
  element: HTMLElement;
  place: Vector3;
}

export class Labels {
  readonly element = el("div", { class: "labels", "aria-hidden": "true" });
  private labels: Label[] = [];
  private projected = new Vector3();

  clear(): void {
    this.labels = [];
    this.element.replaceChildren();
  }

  /** The place may move: it is read at every update. */
  add(text: string, place: Vector3, kind: "name" | "axis", hue?: string): void {
    const element = el("span", { class: kind, style: hue ? `border-left: 3px solid var(--${hue})` : "" }, text);
    this.labels.push({ element, place });
    this.element.append(element);
  }

  update(camera: Camera, width: number, height: number): void {
    for (const { element, place } of this.labels) {
      const p = this.projected.copy(place).project(camera);
      element.hidden = !(Math.abs(p.x) <= 1 && Math.abs(p.y) <= 1 && p.z <= 1);
      if (!element.hidden) element.style.transform = `translate(${((p.x + 1) / 2) * width}px, ${((1 - p.y) / 2) * height}px)`;
    }
  }
}
