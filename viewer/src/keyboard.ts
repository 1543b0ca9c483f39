// Keys that work wherever the focus is, except where the element has its own use for them.
import { Clock } from "./clock";

export interface Actions {
  step(frames: number): void;
  reset(): void;
  keep(): void;
  mark(): void;
}

function usedByElement(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (target.matches("select, textarea, pre, input[type=search]")) return true;
  if (event.key === " ") return target.matches("button, summary, a, input[type=checkbox]");
  return target.matches("input[type=range]") && /^(Arrow|Home|End)/.test(event.key);
}

export function listenToKeys(clock: Clock, { step, reset, keep, mark }: Actions): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || usedByElement(event)) return;
    const frames = event.shiftKey ? 10 : 1;
    const actions: Record<string, () => void> = {
      " ": () => clock.toggle(),
      ArrowLeft: () => step(-frames),
      ArrowRight: () => step(frames),
      Home: () => clock.seek(clock.from),
      End: () => clock.seek(clock.to),
      "+": () => clock.faster(1),
      "=": () => clock.faster(1),
      "-": () => clock.faster(-1),
      r: reset,
      R: reset,
      s: keep,
      S: keep,
      m: mark,
      M: mark,
    };
    if (!Object.hasOwn(actions, event.key)) return;
    actions[event.key]();
    event.preventDefault();
  });
}
