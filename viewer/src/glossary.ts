// What the words of the page mean: in a sentence where one points at them, and at more length in a section at its end,
// since a report is one file that stands without its documentation.
import { el } from "./dom";
import { breakable } from "./format";
import { entries, Entry } from "./words";

const used = new Set<Entry>();
const idOf = (entry: Entry) => `word-${entries.indexOf(entry)}`;
let count = 0;

const find = (words: string) => entries.find(({ pattern }) => pattern.test(words));

/** The words, with what they mean when one points at them or moves the focus there; plain words if nobody explains
 *  them. */
export function explained(words: string): (HTMLElement | string)[] {
  const entry = find(words);
  if (!entry) return [words];
  const last = words.lastIndexOf(" ") + 1; // the mark stays beside the last word
  return [el("span", { class: "about" }, words.slice(0, last)),
    el("span", { class: "together" }, el("span", { class: "about" }, words.slice(last)), tip(entry))];
}

/** The same for a heading that is a button itself: a mark beside it. */
export function mark(words: string): HTMLElement[] {
  const entry = find(words);
  return entry ? [tip(entry)] : [];
}

function tip(entry: Entry): HTMLElement {
  used.add(entry);
  const id = `about-${++count}`;
  const more = el("a", { href: `#${idOf(entry)}`, click: () => open(entry) }, "More about this word");
  return el("span", { class: "tip" },
    el("button", { type: "button", "aria-label": "Explanation", "aria-describedby": id }, "?"),
    el("span", { role: "tooltip", id }, `${entry.meaning} `, el("small", {}, more)));
}

/** Folded text cannot be gone to. */
function open(entry: Entry): void {
  const place = document.getElementById(idOf(entry));
  place?.closest("details")?.setAttribute("open", "");
}

/** https://example.org/docs, with pages as they are in the repository, or https://example.org/docs/{page}.html. */
function addressOf(page: string, documentation: string): string {
  const [name, anchor] = page.split(".md");
  return documentation.includes("{page}") ? documentation.replace("{page}", name) + anchor
    : `${documentation.replace(/\/?$/, "/")}${page}`;
}

/** All words that were explained in the page, with the page of the documentation that tells more: a link if one knows
 *  where that stands. */
export function makeWords(documentation?: string): HTMLElement[] {
  const pageOf = ({ page }: Entry) => {
    const where = breakable(`docs/${page}`).flatMap((part) => [part, el("wbr")]);
    return documentation ? el("a", { href: addressOf(page, documentation), rel: "noopener" }, ...where)
      : el("span", {}, ...where);
  };
  const some = entries.filter((entry) => used.has(entry));
  if (!some.length) return [];
  return [el("details", { class: "words" }, el("summary", {}, "Words of this page"),
    el("dl", {}, ...some.flatMap((entry) => [
      el("dt", { id: idOf(entry), tabindex: -1 }, entry.word),
      el("dd", {}, [entry.meaning, entry.more ?? ""].join(" "), " ", el("small", {}, "See ", pageOf(entry), ".")),
    ])))];
}
