// Light and dark: the colours live in style.css, canvases read them from there and redraw when they change.

export type Theme = "light" | "dark";

const root = document.documentElement;
const listeners: (() => void)[] = [];
const storageKey = "invar-theme";

export const curveColours = 8;

/** The colour of a CSS variable such as "ink". */
export const colour = (name: string) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();
export const curveName = (index: number) => `curve-${index % curveColours}`;
export const curveColour = (index: number) => colour(curveName(index));

export const currentTheme = () => root.dataset.theme as Theme;
export const onTheme = (listener: () => void) => void listeners.push(listener);

function apply(theme: Theme): void {
  root.dataset.theme = theme;
  for (const listener of listeners) listener();
}

// Some browsers forbid storage to pages opened from a file.
function remembered(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

export function toggleTheme(): void {
  apply(currentTheme() === "dark" ? "light" : "dark");
  try {
    localStorage.setItem(storageKey, currentTheme());
  } catch {
    // the choice then lasts as long as the page
  }
}

export function startTheme(): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const preferred = (): Theme => (system.matches ? "dark" : "light");
  const kept = remembered();
  apply(kept === "dark" || kept === "light" ? kept : preferred());
  system.addEventListener("change", () => remembered() ?? apply(preferred()));

  let before = currentTheme();
  addEventListener("beforeprint", () => {
    before = currentTheme();
    apply("light");
  });
  addEventListener("afterprint", () => apply(before));
}
