// The animation with its controls: play, scrub, speed, what is shown, and whose run.
import { Clock } from "./clock";
import { Run } from "./data";
import { el, icon } from "./dom";
import { number } from "./format";
import { Layer } from "./scene/style";
import { View } from "./scene/view";

const playIcon = "M8 5v14l11-7z", pauseIcon = "M7 5h4v14H7zM13 5h4v14h-4z";
const scrubSteps = 2000;

export interface Player {
  element: HTMLElement;
  fit(): void;
  /** Moves by frames of the animation. */
  step(frames: number): void;
}

function playButton(clock: Clock): HTMLElement {
  const button = el("button", { type: "button", class: "play", click: () => clock.toggle() });
  const shape = icon(playIcon);
  button.append(shape);
  clock.onChange(() => {
    shape.firstElementChild!.setAttribute("d", clock.playing ? pauseIcon : playIcon);
    button.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
  });
  return button;
}

function scrubber(clock: Clock): HTMLElement {
  const place = () => Math.round(((clock.time - clock.from) / (clock.to - clock.from || 1)) * scrubSteps);
  const range = el("input", {
    type: "range", min: 0, max: scrubSteps, value: 0, class: "scrub", "aria-label": "Time",
    input: () => clock.seek(clock.from + (Number(range.value) / scrubSteps) * (clock.to - clock.from)),
  });
  clock.onChange(() => {
    range.value = String(place());
    range.style.setProperty("--done", `${(100 * place()) / scrubSteps}%`);
    range.setAttribute("aria-valuetext", `${number(clock.time, 4)} s`);
  });
  return range;
}

function speedControl(clock: Clock): HTMLElement {
  const shown = el("output", {}, "");
  clock.onChange(() => (shown.textContent = `${clock.speed}×`));
  const button = (text: string, label: string, steps: number) =>
    el("button", { type: "button", "aria-label": label, title: label, click: () => clock.faster(steps) }, text);
  return el("span", { class: "speed", role: "group", "aria-label": "Speed" }, button("−", "Slower", -1), shown, button("+", "Faster", 1));
}

function clockFace(clock: Clock): HTMLElement {
  const digits = Math.max(0, 3 - Math.floor(Math.log10(clock.to - clock.from || 1)));
  const shown = el("output", { class: "time" });
  clock.onChange(() => (shown.textContent = `${clock.time.toFixed(digits)} s`));
  return shown;
}

function switches(view: View): HTMLElement {
  const toggle = (text: string, on: boolean, change: (on: boolean) => void) => {
    const box = el("input", { type: "checkbox", change: () => { change(box.checked); view.applyShown(); } });
    box.checked = on;
    return el("label", { class: "switch" }, box, text);
  };
  const layer = (text: string, name: Layer) =>
    view.picture.has(name) ? [toggle(text, view.shown.layers[name], (on) => (view.shown.layers[name] = on))] : [];
  return el("div", { class: "switches" },
    ...layer("paths", "traces"), ...layer("arrows", "arrows"), ...layer("joints", "joints"),
    toggle("snapshots", view.shown.ghosts, (on) => (view.shown.ghosts = on)),
    toggle("names", view.shown.names, (on) => (view.shown.names = on)),
    el("button", { type: "button", class: "quiet", click: () => view.fit() }, "whole view"));
}

export function makePlayer(runs: Run[], clock: Clock): Player {
  const withScene = runs.filter((run) => run.scene);
  const view = new View();
  const held = el("div", {});
  const open = (run: Run) => {
    view.shown.ghosts ||= run.scene!.ghosts !== undefined;
    view.open(run.scene!, run.name);
    view.update(clock.time);
    held.replaceChildren(switches(view));
  };
  const chooser = el("select", { "aria-label": "Run shown", change: () => open(withScene[Number(chooser.value)]) },
    ...withScene.map((run, index) => el("option", { value: index }, run.name)));
  open(withScene[0]);
  clock.onChange(() => view.update(clock.time));
  const bar = el("div", { class: "bar" }, playButton(clock), scrubber(clock), clockFace(clock), speedControl(clock));
  return {
    element: el("section", { class: "player", "aria-label": "Animation" },
      ...(withScene.length > 1 ? [el("label", { class: "chooser" }, "Run ", chooser)] : []), view.element, bar, held),
    fit: () => view.fit(),
    step: (frames) => {
      const { time } = view.picture;
      clock.seek(clock.time + (frames * (time[time.length - 1] - time[0])) / Math.max(1, time.length - 1));
    },
  };
}
