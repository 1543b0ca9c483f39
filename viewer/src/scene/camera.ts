// The camera: perspective with orbit in space, orthographic with pan in the plane.
import { Box3, MOUSE, OrthographicCamera, PerspectiveCamera, TOUCH, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Extent, largest } from "./bounds";

const angle = 32; // degrees of view
const margin = 1.12;
const footer = 18; // pixels below a plane picture for the axes and the width of the grid

export type Look = "whole" | "front" | "side" | "top";

export interface Eye {
  camera: PerspectiveCamera | OrthographicCamera;
  controls: OrbitControls;
  /** Everything in view; in space from one of these directions. */
  fit(look?: Look): void;
  /** Goes along with a thing, in the size of the world. */
  move(way: Vector3): void;
  resize(width: number, height: number): void;
}

/** A wheel over the picture scrolls the page unless the picture was clicked first. */
export function guardWheel(canvas: HTMLCanvasElement): void {
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (document.activeElement !== canvas && !event.ctrlKey) event.stopImmediatePropagation();
    },
    { capture: true },
  );
  canvas.addEventListener("pointerdown", () => canvas.focus({ preventScroll: true }));
}

const mover = (camera: Eye["camera"], controls: OrbitControls) => (way: Vector3) => {
  camera.position.add(way);
  controls.target.add(way);
  controls.update();
};

function spatial(canvas: HTMLCanvasElement, { box, balls }: Extent, up: Vector3): Eye {
  const size = box.getSize(new Vector3()).length(),
    centre = box.getCenter(new Vector3());
  const camera = new PerspectiveCamera(angle, 1, size / 200, size * 50);
  camera.up.copy(up);
  const controls = new OrbitControls(camera, canvas);
  const side = Math.abs(up.y) > 0.9 ? new Vector3(0, 0, 1) : new Vector3(0, -1, 0);
  const right = side.clone().cross(up).negate().normalize();
  const looks: Record<Look, Vector3> = {
    whole: side.clone().addScaledVector(right, 0.62).addScaledVector(up, 0.5),
    front: side.clone(),
    side: right.clone(),
    top: up.clone().addScaledVector(side, 1e-4), // a little aside, so that it is known what is above in the picture
  };
  let from = looks.whole.normalize();
  // The nearest place on the line of sight from which everything is in view.
  const distance = () => {
    const x = up.clone().cross(from).normalize(),
      y = from.clone().cross(x);
    const slope = Math.tan((angle * Math.PI) / 360);
    return largest(
      balls.map(({ place, radius }) => {
        const c = place.clone().sub(centre);
        return (
          c.dot(from) +
          (margin * Math.max(Math.abs(c.dot(y)) + radius, (Math.abs(c.dot(x)) + radius) / camera.aspect)) / slope
        );
      }),
    );
  };
  const fit = (look: Look = "whole") => {
    from = looks[look].normalize();
    camera.position.copy(centre).addScaledVector(from, distance());
    controls.target.copy(centre);
    controls.update();
  };
  const resize = (width: number, height: number) => {
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
  };
  return { camera, controls, fit, resize, move: mover(camera, controls) };
}

function planar(canvas: HTMLCanvasElement, box: Box3): Eye {
  const camera = new OrthographicCamera();
  const controls = new OrbitControls(camera, canvas);
  controls.enableRotate = false;
  controls.screenSpacePanning = true;
  controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
  controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
  const size = box.getSize(new Vector3()),
    centre = box.getCenter(new Vector3());
  let aspect = 1, pixels = 400;
  const frame = () => {
    const least = 0.2 * size.length(); // a motion on a line has no width
    const middle = margin * Math.max(size.y, size.x / aspect, least), height = middle / (1 - footer / pixels);
    Object.assign(camera, {
      top: height / 2,
      bottom: -height / 2,
      right: (aspect * height) / 2,
      left: (-aspect * height) / 2,
    });
    camera.near = 0.01;
    camera.far = 20 * size.length();
    camera.updateProjectionMatrix();
    return (height - middle) / 2;
  };
  const fit = () => {
    camera.zoom = 1;
    const lower = frame();
    camera.position.set(centre.x, centre.y - lower, 10 * size.length());
    controls.target.set(centre.x, centre.y - lower, centre.z);
    controls.update();
  };
  const resize = (width: number, height: number) => {
    aspect = width / height;
    pixels = height;
    frame();
  };
  return { camera, controls, fit, resize, move: mover(camera, controls) };
}

export function makeEye(canvas: HTMLCanvasElement, extent: Extent, dimension: 2 | 3, up: Vector3): Eye {
  const eye = dimension === 2 ? planar(canvas, extent.box) : spatial(canvas, extent, up);
  eye.controls.enableDamping = false;
  return eye;
}
