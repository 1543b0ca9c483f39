// What the animation shows: layers, snapshots, names, and the view of it all.
import { el } from "./dom";
import { Moments } from "./moments";
import { Look } from "./scene/camera";
import { Layer } from "./scene/style";
import { View } from "./scene/view";

const layers: [string, Layer][] = [
  ["paths", "traces"],
  ["arrows", "arrows"],
  ["joints", "joints"],
  ["trails", "trails"],
];

export interface Switches {
  element: HTMLElement;
  /** Fits them to what the view shows. */
  refresh(): void;
  /** Everything in view. */
  whole(): void;
}

/** Where the camera stands: at one of some places, or going along with a thing. */
function cameraOf(view: View): Switches {
  const going = "follow ";
  const element = el("select", { "aria-label": "Camera", change: () => {
    const { value } = element;
    if (value.startsWith(going)) return view.follow(value.slice(going.length));
    view.follow();
    view.fit(value as Look);
  } });
  const option = (value: string, text: string) => el("option", { value }, text);
  const refresh = () => {
    const places = view.spatial ? [option("front", "from the front"), option("side", "from the side"),
      option("top", "from above")] : [];
    element.replaceChildren(option("whole", "free camera"), ...places, ...view.movers.map((name) =>
      option(going + name, going + name)));
    element.hidden = element.options.length < 2;
  };
  const whole = () => {
    element.value = "whole";
    view.follow();
  };
  return { element, refresh, whole };
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

function snapshots(view: View, moments: Moments, keepThis: () => void): Omit<Switches, "whole"> {
  const { box, label } = toggle(view, "snapshots", view.shown.ghosts, (on) => (view.shown.ghosts = on));
  const button = (text: string, click: () => void) => el("button", { type: "button", class: "quiet", click }, text);
  const keep = button("keep", keepThis);
  keep.setAttribute("aria-label", "keep this moment");
  keep.title = "keep this moment (S)";
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
  const stills = snapshots(view, moments, keepThis), camera = cameraOf(view);
  const element = el(
    "div",
    { class: "switches" },
    own,
    toggle(view, "names", view.shown.names, (on) => (view.shown.names = on)).label,
    stills.element,
    el("span", { class: "camera" }, camera.element, el("button",
      { type: "button", class: "quiet", click: camera.whole }, "whole view")),
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
    camera.refresh();
  };
  return { element, refresh, whole: camera.whole };
}
