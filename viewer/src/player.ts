// The animation with its controls, of one run or of all of them together, and what can be taken out of it.
import { animate } from "./animation";
import { Clock } from "./clock";
import { Run, Scene } from "./data";
import { el } from "./dom";
import { canFilm, film } from "./film";
import { makeMenu, menuItem } from "./menu";
import { Moments } from "./moments";
import { fileName, save } from "./save";
import { View } from "./scene/view";
import { swatch } from "./swatch";
import { makeSwitches } from "./switches";
import { curveName } from "./theme";
import { makeTimeBar } from "./time_bar";

export interface Player {
  element: HTMLElement;
  fit(): void;
  /** Moves by frames of the animation. */
  step(frames: number): void;
  /** Makes a snapshot of the time shown. */
  keep(): void;
}

interface Shot {
  name: string;
  scene: Scene;
  colour: number; // of the curves of the run
}

/** What the reader can choose to see. */
interface Choice {
  title: string;
  shots: Shot[];
}

function choicesOf(runs: Run[]): Choice[] {
  const shots = runs.flatMap(({ name, scene }, colour): Shot[] => (scene ? [{ name, scene, colour }] : []));
  const single = shots.map((shot): Choice => ({ title: shot.name, shots: [shot] }));
  const comparable = shots.length > 1 && new Set(shots.map(({ scene }) => scene.dimension)).size === 1;
  return comparable ? [{ title: "all runs", shots }, ...single] : single;
}

function tools(view: View, clock: Clock, element: HTMLElement): HTMLElement[] {
  const paper = el("canvas"), name = document.title.replace(/ – Invar$/, "");
  const asPicture = () => {
    view.drawOn(paper);
    paper.toBlob((blob) => blob && save(fileName(name, "png"), blob), "image/png");
  };
  const asFilm = async () => {
    element.classList.add("filming");
    try {
      const { content, ending } = await film(clock, paper, () => view.drawOn(paper));
      save(fileName(name, ending), content);
    } finally {
      element.classList.remove("filming");
    }
  };
  const asAnimation = async () => {
    const told = el("p", { class: "progress", role: "status" });
    view.element.append(told);
    element.classList.add("filming");
    try {
      const content = await animate(clock, paper, () => view.drawOn(paper), (part) => {
        told.textContent = `GIF: ${Math.round(100 * part)} %`;
        return !clock.playing; // who plays the motion wants no more of it
      });
      if (content) save(fileName(name, "gif"), content);
    } finally {
      element.classList.remove("filming");
      told.remove();
    }
  };
  const motion = [
    ...(canFilm() ? [menuItem("film", "the motion from begin to end at this speed, as WebM", () => void asFilm())]
      : []),
    menuItem("GIF", "the motion from begin to end at this speed, as an animated picture", () => void asAnimation()),
  ];
  return [
    menuItem("full screen", "until Escape", () => void element.requestFullscreen?.()),
    menuItem("PNG", "the picture as it is", asPicture),
    ...(clock.still ? [] : motion),
  ];
}

export function makePlayer(runs: Run[], clock: Clock): Player {
  const choices = choicesOf(runs);
  const view = new View();
  const moments = new Moments();
  const keep = () => moments.keep(clock.time);
  const switches = makeSwitches(view, moments, keep);
  const key = el("ul", { class: "key", "aria-label": "Colours of the runs" });
  const open = ({ title, shots }: Choice) => {
    const several = shots.length > 1;
    view.shown.ghosts ||= !several && shots[0].scene.ghosts !== undefined;
    view.open(shots.map(({ scene, colour }) => ({ scene, hue: several ? curveName(colour) : undefined })), title);
    view.update(clock.time);
    switches.refresh();
    key.replaceChildren(...(several ? shots.map(({ name, colour }) => el("li", {}, swatch(colour), name)) : []));
  };
  const chooser = el("select", { "aria-label": "Run shown", change: () => open(choices[Number(chooser.value)]) },
    ...choices.map(({ title }, index) => el("option", { value: index }, title)));
  open(choices[0]);
  clock.onChange(() => view.update(clock.time));
  const element = el("section", { class: "player", "aria-label": "Animation" },
    ...(choices.length > 1 ? [el("div", { class: "chooser" }, chooser, key)] : []),
    view.element, view.colourKey, ...(clock.still ? [] : [makeTimeBar(clock, moments)]), switches.element);
  element.classList.toggle("still", clock.still);
  view.element.append(makeMenu("Tools of the animation", tools(view, clock, element)));
  return {
    element,
    fit: () => switches.whole(),
    step: (frames) => clock.seek(clock.time + frames * view.frameTime()),
    keep,
  };
}
