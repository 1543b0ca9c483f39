// A few things that can be done, behind a button.
import { el } from "./dom";

export const menuItem = (text: string, tip: string, click: () => void) =>
  el("button", { type: "button", title: tip, click }, text);

/** Closes after a choice, and when the focus leaves it. */
export function makeMenu(label: string, items: HTMLElement[]): HTMLElement {
  const menu: HTMLDetailsElement = el("details", { class: "tools" },
    el("summary", { "aria-label": label, title: "tools" }, "⋯"), el("div", { class: "menu" }, ...items));
  for (const item of items) item.addEventListener("click", () => (menu.open = false));
  menu.addEventListener("focusout", (event) => {
    if (!menu.contains((event as FocusEvent).relatedTarget as Node | null)) menu.open = false;
  });
  return menu;
}
