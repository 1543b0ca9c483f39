// Which frequencies a curve consists of: amplitudes 2|X_k| / Σw of the discrete Fourier transform
// X_k = Σ w_j (y_j − mean) e^(−2πi jk/n), with Hann's window w_j = sin²(πj/n), of n values at equal distances in time.
// A sine of amplitude a has a peak of height a.
import { below } from "./search";

const mostValues = 1 << 15;

/** In place, of complex numbers; their count is a power of two. */
function transform(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; ++i) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  for (let size = 2; size <= n; size <<= 1)
    for (let k = 0; k < size / 2; ++k) {
      const angle = (-2 * Math.PI * k) / size, c = Math.cos(angle), s = Math.sin(angle);
      for (let a = k; a < n; a += size) {
        const b = a + size / 2;
        const x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
      }
    }
}

/** Of the part of a curve within a window; rows at other distances are joined by straight lines first, so frequencies
 *  beyond half of one per mean distance of rows are left out. Nothing of fewer than eight rows. */
export function spectrum(x: Float64Array, y: Float64Array, [from, to]: [number, number]): { f: Float64Array;
  a: Float64Array } | null {
  const rows = Array.from(x.keys()).filter((i) => x[i] >= from && x[i] <= to && Number.isFinite(y[i]));
  if (rows.length < 8) return null;
  const times = rows.map((i) => x[i]), values = rows.map((i) => y[i]);
  const n = Math.min(mostValues, 2 ** Math.ceil(Math.log2(rows.length)));
  const span = times[times.length - 1] - times[0];
  const re = new Float64Array(n), im = new Float64Array(n);
  let mean = 0;
  for (let j = 0; j < n; ++j) {
    const t = times[0] + (span * j) / n, i = below(times, t), next = Math.min(i + 1, times.length - 1);
    const part = times[next] > times[i] ? (t - times[i]) / (times[next] - times[i]) : 0;
    re[j] = values[i] + part * (values[next] - values[i]);
    mean += re[j] / n;
  }
  let weights = 0;
  for (let j = 0; j < n; ++j) {
    const w = Math.sin((Math.PI * j) / n) ** 2;
    weights += w;
    re[j] = w * (re[j] - mean);
  }
  transform(re, im);
  const known = Math.min(n / 2, Math.floor(rows.length / 2));
  const f = Float64Array.from({ length: known - 1 }, (_, k) => (k + 1) / span);
  return { f, a: f.map((_, k) => (2 * Math.hypot(re[k + 1], im[k + 1])) / weights) };
}
