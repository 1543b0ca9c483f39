// The words of the page that are explained, and the page of the documentation that tells more.

export interface Entry {
  pattern: RegExp; // of the labels that are such a thing
  word: string;
  meaning: string;
  more?: string;
  page: string; // of the documentation
}

export const entries: Entry[] = [
  {
    pattern: /^degrees of freedom$/,
    word: "degrees of freedom",
    meaning: "How many independent motions are left: coordinates less independent constraints.",
    more: "Two for a trolley with a load that swings on a rope of fixed length, in the plane, however many " +
      "coordinates describe it.",
    page: "notation.md",
  },
  {
    pattern: /^largest energy change, by/,
    word: "largest energy change, by inputs and forces",
    meaning: "Largest change of kinetic and potential energy since the start. Inputs and other forces without a " +
      "potential do work here, so that it need not be small.",
    more: "Compare it with the work of inputs in the plot of energies: energy change minus work is what the " +
      "method adds or loses.",
    page: "format.md#results",
  },
  {
    pattern: /^largest energy change$/,
    word: "largest energy change",
    meaning: "Largest change of kinetic and potential energy since the start. Nothing does work on this system: " +
      "what changes is the error of the method.",
    more: "Schemes that keep energy hold it to round-off, some 1e−12 of the largest energy, for any step; " +
      "others to their order, so that half the step leaves a quarter (order 2) of the change.",
    page: "format.md#results",
  },
  {
    pattern: /^Newton iterations per step$/,
    word: "Newton iterations per step",
    meaning: "How often the equations of a step were solved as linear ones, on average.",
    more: "One for linear equations, two to six as a rule. Many more mean that steps are large for what happens " +
      "in them.",
    page: "format.md#results",
  },
  {
    pattern: /^constraint residual, position level$/,
    word: "constraint residual, position level",
    meaning: "Largest value of a constraint Φ(q) at any recorded row; it should be zero.",
    more: "Lengths of bars, closed loops, contact with the ground are such constraints. Round-off is some 1e−15 " +
      "of the lengths; methods without constraints at position level drift away from zero with time.",
    page: "constraints.md",
  },
  {
    pattern: /^constraint residual, velocity level$/,
    word: "constraint residual, velocity level",
    meaning: "Largest rate of a constraint, dΦ/dt at any recorded row; methods that solve at position level only " +
      "leave an error of their order here.",
    more: "A bar that is as long as it should at all instants can still have ends whose velocities do not agree " +
      "with that. With stabilise = true, or a method that keeps both levels, this is round-off too.",
    page: "constraints.md",
  },
  {
    pattern: /^index$/,
    word: "index",
    meaning: "How many times the equations must be differentiated until they give all unknowns: a measure of how " +
      "directly the inputs act on the outputs.",
    more: "Three where the inputs accelerate the outputs directly; five where they first have to move something " +
      "else, as the trolley that pulls a load by its swinging cable; each further spring or cable in " +
      "between adds two. The higher the index, the smoother trajectories must be.",
    page: "concepts/index_of_a_problem.md",
  },
  {
    pattern: /^largest error of the outputs$/,
    word: "largest error of the outputs",
    meaning: "Largest difference between outputs and desired trajectories in the computed motion.",
    more: "Round-off where every instant is solved by itself.",
    page: "inversion.md",
  },
  {
    pattern: /^error in a simulation with the inputs$/,
    word: "error in a simulation with the inputs",
    meaning: "How far a simulation that is given nothing but the inputs departs from the desired trajectories, " +
      "beside their size.",
    more: "The check of the result: the inputs alone drive the model from the same start. Where the plant is " +
      "unstable in open loop, as an inverted pendulum is, any error grows, and this number is large after " +
      "some time however exact the inputs are; then short windows are simulated, and what they tell " +
      "decides.",
    page: "inversion.md",
  },
  {
    pattern: /^cost$/,
    word: "cost",
    meaning: "The integral that was made small, of the whole motion.",
    more: "Its unit follows from the formula of [optimize]: with u² of a torque it is (N m)² s.",
    page: "format.md#optimize",
  },
  {
    pattern: /^horizon$/,
    word: "horizon",
    meaning: "Time from the start to the goal.",
    page: "format.md#optimize",
  },
  {
    pattern: /^iterations$/,
    word: "iterations",
    meaning: "Of the interior-point method.",
    page: "format.md#optimize",
  },
  {
    pattern: /^control Hamiltonian, largest deviation$/,
    word: "control Hamiltonian, largest deviation",
    meaning: "Largest difference to its mean. It is zero for the exact optimum if nothing depends on time by " +
      "itself, and falls with the order of the scheme on finer meshes.",
    page: "tutorials/optimal_control.md",
  },
  {
    pattern: /^control Hamiltonian$/,
    word: "control Hamiltonian",
    meaning: "Integrand of the cost plus costates times rates: constant along an optimum if nothing depends on " +
      "time by itself.",
    more: "Zero where the horizon is free, as for the shortest time.",
    page: "tutorials/optimal_control.md",
  },
  {
    pattern: /^energy change minus work/i,
    word: "energy change minus work",
    meaning: "What the energy changes beyond the work of inputs and other forces: what the numerics add.",
    more: "Round-off with energy-momentum: then the motion between the nodes of the mesh is one that a " +
      "mechanism can make.",
    page: "format.md#results",
  },
  {
    pattern: /^limit of finer meshes$/,
    word: "limit of finer meshes",
    meaning: "The cost that ever finer meshes approach, extrapolated.",
    more: "From the costs on three meshes, by the order that they show.",
    page: "tutorials/optimal_control.md",
  },
  {
    pattern: /^left out by the mesh/,
    word: "left out by the mesh",
    meaning: "How far a simulation with much smaller steps and the same inputs ends away from the goal, beside the " +
      "way.",
    more: "The same inputs on steps that are many times smaller. If this is more than what you can accept, take " +
      "more intervals.",
    page: "tutorials/optimal_control.md",
  },
  {
    pattern: /^RMS error of /,
    word: "RMS error",
    meaning: "Root of the mean square of the difference between output and desired trajectory.",
    page: "control.md",
  },
  {
    pattern: /^samples with limited inputs$/,
    word: "samples with limited inputs",
    meaning: "Part of the samples at which an input stood at its limit.",
    page: "control.md",
  },
  {
    pattern: /^computing time, 99 %$/,
    word: "computing time, 99 %",
    meaning: "What the controller computes for a sample took no more than this, in 99 of 100 samples.",
    page: "control.md",
  },
  {
    pattern: /^unbalanced forces/,
    word: "unbalanced forces",
    meaning: "Sum of all forces at rest beside the largest sum of their sizes; it should be round-off.",
    page: "format.md#equilibrium",
  },
  {
    pattern: /^growth$/,
    word: "growth",
    meaning: "Rate at which the smallest disturbance grows.",
    page: "format.md#equilibrium",
  },
  {
    pattern: /^lowest frequency$/,
    word: "lowest frequency",
    meaning: "Of small oscillations about the rest.",
    page: "format.md#equilibrium",
  },
  {
    pattern: /^a simulation leaves it by$/,
    word: "a simulation leaves it by",
    meaning: "How far a simulation that begins there goes away, beside the size of the system.",
    page: "format.md#equilibrium",
  },
  {
    pattern: /^computed in$/,
    word: "computed in",
    meaning: "Time on this computer, without reading and writing.",
    page: "performance.md",
  },
  {
    pattern: /^Reactions/,
    word: "reactions",
    meaning: "Multipliers λ of the constraints: the forces Gᵀλ stand on the left of the equations of motion. " +
      "Tensions are positive in cables that pull.",
    more: "With redundant constraints single reactions are not determined, only their sum is; those that were " +
      "left out are zero.",
    page: "notation.md",
  },
  {
    pattern: /^Momentum$/,
    word: "momentum",
    meaning: "Linear momentum and angular momentum about the origin, and those of coordinates that appear in " +
      "neither energy.",
    page: "notation.md",
  },
  {
    pattern: /^Hamiltonian$/,
    word: "Hamiltonian (plot)",
    meaning: "Of optimal control, interval by interval.",
    page: "tutorials/optimal_control.md",
  },
  {
    pattern: /^Further quantities$/,
    word: "Further quantities",
    meaning: "Places of bodies that are no coordinates here, invariants, the condition of the equations.",
    page: "format.md#results",
  },
  {
    pattern: /^One signal against another$/,
    word: "One signal against another",
    meaning: "Phase portraits and paths; the dot stands at the time of the animation.",
    page: "format.md#results",
  },
  {
    pattern: /^Round-off and drift$/,
    word: "Round-off and drift",
    meaning: "Values that are zero but for round-off: beside others of their unit they are less than 1e−9.",
    more: "They are kept apart, so that nobody takes their ragged curves for a motion.",
    page: "constraints.md",
  },
];
