// What the colours of members show, in the corner of the picture.
import { MemberColour, Scene } from "../data";
import { el } from "../dom";
import { number, withUnit } from "../format";

const digits = 3;

function entry({ title, unit, range }: MemberColour): HTMLElement {
  return el(
    "div",
    {},
    el("span", {}, withUnit(title, unit)),
    el("i", { class: "ramp" }),
    el("span", { class: "ends" }, el("span", {}, number(range[0], digits)), el("span", {}, number(range[1], digits))),
  );
}

/** One entry per quantity: members that show the same one have one range of it. */
export function fillColourKey(key: HTMLElement, scene: Scene | null): void {
  const colours = (scene?.items ?? []).flatMap((item) => (item.kind === "member" && item.colour) || []);
  const different = [...new Map(colours.map((colour) => [colour.title, colour])).values()];
  key.replaceChildren(...different.map(entry));
  key.hidden = different.length === 0;
}
