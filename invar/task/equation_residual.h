// How well a motion satisfies all equations of a Dae.
#pragma once

#include <span>
#include <vector>

#include "invar/system/jet.h"
#include "invar/task/inverse_structure.h"
#include "invar/task/jet_interpolation.h"

namespace invar {

// The largest residual of each equation over the whole motion, relative to the largest sum of its terms.
double equation_residual(const Dae& dae, JetEvaluator& evaluator, std::span<const Jet> jets);

// The same half-way between every two jets, where the coordinates come from the polynomials through their values and derivatives (as many
// as there are up to the second) at both, and the other unknowns from the interpolation. Not next to `singular` instants.
double residual_between(const InverseStructure& structure, const std::vector<Jet>& jets,
                        const JetInterpolation& interpolation, std::span<const double> singular = {});

}  // namespace invar
