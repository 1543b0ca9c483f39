// A picture in a card: drawn again when its width, the theme or what is chosen changes; saved as it is seen.
import { el } from "../dom";
import { fileName, save } from "../save";
import { onTheme } from "../theme";

export interface Box {
  element: HTMLElement;
  draw(): void;
}

export interface Picture {
  /** Changes with what is chosen. */
  title(): string;
  /** None where there is nothing to show: then the card is hidden. */
  draw(width: number): SVGSVGElement | null;
  /** Below the picture. */
  after?: HTMLElement;
}

export function makeBox(picture: Picture, ...controls: HTMLElement[]): Box {
  const title = el("figcaption", {}), frame = el("div", { class: "sweep-frame" });
  const keep = el("button", { type: "button", class: "quiet keep", title: "Save this picture", click: () => {
    const drawn = frame.querySelector("svg");
    const name = fileName(title.textContent ?? "", "svg");
    if (drawn) save(name, new XMLSerializer().serializeToString(drawn), "image/svg+xml");
  } }, "SVG");
  const element = el("figure", { class: "chart sweep-chart" }, el("div", { class: "sweep-title" }, title, keep),
    ...(controls.length ? [el("div", { class: "sweep-controls" }, ...controls)] : []),
    frame, ...(picture.after ? [picture.after] : []));
  let width = 0;
  const draw = () => {
    title.textContent = picture.title();
    if (width === 0) return;
    const drawn = picture.draw(width);
    element.hidden = drawn === null;
    frame.replaceChildren(...(drawn ? [drawn] : []));
  };
  new ResizeObserver(() => {
    const now = Math.floor(frame.clientWidth);
    if (now === 0 || now === width) return;
    width = now;
    draw();
  }).observe(frame);
  onTheme(draw);
  return { element, draw };
}
