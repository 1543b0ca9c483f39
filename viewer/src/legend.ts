// The legend of a plot: a button per curve that shows or hides it, with the value at the cursor and, where the reader
// set a mark, its difference to the value there.
import { el } from "./dom";
import { number } from "./format";
import { Curve } from "./panels";
import { below, nearest } from "./search";
import { swatch } from "./swatch";

const deltaDigits = 4;

/** Of the sample nearest to x; a stepped curve holds the one before. */
export function valueAt({ x: times, y, stepped }: Curve, x: number): number {
  return times.length ? y[stepped ? below(times, x) : nearest(times, x)] : NaN;
}

export class Legend {
  readonly element: HTMLElement;
  private values: HTMLElement[];

  constructor(private curves: Curve[], toggle: (index: number, show: boolean) => void) {
    this.values = curves.map(() => el("output", { class: "value" }, "–"));
    this.element = el("div", { class: "legend" }, ...curves.map((curve, index) => {
      const button = el("button", {
        type: "button",
        "aria-pressed": "true",
        title: `${curve.name && curve.name !== curve.label ? `${curve.name}: ` : ""}show or hide`,
        click: () => {
          const show = button.getAttribute("aria-pressed") !== "true";
          button.setAttribute("aria-pressed", String(show));
          toggle(index, show);
        },
      }, swatch(curve.colour, curve.dashed), el("span", {}, curve.label), this.values[index]);
      return button;
    }));
  }

  /** The values of the samples nearest to x, of each curve's own samples. */
  show(x: number, mark: number | null = null): void {
    this.curves.forEach((curve, index) => {
      const value = valueAt(curve, x), shown = this.values[index];
      const delta = mark === null ? "" : ` Δ ${number(value - valueAt(curve, mark), deltaDigits)}`;
      shown.textContent = number(value) + delta;
      shown.dataset.value = String(value);
      if (mark === null) delete shown.dataset.delta;
      else shown.dataset.delta = String(value - valueAt(curve, mark));
    });
  }
}
