// The motion as a film: played once from begin to end at the speed chosen, and recorded by the browser.
import { Clock } from "./clock";

const kinds: [string, string][] = [
  ["video/webm;codecs=vp9", "webm"],
  ["video/webm;codecs=vp8", "webm"],
  ["video/webm", "webm"],
  ["video/mp4", "mp4"],
];
const perSecond = 30, bitsPerSecond = 8e6;

const kindOf = () =>
  typeof MediaRecorder === "undefined" ? undefined : kinds.find(([type]) => MediaRecorder.isTypeSupported(type));

export const canFilm = () => kindOf() !== undefined && "captureStream" in HTMLCanvasElement.prototype;

export interface Film {
  content: Blob;
  ending: string;
}

/** Draws every instant onto the canvas and films it. Who pauses the motion gets what there is. */
export async function film(clock: Clock, canvas: HTMLCanvasElement, draw: () => void): Promise<Film> {
  const [type, ending] = kindOf()!;
  const recorder = new MediaRecorder(canvas.captureStream(perSecond), { mimeType: type,
    videoBitsPerSecond: bitsPerSecond });
  const pieces: Blob[] = [];
  recorder.addEventListener("dataavailable", ({ data }) => data.size && pieces.push(data));
  const ended = new Promise((done) => recorder.addEventListener("stop", done));
  if (clock.playing) clock.toggle();
  clock.seek(clock.from);
  draw();
  recorder.start();
  let last = clock.time;
  clock.toggle();
  await new Promise<void>((done) => {
    const look = () => {
      const again = clock.time < last;
      if (again && clock.playing) clock.toggle();
      if (!clock.playing) {
        if (again) clock.seek(clock.to);
        draw();
        return done();
      }
      last = clock.time;
      draw();
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await new Promise((done) => setTimeout(done, 2000 / perSecond)); // the last picture is one too
  recorder.stop();
  await ended;
  return { content: new Blob(pieces, { type }), ending };
}
