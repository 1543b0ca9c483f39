// The legend of a plot: a button per curve that shows or hides it, with the value at the cursor.
import { el } from "./dom";
import { number } from "./format";
import { Curve } from "./panels";
import { below, nearest } from "./search";
import { swatch } from "./swatch";

export class Legend {
  readonly element: HTMLElement;
  private values: HTMLElement[];

  constructor(private curves: Curve[], toggle: (index: number, show: boolean) => void) {
    this.values = curves.map(() => el("output", { class: "value" }, "–"));
    this.element = el("div", { class: "legend" }, ...curves.map((curve, index) => {
      const button = el("button", {
        type: "button",
        "aria-pressed": "true",
        title: "show or hide",
        click: () => {
          const show = button.getAttribute("aria-pressed") !== "true";
          button.setAttribute("aria-pressed", String(show));
          toggle(index, show);
        },
      }, swatch(curve.colour, curve.dashed), el("span", {}, curve.label), this.values[index]);
      return button;
    }));
  }

  /** The values of the samples nearest to x, of each curve's own samples; a stepped curve holds the one before. */
  show(x: number): void {
    this.curves.forEach((curve, index) => {
      const value = curve.x.length ? curve.y[curve.stepped ? below(curve.x, x) : nearest(curve.x, x)] : NaN;
      this.values[index].textContent = number(value);
      this.values[index].dataset.value = String(value);
    });
  }
}
