// How well a motion satisfies the equations between the instants at which it was computed.
#pragma once

#include <span>
#include <vector>

#include "invar/dae/jet.h"
#include "invar/task/inverse_structure/inverse_structure.h"
#include "invar/task/invert/jet_interpolation.h"

namespace invar {

// The residual half-way between every two jets, where the coordinates come from the polynomials through their values
// and derivatives (as many as there are up to the second) at both, and the other unknowns from the interpolation; see
// equation_residual. Not next to `singular` instants.
double residual_between(const InverseStructure& structure, const std::vector<Jet>& jets,
                        const JetInterpolation& interpolation, std::span<const double> singular = {});

}  // namespace invar
