// The moments that the reader keeps as snapshots.

export class Moments {
  times: readonly number[] = [];
  private listeners: (() => void)[] = [];

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  keep(time: number): void {
    this.set([...new Set([...this.times, time])]);
  }

  clear(): void {
    this.set([]);
  }

  private set(times: number[]): void {
    this.times = times;
    for (const listener of this.listeners) listener();
  }
}
