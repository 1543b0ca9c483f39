// Between rows a quantity whose rate is known follows the cubic that has its values and rates at both ends, which errs
// by the fourth power of the distance between them: plots of few rows are as smooth as the motion.
import uPlot from "uplot";

const near = 3; // pixels between rows below which a straight line is as good

/** Draws a series so; NaN in the rates means a straight line. */
export function cubicPaths(x: ArrayLike<number>, rates: ArrayLike<number>): uPlot.Series.PathBuilder {
  return (u, series, first, last) => {
    const ys = u.data[series] as (number | null)[], xs = u.data[0];
    const stroke = new Path2D();
    const across = (value: number) => u.valToPos(value, "x", true), up = (value: number) => u.valToPos(value, "y",
      true);
    let own = 0, before = -1; // places in x, and in the data of the plot
    let beforeOwn = -1;
    const from = Math.max(0, first - 1), to = Math.min(xs.length - 1, last + 1);
    for (let i = from; i <= to; ++i) {
      const y = ys[i];
      if (y === undefined) continue; // a time of another run
      if (y === null) {
        before = -1;
        continue;
      }
      while (own + 1 < x.length && x[own] < xs[i]) ++own;
      const right = across(xs[i]), top = up(y);
      if (before < 0) stroke.moveTo(right, top);
      else {
        const left = across(xs[before]), third = (xs[i] - xs[before]) / 3;
        const a = rates[beforeOwn], b = rates[own];
        if (right - left < near * devicePixelRatio || !Number.isFinite(a + b)) stroke.lineTo(right, top);
        else
          stroke.bezierCurveTo(left + (right - left) / 3, up((ys[before] as number) + a * third),
            right - (right - left) / 3, up(y - b * third), right, top);
      }
      before = i;
      beforeOwn = own;
    }
    return { stroke, fill: null, clip: null, band: null, flags: 1 };
  };
}
