// Reports to try the page with: small motions computed here, in the form that README.md describes.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const template = new URL("../dist/report.html", import.meta.url);

/** What the program does to make a report. */
export function embed(report, page = readFileSync(template, "utf8")) {
  const [before, after, ...rest] = page.split("__INVAR_DATA__");
  if (after === undefined || rest.length) throw new Error("the template must hold its placeholder exactly once");
  return before + JSON.stringify(report).replaceAll("<", "\\u003c") + after;
}

export const f64 = (numbers) => ({ f64: Buffer.from(Float64Array.from(numbers).buffer).toString("base64") });
export const f32 = (numbers) => ({ f32: Buffer.from(Float32Array.from(numbers).buffer).toString("base64") });

/** Classical Runge-Kutta; returns the times and the states. */
export function integrate(rates, start, until, step) {
  const add = (a, b, h) => a.map((v, i) => v + h * b[i]);
  const times = [0],
    states = [start];
  for (let i = 1; i <= Math.round(until / step); ++i) {
    const x = states[i - 1];
    const k1 = rates(x),
      k2 = rates(add(x, k1, step / 2)),
      k3 = rates(add(x, k2, step / 2)),
      k4 = rates(add(x, k3, step));
    states.push(x.map((v, n) => v + (step / 6) * (k1[n] + 2 * k2[n] + 2 * k3[n] + k4[n])));
    times.push(i * step);
  }
  return { times, states };
}

export const numbersOf = ({ f32: base64 }) =>
  Array.from(new Float32Array(Uint8Array.from(Buffer.from(base64, "base64")).buffer));
const multiplied = (values, factor) => f64((Array.isArray(values) ? values : numbersOf(values)).map((v) => v * factor));

/** A scene with all lengths multiplied. */
export function resized(scene, factor) {
  const shape = (old) =>
    Object.fromEntries(
      Object.entries(old).map(([kind, size]) => [
        kind,
        kind === "mesh"
          ? { ...size, vertices: multiplied(size.vertices, factor) }
          : kind === "sphere"
            ? size * factor
            : size.map((v) => v * factor),
      ]),
    );
  const lengths = ["position", "points", "reference", "radius"];
  const items = scene.items.map((item) =>
    Object.fromEntries(
      Object.entries(item).map(([key, value]) => [
        key,
        key === "shape" ? shape(value) : lengths.includes(key) ? multiplied(value, factor) : value,
      ]),
    ),
  );
  return { ...scene, items };
}

const g = 9.81,
  length = 1.2,
  mass = 2;
export const swing = (until = 4, step = 0.02, start = 1.1) =>
  integrate(([angle, rate]) => [rate, (-g / length) * Math.sin(angle)], [start, 0], until, step);

/** A bracket: an L of corners, extruded along z from -h to h, with a surface that is closed. */
const corners = [
  [0, 0],
  [0.5, 0],
  [0.5, 0.15],
  [0.15, 0.15],
  [0.15, 0.4],
  [0, 0.4],
];
const faces = [
  [0, 1, 2],
  [0, 2, 3],
  [0, 3, 4],
  [0, 4, 5],
];
export const bracket = (h) => ({
  mesh: {
    vertices: [-h, h].flatMap((z) => corners.flatMap((p) => [...p, z])),
    triangles: [
      ...faces.flatMap(([a, b, c]) => [a, c, b, a + 6, b + 6, c + 6]),
      ...corners.flatMap((_, i) => [i, (i + 1) % 6, 6 + ((i + 1) % 6), i, 6 + ((i + 1) % 6), 6 + i]),
    ],
  },
});

const settings = {
  title: "Settings",
  rows: [
    ["method", "energy-momentum"],
    ["step", "0.02 s"],
    ["until", "4 s"],
  ],
};

