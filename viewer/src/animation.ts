// The motion as an animated picture: instants at equal distances from begin to end, at the speed chosen.
import { Clock } from "./clock";
import { Gif, mostColours } from "./gif";
import { Palette } from "./palette";

const perSecond = 25, mostPictures = 500, widest = 800, learned = 12; // pictures whose colours make the palette
const rest = 100; // hundredths of a second that the end is shown before all begins again

/** Pictures may be fewer per second than smoothness asks for, so that files stay small. */
export function instants(duration: number): { count: number; hundredths: number } {
  const hundredths = Math.max(100 / perSecond, Math.ceil((100 * duration) / (mostPictures - 1)));
  return { count: Math.max(2, 1 + Math.round((100 * duration) / hundredths)), hundredths };
}

const breath = () => new Promise((done) => setTimeout(done));

/** Draws every instant onto the canvas; `tell` hears how much is done and says whether to go on. */
export async function animate(clock: Clock, canvas: HTMLCanvasElement, draw: () => void,
  tell: (part: number) => boolean): Promise<Blob | null> {
  const at = clock.time;
  if (clock.playing) clock.toggle();
  const { count, hundredths } = instants((clock.to - clock.from) / clock.speed);
  draw();
  const scale = Math.min(1, widest / canvas.width);
  const width = Math.round(scale * canvas.width), height = Math.round(scale * canvas.height);
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
  const pixelsAt = (k: number) => {
    clock.seek(clock.from + (k / (count - 1)) * (clock.to - clock.from));
    draw();
    context.drawImage(canvas, 0, 0, width, height);
    return context.getImageData(0, 0, width, height).data;
  };
  try {
    const palette = new Palette(), some = Math.min(count, learned);
    for (let k = 0; k < some; ++k) palette.learn(pixelsAt(Math.round((k * (count - 1)) / (some - 1))));
    palette.make(mostColours);
    const gif = new Gif(width, height, palette);
    for (let k = 0; k < count; ++k) {
      gif.add(pixelsAt(k), k + 1 < count ? hundredths : rest);
      await breath();
      if (!tell((k + 1) / count)) return null;
    }
    return new Blob([gif.end()], { type: "image/gif" });
  } finally {
    clock.seek(at);
  }
}
