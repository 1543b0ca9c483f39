// A smooth line through nodes at given arc lengths: cubics whose slopes at a node are those of the parabola through it
// and its neighbours. The places do not move along the line, so that all of them are fixed sums over four nodes.

const window = 4; // nodes that one place depends on

export interface Smooth {
  s: Float64Array; // arc lengths of the places, all nodes among them
  /** A sum over the nodes at the i-th place: of numbers with a stride, beginning at `first`. */
  value(numbers: ArrayLike<number>, stride: number, first: number, i: number): number;
  slope(numbers: ArrayLike<number>, stride: number, first: number, i: number): number;
}

/** What the nodes count for in dr/ds at one of them. */
export function slopeWeights(nodes: ArrayLike<number>, node: number): [number, number][] {
  const last = nodes.length - 1;
  if (last === 1) return [[0, -1 / (nodes[1] - nodes[0])], [1, 1 / (nodes[1] - nodes[0])]];
  const b = Math.min(last - 1, Math.max(1, node)),
    a = b - 1,
    c = b + 1;
  const before = 1 / (nodes[b] - nodes[a]),
    after = 1 / (nodes[c] - nodes[b]);
  const bend = (2 * nodes[node] - nodes[a] - nodes[b]) / (nodes[c] - nodes[a]);
  return [
    [a, -before + bend * before],
    [b, before - bend * (after + before)],
    [c, bend * after],
  ];
}

export function smooth(nodes: ArrayLike<number>, pieces: number): Smooth {
  const segments = nodes.length - 1,
    count = segments * pieces + 1;
  const s = new Float64Array(count),
    start = new Int32Array(count),
    values = new Float64Array(window * count),
    slopes = new Float64Array(window * count);
  for (let i = 0; i < count; ++i) {
    const n = Math.min(segments - 1, Math.floor(i / pieces)),
      x = i / pieces - n,
      y = 1 - x,
      length = nodes[n + 1] - nodes[n];
    s[i] = nodes[n] + x * length;
    start[i] = Math.max(0, Math.min(n - 1, nodes.length - window));
    const add = (list: Float64Array, node: number, weight: number) => (list[window * i + node - start[i]] += weight);
    const cubic = (list: Float64Array, a: number, b: number, from: number, to: number) => {
      add(list, n, a);
      add(list, n + 1, b);
      for (const [node, weight] of slopeWeights(nodes, n)) add(list, node, from * length * weight);
      for (const [node, weight] of slopeWeights(nodes, n + 1)) add(list, node, to * length * weight);
    };
    cubic(values, y * y * (1 + 2 * x), x * x * (1 + 2 * y), x * y * y, -x * x * y);
    cubic(slopes, (-6 * x * y) / length, (6 * x * y) / length, (y * (1 - 3 * x)) / length, (x * (3 * x - 2)) / length);
  }
  const sum = (list: Float64Array) => (numbers: ArrayLike<number>, stride: number, first: number, i: number) => {
    let total = 0;
    for (let k = 0, node = start[i]; k < window && node < nodes.length; ++k, ++node)
      total += list[window * i + k] * numbers[node * stride + first];
    return total;
  };
  return { s, value: sum(values), slope: sum(slopes) };
}
