// What the animation shows: layers, snapshots, names, and the view of it all.
import { el } from "./dom";
import { Moments } from "./moments";
import { Layer } from "./scene/style";
import { View } from "./scene/view";

const layers: [string, Layer][] = [
  ["paths", "traces"],
  ["arrows", "arrows"],
  ["joints", "joints"],
];

export interface Switches {
  element: HTMLElement;
  /** Fits them to what the view shows. */
  refresh(): void;
}

function toggle(view: View, text: string, on: boolean, change: (on: boolean) => void) {
  const box = el("input", {
    type: "checkbox",
    change: () => {
      change(box.checked);
      view.applyShown();
    },
  });
  box.checked = on;
  return { box, label: el("label", { class: "switch" }, box, text) };
}

function snapshots(view: View, moments: Moments, keepThis: () => void): Switches {
  const { box, label } = toggle(view, "snapshots", view.shown.ghosts, (on) => (view.shown.ghosts = on));
  const button = (text: string, click: () => void) => el("button", { type: "button", class: "quiet", click }, text);
  const keep = button("keep this moment", keepThis);
  const clear = button("clear", () => {
    moments.clear();
    keep.focus();
  });
  const refresh = () => {
    clear.hidden = moments.times.length === 0;
    clear.setAttribute("aria-label", `clear the kept moments (${moments.times.length})`);
    box.checked = view.shown.ghosts;
  };
  moments.onChange(() => {
    view.shown.moments = moments.times;
    view.shown.ghosts ||= moments.times.length > 0;
    view.applyShown();
    refresh();
  });
  return {
    element: el("span", { class: "snapshots", role: "group", "aria-label": "Snapshots" }, label, keep, clear),
    refresh,
  };
}

export function makeSwitches(view: View, moments: Moments, keepThis: () => void): Switches {
  const own = el("span", { class: "layers" });
  const stills = snapshots(view, moments, keepThis);
  const element = el(
    "div",
    { class: "switches" },
    own,
    toggle(view, "names", view.shown.names, (on) => (view.shown.names = on)).label,
    stills.element,
    el("button", { type: "button", class: "quiet whole", click: () => view.fit() }, "whole view"),
  );
  const refresh = () => {
    own.replaceChildren(
      ...layers
        .filter(([, layer]) => view.has(layer))
        .map(
          ([text, layer]) =>
            toggle(view, text, view.shown.layers[layer], (on) => (view.shown.layers[layer] = on)).label,
        ),
    );
    stills.refresh();
  };
  return { element, refresh };
}
