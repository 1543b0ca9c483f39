// The measure of errors of the outputs: how far each of them moves.
//
//   scale_i = max( excursion of γ_i,  a tenth of Σ_j max|∂y_i/∂q_j| · excursion of q_j,  1e-6 Σ_j max|∂y_i/∂q_j · q_j| )
//
// The second term measures outputs that rest while the mechanism moves, the third is what rounding leaves of the others. Each is
// in the unit of the output, so no judgement depends on units.
#pragma once

#include <span>
#include <vector>

#include "invar/task/inverse_structure.h"

namespace invar {

// Of each output with a trajectory, in their order; never zero.
std::vector<double> output_scales(const Problem& problem, const InverseStructure& structure, std::span<const Jet> jets);

}  // namespace invar
