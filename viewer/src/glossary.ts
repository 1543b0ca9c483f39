// What the words of the page mean, in a sentence each, and the page of the documentation that tells more.
import { el } from "./dom";

type Entry = [pattern: RegExp, meaning: string, page: string];

const entries: Entry[] = [
  [/^degrees of freedom$/, "How many independent motions are left: coordinates less independent constraints.",
    "notation.md"],
  [/^largest energy change, by/,
    "Largest change of kinetic and potential energy since the start. Inputs and other forces without a " +
    "potential do work here, so that it need not be small.",
    "format.md#results"],
  [/^largest energy change$/,
    "Largest change of kinetic and potential energy since the start. Nothing does work on this system: what " +
    "changes is the error of the method.",
    "format.md#results"],
  [/^Newton iterations per step$/, "How often the equations of a step were solved as linear ones, on average.",
    "format.md#results"],
  [/^constraint residual, position level$/,
    "Largest value of a constraint Φ(q) at any recorded row; it should be zero.", "constraints.md"],
  [/^constraint residual, velocity level$/,
    "Largest rate of a constraint, dΦ/dt at any recorded row; methods that solve at position level only leave" +
    " an error of their order here.",
    "constraints.md"],
  [/^index$/,
    "How many times the equations must be differentiated until they give all unknowns: a measure of how " +
    "directly the inputs act on the outputs.",
    "concepts/index_of_a_problem.md"],
  [/^largest error of the outputs$/,
    "Largest difference between outputs and desired trajectories in the computed motion.", "inversion.md"],
  [/^error in a simulation with the inputs$/,
    "How far a simulation that is given nothing but the inputs departs from the desired trajectories, beside " +
    "their size.",
    "inversion.md"],
  [/^cost$/, "The integral that was made small, of the whole motion.", "format.md#optimize"],
  [/^horizon$/, "Time from the start to the goal.", "format.md#optimize"],
  [/^iterations$/, "Of the interior-point method.", "format.md#optimize"],
  [/^control Hamiltonian, largest deviation$/,
    "Largest difference to its mean. It is zero for the exact optimum if nothing depends on time by itself, " +
    "and falls with the order of the scheme on finer meshes.",
    "tutorials/optimal_control.md"],
  [/^control Hamiltonian$/,
    "Integrand of the cost plus costates times rates: constant along an optimum if nothing depends on time by" +
    " itself.",
    "tutorials/optimal_control.md"],
  [/^energy change minus work/i,
    "What the energy changes beyond the work of inputs and other forces: what the numerics add.", "format.md#results"],
  [/^limit of finer meshes$/, "The cost that ever finer meshes approach, extrapolated.",
    "tutorials/optimal_control.md"],
  [/^left out by the mesh/,
    "How far a simulation with much smaller steps and the same inputs ends away from the goal, beside the way.",
      "tutorials/optimal_control.md"],
  [/^RMS error of /, "Root of the mean square of the difference between output and desired trajectory.", "control.md"],
  [/^samples with limited inputs$/, "Part of the samples at which an input stood at its limit.", "control.md"],
  [/^computing time, 99 %$/,
    "What the controller computes for a sample took no more than this, in 99 of 100 samples.", "control.md"],
  [/^unbalanced forces/, "Sum of all forces at rest beside the largest sum of their sizes; it should be round-off.",
    "format.md#equilibrium"],
  [/^growth$/, "Rate at which the smallest disturbance grows.", "format.md#equilibrium"],
  [/^lowest frequency$/, "Of small oscillations about the rest.", "format.md#equilibrium"],
  [/^a simulation leaves it by$/, "How far a simulation that begins there goes away, beside the size of the system.",
    "format.md#equilibrium"],
  [/^computed in$/, "Time on this computer, without reading and writing.", "performance.md"],
  [/^Reactions/,
    "Multipliers λ of the constraints: the forces Gᵀλ stand on the left of the equations of motion. Tensions " +
    "are positive in cables that pull.",
    "notation.md"],
  [/^Momentum$/,
    "Linear momentum and angular momentum about the origin, and those of coordinates that appear in neither " +
    "energy.",
    "notation.md"],
  [/^Hamiltonian$/, "Of optimal control, interval by interval.", "tutorials/optimal_control.md"],
  [/^Further quantities$/,
    "Places of bodies that are no coordinates here, invariants, the condition of the equations.", "format.md#results"],
  [/^One signal against another$/, "Phase portraits and paths; the dot stands at the time of the animation.",
    "format.md#results"],
  [/^Round-off and drift$/,
    "Values that are zero but for round-off: beside others of their unit they are less than 1e−9.", "constraints.md"],
];

let count = 0;

/** The words, with what they mean when one points at them or moves the focus there; plain words if nobody explains
 *  them. The page of the documentation is a link if one knows where that stands. */
export function explained(words: string, documentation?: string): (HTMLElement | string)[] {
  const entry = entries.find(([pattern]) => pattern.test(words));
  if (!entry) return [words];
  return [el("span", { class: "about" }, words), tip(entry, documentation)];
}

/** The same for a heading that is a button itself: a mark beside it. */
export function mark(words: string, documentation?: string): HTMLElement[] {
  const entry = entries.find(([pattern]) => pattern.test(words));
  return entry ? [tip(entry, documentation)] : [];
}

function tip([, meaning, page]: Entry, documentation?: string): HTMLElement {
  const id = `about-${++count}`, where = `docs/${page}`;
  const more = documentation ? el("a", { href: `${documentation.replace(/\/?$/, "/")}${page}`, rel: "noopener" },
    where) : where;
  return el("span", { class: "tip" },
    el("button", { type: "button", "aria-label": "Explanation", "aria-describedby": id }, "?"),
    el("span", { role: "tooltip", id }, `${meaning} `, el("small", {}, "More in ", more)));
}