function swingRun(name, { times, states }) {
  const kinetic = states.map(([, w]) => (mass / 2) * (length * w) ** 2),
    potential = states.map(([a]) => -mass * g * length * Math.cos(a));
  const tension = states.map(([a, w]) => mass * (g * Math.cos(a) + length * w * w));
  const bob = states.map(([a]) => [length * Math.sin(a), -length * Math.cos(a)]);
  const column = (column_name, group, unit, values, more = {}) => ({
    name: column_name,
    group,
    unit,
    values: f64(values),
    ...more,
  });
  return {
    name,
    time: f64(times),
    columns: [
      column(
        "bob.x",
        "outputs",
        "m",
        bob.map((p) => p[0]),
        { reference: f32(times.map((t) => Math.sin(2.4 * t + 1.5))) },
      ),
      column(
        "bob.y",
        "outputs",
        "m",
        bob.map((p) => p[1]),
      ),
      column(
        "torque",
        "inputs",
        "N m",
        times.map((t) => Math.sign(Math.sin(3 * t))),
        { stepped: true },
      ),
      column("cable tension", "reactions", "N", tension),
      column(
        "angle",
        "coordinates",
        "rad",
        states.map((s) => s[0]),
      ),
      column(
        "angle'",
        "velocities",
        "rad/s",
        states.map((s) => s[1]),
      ),
      column("energy.kinetic", "energy", "J", kinetic, { label: "kinetic" }),
      column("energy.potential", "energy", "J", potential, { label: "potential" }),
      column(
        "energy.total",
        "energy",
        "J",
        kinetic.map((v, i) => v + potential[i]),
        { label: "total" },
      ),
      column(
        "energy change",
        "errors",
        "J",
        kinetic.map((v, i) => v + potential[i] - kinetic[0] - potential[0]),
        { panel: "energy change" },
      ),
      column(
        "drift.position",
        "drift",
        "m",
        times.map((t) => 1e-15 * (1 + t)),
        { panel: "position", log: true },
      ),
    ],
    events: [{ t: 1.0, label: "release" }],
    scene: {
      dimension: 2,
      time: f64(times),
      items: [
        { kind: "line", name: "ceiling", role: "ground", count: 2, points: [-0.6, 0, 0.6, 0] },
        { kind: "line", name: "cable", role: "cable", count: 2, points: f32(bob.flatMap((p) => [0, 0, ...p])) },
        { kind: "spring", name: "spring", points: f32(bob.flatMap((p) => [-1.6, -1.2, ...p])) },
        {
          kind: "body",
          name: "bob",
          shape: { box: [0.3, 0.2] },
          position: f32(bob.flat()),
          rotation: f32(states.map((s) => s[0])),
        },
        {
          kind: "body",
          name: "wheel",
          shape: { cylinder: [0.15, 0.1] },
          position: [-1.6, -1.2],
          rotation: f32(states.map((s) => 4 * s[0])),
        },
        { kind: "circle", name: "reach", position: [0, 0], radius: [1.2] },
        { kind: "joint", name: "hinge", type: "revolute", position: [0, 0] },
        {
          kind: "arrow",
          name: "tension",
          position: f32(bob.flat()),
          vector: f32(bob.flatMap((p, i) => p.map((v) => (-v / length) * tension[i]))),
          unit: "N",
        },
        {
          kind: "trace",
          name: "bob",
          points: f32(bob.flat()),
          reference: f32(times.flatMap((t) => [Math.sin(2.4 * t), -1 + 0.1 * Math.cos(t)])),
        },
      ],
    },
  };
}

export const planar = () => ({
  format: 1,
  name: "Planar pendulum",
  task: "simulate",
  status: "complete",
  version: "invar 1.0.0",
  verdict: "Energy is kept to 2e-8 J over 4 s; the cable stays in tension, minimum 9.1 N.",
  figures: [
    { label: "degrees of freedom", value: 1 },
    { label: "largest energy change", value: 2.1234e-8, unit: "J" },
    { label: "smallest tension", value: 9.0667, unit: "N", note: "at t = 0 s" },
    { label: "largest constraint residual", value: 4.4e-16, unit: "m" },
    { label: "Newton iterations", value: "2.1 per step" },
    { label: "wall time", value: 0.0123, unit: "s" },
  ],
  warnings: ['Constraint "floor" follows from "wall": left out.'],
  runs: [{ ...swingRun("pendulum", swing()), note: "energy-momentum, h = 0.02 s" }],
  details: [
    settings,
    { title: "Model", text: 'name = "planar pendulum"\n\n[world]\ndimension = 2\ngravity = [0, -9.81]\n' },
  ],
});

