// The short stroke that shows the colour of a curve or a run next to its name.
import { el } from "./dom";
import { curveName } from "./theme";

export const swatch = (index: number, dashed = false) =>
  el("i", { class: dashed ? "swatch dashed" : "swatch", style: `--swatch: var(--${curveName(index)})` });
