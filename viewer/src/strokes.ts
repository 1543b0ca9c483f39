// How the curves of a plot are drawn: where some coincide, one sees the colours of all in turn.
import { Curve } from "./panels";
import { curveColours } from "./theme";

export interface Stroke {
  curve: number; // its place in the list
  width: number;
  dash?: number[];
  again?: boolean; // over a stroke of the same curve
}

const dashDot = [10, 3, 2, 3]; // from the curve on whose colour was there before
const unit = dashDot.reduce((a, b) => a + b); // pixels of one colour in turn
const desired = [6, 4];

const first = ({ colour }: Curve) => colour < curveColours;

/** The i-th of n pieces as long as the unit, again and again. */
function inTurn(curve: Curve, i: number, n: number): number[] {
  const piece = first(curve) ? [unit, 0] : dashDot;
  return [0, i * unit, ...piece.slice(0, -1), piece[piece.length - 1] + (n - 1 - i) * unit];
}

/** All curves, then a piece of each in turn, then what they should be. */
export function strokesOf(curves: Curve[]): Stroke[] {
  const indices = curves.map((_, index) => index);
  const own = indices.filter((index) => !curves[index].dashed),
    references = indices.filter((index) => curves[index].dashed);
  const width = 1.75;
  return [
    ...own.map((curve) => ({ curve, width, dash: first(curves[curve]) ? undefined : dashDot })),
    ...(own.length > 1
      ? own.map((curve, i) => ({ curve, width, dash: inTurn(curves[curve], i, own.length), again: true }))
      : []),
    ...references.map((curve) => ({ curve, width: 1.25, dash: desired })),
  ];
}
