// Play, scrub with the kept moments as marks, the time, and the speed.
import { Clock } from "./clock";
import { el, icon } from "./dom";
import { number } from "./format";
import { Moments } from "./moments";

const playIcon = "M8 5v14l11-7z",
  pauseIcon = "M7 5h4v14H7zM13 5h4v14h-4z";
const scrubSteps = 2000;

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

function scrubber(clock: Clock, moments: Moments): HTMLElement {
  const fraction = (time: number) => (time - clock.from) / (clock.to - clock.from || 1);
  const place = () => Math.round(fraction(clock.time) * scrubSteps);
  const range = el("input", {
    type: "range",
    min: 0,
    max: scrubSteps,
    value: 0,
    class: "scrub",
    "aria-label": "Time",
    input: () => clock.seek(clock.from + (Number(range.value) / scrubSteps) * (clock.to - clock.from)),
  });
  clock.onChange(() => {
    range.value = String(place());
    range.style.setProperty("--done", `${(100 * place()) / scrubSteps}%`);
    range.setAttribute("aria-valuetext", `${number(clock.time, 4)} s`);
  });
  const marks = el("div", { class: "marks", "aria-hidden": "true" });
  moments.onChange(() =>
    marks.replaceChildren(...moments.times.map((time) => el("i", { style: `left: ${100 * fraction(time)}%` }))),
  );
  return el("div", { class: "rail" }, range, marks);
}

function speedControl(clock: Clock): HTMLElement {
  const shown = el("output", {}, "");
  clock.onChange(() => (shown.textContent = `${clock.speed}×`));
  const button = (text: string, label: string, steps: number) =>
    el("button", { type: "button", "aria-label": label, title: label, click: () => clock.faster(steps) }, text);
  return el(
    "span",
    { class: "speed", role: "group", "aria-label": "Speed" },
    button("−", "Slower", -1),
    shown,
    button("+", "Faster", 1),
  );
}

function clockFace(clock: Clock): HTMLElement {
  const digits = Math.max(0, 3 - Math.floor(Math.log10(clock.to - clock.from || 1)));
  const shown = el("output", { class: "time" });
  clock.onChange(() => (shown.textContent = `${clock.time.toFixed(digits)} s`));
  return shown;
}

export function makeTimeBar(clock: Clock, moments: Moments): HTMLElement {
  return el(
    "div",
    { class: "bar" },
    playButton(clock),
    scrubber(clock, moments),
    clockFace(clock),
    speedControl(clock),
  );
}
