// A sweep to try the page with: a pendulum-like function of three drawn quantities and one listed one.
import { f32, f64 } from "./fixtures.mjs";

const probabilities = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1];
const golden = 0.6180339887498949;
const part = (k, axis) => (((k + 1) * golden ** (axis + 1) * 7.13) % 1 + 1) % 1;

function column(name, values, drawn) {
  const known = values.filter(Number.isFinite), sorted = [...known].sort((a, b) => a - b);
  const mean = known.reduce((sum, v) => sum + v, 0) / known.length;
  const from = sorted[0], to = sorted[sorted.length - 1], counts = Array(20).fill(0);
  for (const v of known) ++counts[Math.min(19, Math.floor(((v - from) / (to - from || 1)) * 20))];
  return {
    name, drawn, count: known.length, mean, values: f64(values),
    deviation: Math.sqrt(known.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (known.length - 1)),
    quantiles: probabilities.map((p) => sorted[Math.round(p * (sorted.length - 1))]),
    histogram: { from, to, counts },
  };
}

export function sweep(count = 300, reason = "trust region at t = 0.4 s: no step reduces the residual") {
  const L = [], m = [], c = [], wind = [], peak = [], energy = [], status = [];
  for (let k = 0; k < count; ++k) {
    L.push(4 + 0.3 * (part(k, 0) - 0.5));
    m.push(50 + 50 * (k % 10));
    c.push(0.01 + 0.2 * part(k, 1));
    wind.push(12 * part(k, 2));
    const failed = k % 37 === 5;
    status.push(failed ? (k % 2 ? 1 : 2) : 0);
    peak.push(failed ? NaN : 0.02 * wind[k] ** 2 * (1 - 2 * c[k]) + 0.3 * Math.sin(40 * L[k]) + m[k] / 500);
    energy.push(failed ? NaN : m[k] * 9.81 * (1 - Math.cos(0.1 * peak[k])));
  }
  const time = Array.from({ length: 81 }, (_, k) => k / 10);
  const swing = (level) => time.map((t) => level * Math.exp(-0.2 * t) * Math.cos(1.5 * t));
  const interval = (v, half) => [v, v - half, v + half];
  const failed = status.map((s, k) => [s, k]).filter(([s]) => s).map(([, k]) => k);
  return {
    format: 1, name: "overhead crane", task: "sweep", status: "complete",
    verdict: `${count} cases of simulate: ${count - failed.length} done, ${failed.length} failed`,
    said: ["10 values of m, at each 30 samples of L, c, wind (latin, seed 1): 300 cases"],
    figures: [{ label: "cases", value: count }, { label: "failed", value: failed.length }],
    runs: [], details: [{ title: "Model file", text: "name = \"overhead crane\"" }], version: "invar 0.1.0",
    sweep: {
      cases: count, probabilities, command: "invar simulate overhead_crane", folder: "out/overhead_crane-sweep",
      varied: [column("m", m), column("L", L, true), column("c", c, true), column("wind.speed", wind, true)],
      figures: [column("steps", peak.map(() => 500)), column("sway.peak", peak), column("energy.total.max", energy)],
      status: f32(status),
      spearman: [[null, null, null, null], [0.4, 0.1, -0.2, 0.9], [0.6, 0, null, 0.7]],
      pearson: [[null, null, null, null], [0.35, 0.12, -0.25, 0.85], [0.5, 0, null, 0.6]],
      sensitivity: { base_samples: 60, drawn: ["L", "c", "wind.speed"], figures: [
        { name: "sway.peak", first_order: [interval(0.05, 0.08), interval(0.1, 0.05), interval(0.7, 0.1)],
          total: [interval(0.1, 0.05), interval(0.15, 0.05), interval(0.8, 0.1)] }] },
      bands: ["sway", "trolley"].map((name) => ({ name, unit: "m", time: f32(time),
        quantiles: [-0.4, -0.1, 0.3, 0.5, 0.7, 1.2, 1.6].map((level) => f32(swing(level))) })),
      failures: [{ status: "failed", reason, count: 5, cases: [5, 79, 153] },
        { status: "stopped", reason: "took longer than 60 s", count: 3, cases: [42] }],
      reports: { 7: "case-7/report.html" },
    },
  };
}
