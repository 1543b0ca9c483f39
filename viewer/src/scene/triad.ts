// The directions of the axes in the corner of the picture, turning with the camera.
import { Camera, OrthographicCamera, Scene as Space, Vector2, Vector3, WebGLRenderer } from "three";
import { el } from "../dom";
import { colour } from "../theme";
import { stillLine } from "./fat_line";
import { Paint } from "./paint";
import { disposeGeometry } from "./picture";

const corner = 88,
  length = 28,
  beyond = 10; // pixels: the square, an axis, and from its end to its letter
const aside = 18; // from the edges to the axes of a plane, whose directions are known
const directions = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];

export class Triad {
  readonly element = el("div", {
    class: "triad",
    "aria-hidden": "true",
    style: `width: ${corner}px; height: ${corner}px`,
  });
  private space = new Space();
  private camera = new OrthographicCamera();
  private letters: { element: HTMLElement; end: Vector3; spot: Vector2 }[] = [];

  open(dimension: 2 | 3, names: string[], paint: Paint): void {
    disposeGeometry(this.space);
    const ends = directions.slice(0, dimension).map((axis) => axis.clone().multiplyScalar(length));
    const material = paint.sign("soft", 2);
    this.space = new Space().add(...ends.map((end) => stillLine([new Vector3(), end], material)));
    this.letters = ends.map((end, i) => ({ element: el("span", {}, names[i] ?? "xyz"[i]), end, spot: new Vector2() }));
    this.element.replaceChildren(...this.letters.map(({ element }) => element));
    const low = dimension === 2 ? -aside : -corner / 2,
      high = low + corner;
    Object.assign(this.camera, { left: low, right: high, bottom: low, top: high, near: -corner, far: corner });
    this.camera.updateProjectionMatrix();
  }

  /** On top of what is drawn, seen in the same direction. */
  render(renderer: WebGLRenderer, camera: Camera, width: number, height: number): void {
    this.camera.quaternion.copy(camera.quaternion);
    this.camera.updateMatrixWorld();
    renderer.autoClear = false;
    renderer.setViewport(0, 0, corner, corner);
    renderer.render(this.space, this.camera);
    renderer.setViewport(0, 0, width, height);
    renderer.autoClear = true;
    const origin = this.pixel(new Vector3());
    for (const { element, end, spot } of this.letters) {
      spot.copy(this.pixel(end));
      spot.add(spot.clone().sub(origin).setLength(beyond));
      element.style.transform = `translate(${spot.x}px, ${spot.y}px) translate(-50%, -50%)`;
    }
  }

  /** The letters into a copy of the canvas. */
  write(context: CanvasRenderingContext2D, ratio: number): void {
    context.font = `italic ${13 * ratio}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = colour("soft");
    for (const { element, spot } of this.letters)
      context.fillText(element.textContent!, spot.x * ratio, context.canvas.height - (corner - spot.y) * ratio);
  }

  private pixel(place: Vector3): Vector2 {
    const { x, y } = place.clone().project(this.camera);
    return new Vector2((x + 1) / 2, (1 - y) / 2).multiplyScalar(corner);
  }
}
