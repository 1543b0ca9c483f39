// Files that the reader takes out of the page.

export function save(name: string, content: Blob | string, type = "text/plain"): void {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** A name in a table. */
export const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const plainName = (text: string) =>
  text.replace(/\[.*?\]/g, "").replace(/[^\p{L}\p{N}.'-]+/gu, "_").replace(/^_+|_+$/g, "");

/** A name that every file system takes. */
export const fileName = (text: string, ending: string) =>
  `${plainName(text).slice(0, 80) || "plot"}.${ending}`;

/** An SVG picture as pixels, twice as many as it has units. */
export async function rasterised(svg: string, width: number, height: number): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height });
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"),
  );
}
