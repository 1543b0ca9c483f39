// Elements without HTML strings: text stays text, whatever a model calls its parts.

type Attributes = Record<string, string | number | boolean | ((event: any) => void)>;
type Child = Node | string;

function build<T extends Element>(element: T, attributes: Attributes, children: Child[]): T {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false) element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]) {
  return build(document.createElement(tag), attributes, children);
}

/** A line drawing of 24 by 24 units, hidden from screen readers: the button around it has the words. */
export function icon(path: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const line = build(document.createElementNS(space, "path"), { d: path }, []);
  return build(document.createElementNS(space, "svg"), { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, [
    line,
  ]);
}
