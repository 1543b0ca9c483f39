// Numbers as text, for legends, figures and axes.

/** As many significant digits as asked for, without trailing zeros; a true minus sign. */
export function number(value: number | null | undefined, digits = 6): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const plain = value === 0 || (size >= 1e-3 && size < 1e6);
  const text = plain
    ? String(Number(value.toPrecision(digits)))
    : value.toExponential(digits - 1).replace(/\.?0*e\+?/, "e");
  return text.replace(/-/g, "−");
}

const nothing = 1e-40; // no quantity of a mechanism is that small: what is left of numbers that cancel

/** A result: rounded, but never so that a large one looks exact. */
export const amount = (value: number | null) =>
  number(value !== null && Math.abs(value) < nothing ? 0 : value, Math.abs(value ?? 0) >= 1000 ? 7 : 4);

const order = (value: number) => Math.floor(Math.log10(Math.abs(value)) + 1e-9);

/** So many that nothing of the increment is lost: 2.5 needs one. */
function decimals(increment: number): number {
  const first = Math.max(0, -order(increment)),
    scaled = increment * 10 ** first;
  return Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled ? first : first + 1;
}

/** The ticks of one axis, all with the decimals that its increment needs. */
export function ticks(splits: (number | null)[], increment: number): string[] {
  const largest = Math.max(...splits.map((v) => Math.abs(v ?? 0)));
  const plain = largest < 1e6 && increment >= 1e-4;
  return splits.map((value) => {
    if (value === null) return "";
    if (Math.abs(value) < increment * 1e-6) return "0";
    const text = plain
      ? value.toFixed(decimals(increment))
      : value
          .toExponential(Math.max(0, order(value) + decimals(increment / 10 ** order(increment)) - order(increment)))
          .replace("e+", "e");
    return text.replace(/-/g, "−");
  });
}

/** Numbers within a sentence of the program in the style of the page: 6.7e-06 as 6.7e−6, 2.37e+02 as 237; x >= 1 as
 *  x ≥ 1. */
export const typeset = (text: string) =>
  text
    .replace(/(?<![\w.])\d+(?:\.(\d+))?e[+-]?\d+(?!\w)/g, (match, part = "") => number(Number(match), 1 + part.length))
    .replace(/(?<=^|[\s(=,])-(?=\d)/g, "−")
    .replace(/ >= /g, " ≥ ")
    .replace(/ <= /g, " ≤ ");

/** A name in parts at whose joints a line may break: cable_manipulator_general. */
export const breakable = (name: string) => name.split(/(?<=[_./])/);

export const withUnit = (label: string, unit?: string) => (unit ? `${label} [${unit}]` : label);
