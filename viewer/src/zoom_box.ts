// Dragging over a plot chooses a part of it: along it a stretch of the horizontal axis, steeply one of the vertical
// axis,
// with Shift a box.
import { el } from "./dom";

const slack = 4; // pixels: less is a click
const steep = 2;

/** Of the width and the height, from the left and the top; missing where all of the axis stays. */
export interface Box {
  x?: [number, number];
  y?: [number, number];
}

export interface Hands {
  point(x: number): void;
  click(x: number, shift: boolean): void;
  choose(box: Box): void;
  reset(): void;
}

/** The pointer over an element, in pixels from its left edge; touch scrolls the page and points. */
export function listenTo(over: HTMLElement, hands: Hands): void {
  const shade = el("div", { class: "u-select zoom-box" });
  over.append(shade);
  let start: { x: number; y: number } | null = null;
  const place = (event: PointerEvent) => {
    const box = over.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top, width: box.width, height: box.height };
  };
  const within = (a: number, b: number, end: number): [number, number] => [
    Math.max(0, Math.min(a, b)),
    Math.min(end, Math.max(a, b)),
  ];
  const boxTo = (event: PointerEvent): Box | null => {
    const { x, y, width, height } = place(event);
    const along = Math.abs(x - start!.x), across = Math.abs(y - start!.y);
    if (Math.max(along, across) < slack) return null;
    return {
      ...((event.shiftKey || across < steep * along) && { x: within(start!.x, x, width) }),
      ...((event.shiftKey || across >= steep * along) && { y: within(start!.y, y, height) }),
    };
  };
  const draw = (box: Box | null) => {
    const [left, right] = box?.x ?? [0, over.clientWidth], [top, bottom] = box?.y ?? [0, over.clientHeight];
    const size = box ? { width: right - left, height: bottom - top } : { width: 0, height: 0 };
    Object.assign(shade.style, { left: `${left}px`, top: `${top}px`, width: `${size.width}px`,
      height: `${size.height}px` });
  };
  const end = () => {
    start = null;
    draw(null);
  };
  over.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    start = place(event);
    if (event.pointerType !== "touch") over.setPointerCapture(event.pointerId);
  });
  over.addEventListener("pointermove", (event) => {
    const box = start && event.pointerType !== "touch" ? boxTo(event) : null;
    draw(box);
    if (!box) hands.point(place(event).x);
  });
  over.addEventListener("pointerup", (event) => {
    if (!start) return;
    const box = boxTo(event);
    if (!box) hands.click(place(event).x, event.shiftKey);
    else if (event.pointerType !== "touch") hands.choose(box);
    end();
  });
  over.addEventListener("pointercancel", end);
  over.addEventListener("dblclick", () => hands.reset());
}
