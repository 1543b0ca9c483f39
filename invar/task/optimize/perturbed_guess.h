// Guesses off the straight way: a motion with smooth, random waves in its coordinates that vanish at both ends. A way
// that lies on a line of symmetry has no slope that leads off it, and a solver that begins there never leaves it.
#pragma once

#include "invar/task/optimize/optimal_task.h"

namespace invar {

// The wave of a seed is the same in every run. Coordinates move by a part of the way to the goal; light ones by more
// than heavy ones, so that each takes about the same kinetic energy. Configurations lie on the constraints, as far as
// they can be reached.
MeshMotion perturbed_guess(const OptimalTask& task, const MeshMotion& way, unsigned seed);

}  // namespace invar
