// Where bodies just were: the way of each during the last part of the motion.
import { Vector3 } from "three";
import { BodyItem, Item, PointItem } from "../data";
import { FatLine } from "./fat_line";
import { bodyColour, level, lift } from "./parts";
import { Part, Style, tint } from "./style";
import { frozen } from "./together";
import { momentAt, readPlace, Track } from "./track";

const most = 60; // bodies
const places = 48, share = 1 / 8; // of the time from begin to end

function trail(item: BodyItem | PointItem, index: number, style: Style, time: Float64Array): Part {
  const track = new Track(item.position, style.dimension);
  const colour = item.kind === "body" ? bodyColour(item, index, style) : tint(`body-${index % 6}`, style);
  const object = new FatLine(places + 1, style.paint.line(colour, 2, 0.55));
  lift(object, level.trail, style);
  const first = time[0], length = share * (time[time.length - 1] - first), place = new Vector3(),
    anchor = new Vector3();
  const update = (_: unknown, t: number) => {
    for (let i = 0; i <= places; ++i) {
      const moment = momentAt(time, Math.max(first, t - length * (1 - i / places)));
      object.set(i, readPlace(track, style.dimension, moment, place));
    }
    object.end();
    anchor.copy(place);
    object.visible = Number.isFinite(place.x + place.y + place.z);
  };
  return { object, layer: "trails", anchor, update };
}

/** Of the bodies and points that move; none of a crowd, and none where frames tell nothing of the way between them. */
export function trailsOf(items: Item[], indices: number[], style: Style, time: Float64Array, held = false): Part[] {
  if (held || time.length < 2) return [];
  const moving = items.flatMap((item, i) =>
    (item.kind === "body" || item.kind === "point") && !frozen(item, style.dimension) ? [{ item, index: indices[i] }]
      : []);
  return moving.length > most ? [] : moving.map(({ item, index }) => trail(item, index, style, time));
}