/** A gyroscope on a stand and a ball on a cable, moving by formulas. */
function gyroscope(name, rate, frames) {
  const times = Array.from({ length: frames }, (_, i) => i * 0.025);
  const turn = times.map((t) => rate * t),
    tilt = times.map((t) => 1.1 + 0.15 * Math.sin(3 * t)),
    spin = times.map((t) => 9 * t);
  const axis = times.map((_, i) => [
    Math.sin(tilt[i]) * Math.cos(turn[i]),
    Math.sin(tilt[i]) * Math.sin(turn[i]),
    Math.cos(tilt[i]),
  ]);
  const top = axis.map((a) => [a[0], a[1], a[2] + 0.8]);
  const half = (angle, [x, y, z]) => [Math.cos(angle / 2), ...[x, y, z].map((v) => v * Math.sin(angle / 2))];
  const times_q = ([a, b, c, d], [e, f, k, h]) => [
    a * e - b * f - c * k - d * h,
    a * f + b * e + c * h - d * k,
    a * k - b * h + c * e + d * f,
    a * h + b * k - c * f + d * e,
  ];
  const rotation = times.map((_, i) =>
    times_q(times_q(half(turn[i], [0, 0, 1]), half(tilt[i], [0, 1, 0])), half(spin[i], [0, 0, 1])),
  );
  const ball = times.map((t, i) => [
    top[i][0] + 0.25 * Math.sin(2 * t),
    top[i][1] + 0.25 * Math.cos(2 * t),
    top[i][2] - 0.7,
  ]);
  const column = (name, group, unit, values, more = {}) => ({ name, group, unit, values: f64(values), ...more });
  return {
    name,
    time: f64(times),
    columns: [
      ...["x", "y", "z"].map((c, k) =>
        column(
          `ball.${c}`,
          "outputs",
          "m",
          ball.map((p) => p[k]),
          { reference: f64(ball.map((p) => p[k] + 0.02)) },
        ),
      ),
      column(
        "M_turn",
        "inputs",
        "N m",
        times.map((t) => 12 * Math.sin(t)),
      ),
      ...Array.from({ length: 10 }, (_, k) =>
        column(
          `q${k}`,
          "coordinates",
          "",
          times.map((t) => Math.sin(t + k)),
        ),
      ),
      column(
        "hamiltonian",
        "hamiltonian",
        "J",
        times.map(() => 3.5),
      ),
      column(
        "angular_momentum.z",
        "momentum",
        "kg m²/s",
        times.map((t) => 1e-12 * Math.sin(t)),
      ),
    ],
    scene: {
      dimension: 3,
      up: [0, 0, 1],
      time: f64(times),
      ghosts: [0, 1.5, 3],
      items: [
        { kind: "body", name: "stand", fixed: true, shape: { box: [0.5, 0.5, 0.1] }, position: [0, 0, 0.05] },
        { kind: "line", name: "post", role: "ground", count: 2, points: [0, 0, 0, 0, 0, 0.8] },
        { kind: "line", name: "shaft", role: "link", count: 2, points: f32(top.flatMap((p) => [0, 0, 0.8, ...p])) },
        {
          kind: "body",
          name: "rotor",
          shape: { cylinder: [0.35, 0.08] },
          position: f32(axis.flatMap((a) => [0.6 * a[0], 0.6 * a[1], 0.8 + 0.6 * a[2]])),
          rotation: f32(rotation.flat()),
        },
        { kind: "body", name: "frame", position: f32(top.flat()), rotation: f32(rotation.flat()) },
        {
          kind: "line",
          name: "cable",
          role: "cable",
          count: 2,
          points: f32(top.flatMap((p, i) => [...p, ...ball[i]])),
        },
        { kind: "spring", name: "spring", points: f32(ball.flatMap((p) => [-1.2, -1.2, 0, ...p])) },
        { kind: "body", name: "ball", shape: { sphere: 0.09 }, position: f32(ball.flat()) },
        {
          kind: "body",
          name: "wedge",
          fixed: true,
          position: [-1.2, -1.2, 0],
          shape: {
            mesh: {
              vertices: [-0.2, -0.2, 0, 0.2, -0.2, 0, 0, 0.2, 0, 0, 0, 0.2],
              triangles: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3],
            },
          },
        },
        { kind: "point", name: "target", position: [0.8, -0.8, 0.4] },
        { kind: "joint", name: "gimbal", type: "universal", position: [0, 0, 0.8], axis: [0, 0, 1] },
        { kind: "arrow", name: "weight", position: f32(ball.flat()), vector: [0, 0, -9.81], unit: "N" },
        {
          kind: "arrow",
          name: "drive",
          role: "torque",
          position: [0, 0, 0.8],
          vector: f32(times.flatMap((t) => [0, 0, 12 * Math.sin(t)])),
        },
        {
          kind: "trace",
          name: "ball",
          points: f32(ball.flat()),
          reference: f32(ball.flatMap((p) => [p[0], p[1], p[2] + 0.1])),
        },
      ],
    },
  };
}

export const spatial = () => ({
  format: 1,
  name: "Gyroscope with a hanging ball",
  task: "invert",
  status: "incomplete",
  version: "invar 1.0.0",
  message: "interrupted at t = 6 s; what was computed is shown",
  verdict: "Flat system of index 5: inputs exact to 3e-13; cable stays in tension, minimum 8.1 N.",
  figures: [
    { label: "index", value: 5 },
    { label: "largest residual", value: 3e-13 },
    { label: "drive torque", value: 12.25, unit: "N m" },
  ],
  runs: [gyroscope("gyroscope", 0.8, 241)],
  details: [settings],
});

