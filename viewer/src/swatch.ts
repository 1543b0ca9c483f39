// The short stroke that shows the colour of a curve or a run next to its name.
import { el } from "./dom";
import { curveColours, curveName } from "./theme";

const look = (index: number, dashed: boolean) =>
  dashed ? "swatch dashed" : index < curveColours ? "swatch" : "swatch dash-dotted";

export const swatch = (index: number, dashed = false) =>
  el("i", { class: look(index, dashed), style: `--swatch: var(--${curveName(index)})` });
