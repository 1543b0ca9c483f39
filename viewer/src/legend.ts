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

  private fine: Curve[];

  constructor(private curves: Curve[], toggle: (index: number, show: boolean) => void) {
    this.fine = curves;
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

  /** The same curves with other rows, perhaps of a window only. */
  use(curves: Curve[]): void {
    this.fine = curves;
  }

  private valueOf(index: number, x: number): number {
    const { x: times } = this.fine[index];
    const inside = times.length > 0 && x >= times[0] && x <= times[times.length - 1];
    return valueAt(inside ? this.fine[index] : this.curves[index], x);
  }

  /** The values of the samples nearest to x, of each curve's own samples. */
  show(x: number, mark: number | null = null): void {
    this.values.forEach((shown, index) => {
      const value = this.valueOf(index, x), difference = mark === null ? NaN : value - this.valueOf(index, mark);
      const delta = mark === null ? "" : ` Δ ${number(difference, deltaDigits)}`;
      shown.textContent = number(value) + delta;
      shown.dataset.value = String(value);
      if (mark === null) delete shown.dataset.delta;
      else shown.dataset.delta = String(difference);
    });
  }
}