/** Turning at three rates; the last run ends earlier. */
export const spatialComparison = () => ({
  format: 1,
  name: "Gyroscope: three rates",
  task: "compare",
  status: "complete",
  version: "invar 1.0.0",
  verdict: "The faster it turns, the further the ball swings out.",
  runs: [
    [0.6, 241],
    [0.8, 241],
    [1.0, 161],
  ].map(([rate, frames]) => {
    const run = gyroscope(`${rate} rad/s`, rate, frames);
    return { ...run, note: "by formulas", scene: { ...run.scene, ghosts: undefined } };
  }),
});

/** The last run ends earlier. */
export const compared = [
  { step: 0.08, until: 4, start: 1.1 },
  { step: 0.04, until: 4, start: 0.9 },
  { step: 0.02, until: 3, start: 0.7 },
];

export const comparison = () => {
  const steps = compared.map(({ step }) => step);
  return {
    format: 1,
    name: "Pendulum: three starts",
    task: "compare",
    status: "complete",
    version: "invar 1.0.0",
    verdict: "Halving the step divides the error by 16: order 4, as expected.",
    table: {
      title: "What differs",
      columns: [
        "run",
        "method",
        "step [s]",
        "first angle [rad]",
        "steps",
        "largest energy change [J]",
        "largest constraint residual [m]",
        "computed in [s]",
      ],
      rows: compared.map(({ step, until, start }, i) => [
        `h = ${step} s`,
        "Runge-Kutta",
        step,
        start,
        Math.round(until / step),
        0.123456 * step ** 4,
        i === 1 ? null : 4.4e-16,
        0.01234567 / step,
      ]),
    },
    runs: compared.map(({ step, until, start }) => ({
      ...swingRun(`h = ${step} s`, swing(until, step, start)),
      note: "Runge-Kutta",
    })),
    convergence: {
      x: "step [s]",
      y: "error of angle [rad]",
      series: [
        { name: "Runge-Kutta", x: steps, y: steps.map((h) => 0.9 * h ** 4), order: 4 },
        { name: "midpoint", x: steps, y: steps.map((h) => 0.05 * h ** 2), order: 2 },
      ],
    },
    details: [settings],
  };
};

export const attack =
  `</script><script>window.attacked = true</script><img src=x onerror="window.attacked = true">` +
  `"'&amp; Krän λ 吊车 \u2028 __proto__`;

/** Every text of a report replaced by one that tries to be markup. */
export const hostile = () => {
  const report = planar();
  const run = report.runs[0];
  return {
    ...report,
    name: attack,
    task: attack,
    verdict: attack,
    status: "incomplete",
    message: attack,
    said: [attack],
    warnings: [attack],
    version: attack,
    figures: [{ label: attack, value: attack, unit: attack, note: attack }],
    table: {
      title: attack,
      columns: [attack, attack],
      rows: [
        [attack, attack],
        [attack, 1.5],
      ],
    },
    runs: [
      {
        ...run,
        name: attack,
        note: attack,
        incomplete: attack,
        events: [{ t: 1, label: attack }],
        columns: [
          ...run.columns.map((c) => ({ ...c, name: attack + c.name, label: attack, unit: attack })),
          { ...run.columns[0], group: "__proto__" },
          { ...run.columns[0], group: attack, panel: "constructor" },
        ],
        scene: {
          ...run.scene,
          unit: attack,
          axes: [attack, attack],
          note: attack,
          items: run.scene.items.map((item) => ({ ...item, name: attack })),
        },
      },
    ],
    details: [
      { title: attack, text: attack },
      { title: attack, rows: [[attack, attack]] },
    ],
  };
};

/** A drift that is nothing but rounding, over many decades down to the square of the smallest step of a double. */
export const noise = () => ({
  ...bare(),
  name: "Rounding noise",
  runs: [
    {
      name: "run",
      time: [0, 1, 2, 3],
      columns: [
        [0, 1.232595164407831e-32, 1.1540110160666594e-31, 8.881784197001252e-16],
        [1e-300, 5e-324, 0, 1e-310],
        [1e300, 1.7e308, 1, 0],
      ].map((values, i) => ({ name: `drift ${i}`, panel: `drift ${i}`, group: "drift", values, log: true })),
    },
  ],
});

