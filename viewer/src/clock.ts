// The one time that plots and animation share.

const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const comfortable = { shortest: 2, longest: 30 }; // seconds that a replay should take

export class Clock {
  time: number;
  playing = false;
  speed: number;
  private listeners: (() => void)[] = [];
  private last = 0;

  constructor(readonly from: number, readonly to: number) {
    this.time = from;
    const duration = to - from;
    const lasts = (speed: number) => duration / speed;
    this.speed = lasts(1) < comfortable.shortest
      ? [...speeds].reverse().find((s) => s < 1 && lasts(s) >= comfortable.shortest) ?? speeds[0]
      : speeds.find((s) => s >= 1 && lasts(s) <= comfortable.longest) ?? speeds[speeds.length - 1];
  }

  /** Whether there is no more than one instant. */
  get still(): boolean {
    return this.to <= this.from;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  seek(time: number): void {
    this.time = Math.min(this.to, Math.max(this.from, time));
    this.tell();
  }

  toggle(): void {
    this.playing = !this.playing && this.to > this.from;
    if (this.playing) {
      if (this.time >= this.to) this.time = this.from;
      this.last = performance.now();
      requestAnimationFrame(this.tick);
    }
    this.tell();
  }

  faster(steps: number): void {
    const index = speeds.indexOf(this.speed) + steps;
    this.speed = speeds[Math.min(speeds.length - 1, Math.max(0, index))];
    this.tell();
  }

  private tick = (now: number): void => {
    if (!this.playing) return;
    const time = this.time + Math.max(0, now - this.last) / 1000 * this.speed;
    this.last = now;
    this.time = time > this.to ? this.from : time;
    this.tell();
    requestAnimationFrame(this.tick);
  };

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
