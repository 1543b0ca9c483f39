// Instants for the two-point problem of stable inversion.
#pragma once

#include <vector>

#include "invar/dae/dae.h"
#include "invar/task/stable_inversion/bounded_motion.h"

namespace invar {

// One mesh that resolves the fastest eigenvalue of the internal dynamics, if that takes no more than some thousand
// instants. Otherwise several, each twice as fine as the one before, which resolve the wanted times and knots, and
// outside the window grow with the distance from it up to the slowest rate: fast directions have died away there. All
// have the wanted times in common.
std::vector<std::vector<double>> stable_meshes(const Dae& dae, const StableInversionSettings& settings,
                                               const BoundedMotion& motion);

}  // namespace invar
