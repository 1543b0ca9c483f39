// The measure of errors of the outputs: how far each of them moves.
//
//   scale_i = max( excursion of γ_i,  a tenth of Σ_j max|∂y_i/∂q_j| Δ_j,  1e-6 Σ_j max|∂y_i/∂q_j| Q_j )
//   √m_j Δ_j = max( √m_j excursion of q_j,  0.01 max_k √m_k excursion of q_k ),   √m_j Q_j = max_k √m_k max|q_k|
//
// The second term measures outputs that rest while the mechanism moves, the third is what rounding leaves of the
// others. Coordinates are compared by their masses m_j = ∂²T/∂q_j'², so that everything is in the unit of the output
// and no judgement depends on units. Of outputs at velocity level the same with velocities.
#pragma once

#include <span>
#include <vector>

#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {

// Of each output with a trajectory, in their order; never zero.
std::vector<double> output_scales(const Problem& problem, const InverseStructure& structure, std::span<const Jet> jets);

// Δ_j of each coordinate, at least 1e-6 Q_j; zero if it neither moves nor has a mass.
std::vector<double> coordinate_scales(const InverseStructure& structure, std::span<const Jet> jets);

}  // namespace invar
