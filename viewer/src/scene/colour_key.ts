// What the colours of members show, below the picture.
import { MemberColour, Scene } from "../data";
import { el } from "../dom";
import { number, withUnit } from "../format";

const digits = 3;

function entry({ title, unit, range }: MemberColour): HTMLElement {
  return el(
    "div",
    {},
    el("span", {}, withUnit(title, unit)),
    el("output", {}, number(range[0], digits)),
    el("i", { class: "ramp" }),
    el("output", {}, number(range[1], digits)),
  );
}

/** One entry per quantity: members that show the same one have one range of it. */
export function fillColourKey(key: HTMLElement, scene: Scene | null): void {
  const colours = (scene?.items ?? []).flatMap((item) => (item.kind === "member" && item.colour) || []);
  const different = [...new Map(colours.map((colour) => [colour.title, colour])).values()];
  key.replaceChildren(...different.map(entry));
  key.hidden = different.length === 0;
}
