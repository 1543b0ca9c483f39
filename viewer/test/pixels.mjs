// What a browser draws, as numbers.

/** The pixels of an element, read in the page. */
export const pixels = async (page, selector) => {
  const png = (await page.locator(selector).first().screenshot()).toString("base64");
  const { width, height, bytes } = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const paper = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = paper.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data: rgba } = context.getImageData(0, 0, image.width, image.height);
    const rows = Array.from({ length: image.height }, (_, y) =>
      String.fromCharCode(...rgba.subarray(4 * y * image.width, 4 * (y + 1) * image.width)),
    );
    return { width: image.width, height: image.height, bytes: btoa(rows.join("")) };
  }, png);
  return { width, height, data: Buffer.from(bytes, "base64") };
};
export const toNumbers = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
export const countColour = async (page, name, selector = "canvas.picture") => {
  const wanted = toNumbers(
    await page.evaluate(
      (variable) => getComputedStyle(document.documentElement).getPropertyValue(variable),
      `--${name}`,
    ),
  );
  const { data } = await pixels(page, selector);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (wanted.every((value, k) => Math.abs(value - data[i + k]) <= 2)) ++count;
  return count;
};