/** A cantilever that swings as a parabola and a cable beside it, with section forces that are formulas of s and t. */
export const bent = (t) => Math.sin(2 * t);
export const memberForce = { M2: (s, t) => 8 * bent(t) * (1 - s), N: (s, t) => 5 + s + t };
export function members(count = 9, dimension = 3) {
  const times = Array.from({ length: 41 }, (_, i) => i * 0.05);
  const nodes = Array.from({ length: count }, (_, i) => i / (count - 1));
  const at = nodes.slice(1).map((s, i) => (s + nodes[i]) / 2);
  const place = (s, z) => (dimension === 3 ? [s, 0, z] : [s, z]);
  const along = (name, value) => ({
    name,
    unit: name === "N" ? "N" : "N m",
    values: f32(times.flatMap((t) => at.map((s) => value(s, t)))),
    low: f32(at.map((s) => Math.min(...times.map((t) => value(s, t))))),
    high: f32(at.map((s) => Math.max(...times.map((t) => value(s, t))))),
  });
  const member = (name, shape, force, colour) => ({
    kind: "member",
    name,
    count,
    nodes,
    points: f32(times.flatMap((t) => nodes.flatMap((s) => place(s, shape(s, t))))),
    at,
    forces: [along(force, memberForce[force])],
    colour,
  });
  const beam = member("arm", (s, t) => 0.5 * bent(t) * s * s, "M2", {
    title: "bending moment",
    unit: "N m",
    forces: ["M2"],
    signless: true,
    range: [0, 8],
  });
  const cable = member("cable", (s) => s * (s - 1) - 0.3, "N", {
    title: "tension",
    unit: "N",
    forces: ["N"],
    signless: false,
    range: [5, 8],
  });
  return {
    ...bare(),
    name: "Members",
    task: "simulate",
    runs: [
      {
        name: "members",
        time: f64(times),
        columns: [{ name: "tip.z", group: "outputs", unit: "m", values: f64(times.map((t) => 0.5 * bent(t))) }],
        scene: {
          dimension,
          time: f64(times),
          items: [
            {
              ...beam,
              sides: [0.02, 0.05],
              ...(dimension === 3 && { normals: f32(times.flatMap(() => nodes.flatMap(() => [0, 1, 0]))) }),
            },
            { ...cable, role: "string" },
          ],
        },
      },
    ],
  };
}
export const planarMembers = () => members(9, 2);

/** No motion at all, as from `invar check`. */
/** A hanging chain of bodies without shapes, joined by bars, that swings as one. */
export function chain(count, frames = 41) {
  const time = Array.from({ length: frames }, (_, i) => i / 20);
  const tilt = (t) => 0.6 * Math.cos(2 * t);
  const at = (s, t) => [s * Math.sin(tilt(t)), 0.1 * Math.sin(s + t), -s * Math.cos(tilt(t))];
  const over = (s) => f32(time.flatMap((t) => at(s, t)));
  const turned = f32(time.flatMap((t) => [Math.cos(tilt(t) / 2), 0, -Math.sin(tilt(t) / 2), 0]));
  const names = Array.from({ length: count }, (_, k) => `link${k}`);
  const columns = names.flatMap((name, k) =>
    ["x", "y", "z"].flatMap((axis, c) => [
      { name: `${name}.${axis}`, unit: "m", group: "coordinates", values: f32(time.map((t) => at(k + 0.5, t)[c])) },
      { name: `${name}.${axis}'`, unit: "m/s", group: "velocities",
        values: f32(time.map((t) => (k + 1) * Math.sin(t + c))) },
    ]),
  );
  const items = names.flatMap((name, k) => [
    { kind: "line", name, role: "link", count: 2, points: f32(time.flatMap((t) => [...at(k, t), ...at(k + 1, t)])) },
    { kind: "body", name, position: over(k + 0.5), rotation: turned },
    { kind: "joint", name: `hinge${k}`, type: "revolute", position: over(k), axis: f32(time.flatMap(() => [0, 1, 0])) },
  ]);
  return { ...bare(), name: `chain of ${count}`,
    runs: [{ name: "run", time, columns, scene: { dimension: 3, time, items } }] };
}

export const bare = () => ({
  format: 1,
  name: "Only checked",
  task: "check",
  status: "complete",
  verdict: "Two degrees of freedom, no redundant joints.",
  runs: [],
});

export const reports = {
  planar,
  spatial,
  comparison,
  spatialComparison,
  members,
  planarMembers,
  hostile,
  noise,
  bare,
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? "/tmp/invar-demo";
  mkdirSync(folder, { recursive: true });
  for (const [name, make] of Object.entries(reports))
    writeFileSync(`${folder}/${name}.html`, embed(make()));
  console.log(`wrote ${folder}/*.html`);
}
