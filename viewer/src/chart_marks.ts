// What is drawn into a plot besides its curves: ranges as bands, events, the mark of the reader.
import uPlot from "uplot";
import { Event } from "./data";
import { Curve } from "./panels";
import { colour, curveColour } from "./theme";

const bandOpacity = 0.16;

export function drawBands(u: uPlot, curves: Curve[], shown: (index: number) => boolean): void {
  const { ctx, bbox } = u;
  curves.forEach(({ x, band, colour: index }, i) => {
    if (!band || !shown(i)) return;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.beginPath();
    x.forEach((s, k) => ctx.lineTo(u.valToPos(s, "x", true), u.valToPos(band.high[k], "y", true)));
    for (let k = x.length - 1; k >= 0; --k)
      ctx.lineTo(u.valToPos(x[k], "x", true), u.valToPos(band.low[k], "y", true));
    ctx.closePath();
    ctx.globalAlpha = bandOpacity;
    ctx.fillStyle = curveColour(index);
    ctx.fill();
    ctx.restore();
  });
}

function upright(u: uPlot, x: number): boolean {
  const { ctx, bbox } = u;
  if (x < bbox.left || x > bbox.left + bbox.width) return false;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  return true;
}

/** Readable on top of curves. */
function haloed(ctx: CanvasRenderingContext2D, text: string, x: number, y: number): void {
  ctx.save();
  ctx.setLineDash([]);
  ctx.lineWidth = 4 * devicePixelRatio;
  ctx.lineJoin = "round";
  ctx.strokeStyle = colour("card");
  ctx.strokeText(text, x, y);
  ctx.fillText(text, x, y);
  ctx.restore();
}

/** A label that would stand on the one before, or leave the plot, is left out: the lines stay. */
export function drawEvents(u: uPlot, events: Event[]): void {
  const { ctx, bbox } = u;
  const gap = 4 * devicePixelRatio;
  let free = bbox.left;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour("soft");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2, 4]);
  ctx.textAlign = "left";
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  for (const event of events) {
    const x = Math.round(u.valToPos(event.t, "x", true)) + 0.5;
    if (!upright(u, x)) continue;
    const end = x + gap + ctx.measureText(event.label).width;
    if (x < free || end > bbox.left + bbox.width) continue;
    haloed(ctx, event.label, x + gap, bbox.top + 11 * devicePixelRatio);
    free = end + gap;
  }
  ctx.restore();
}

export function drawMark(u: uPlot, place: number): void {
  const { ctx } = u;
  ctx.save();
  ctx.strokeStyle = colour("accent");
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.setLineDash([6 * devicePixelRatio, 3 * devicePixelRatio]);
  upright(u, Math.round(u.valToPos(place, "x", true)) + 0.5);
  ctx.restore();
}
