// Beside a singular start, equations that fail to determine an unknown there give way to its expansion from later
// times.
//
// At such an instant the system Jacobian J (structure.h) has a null vector: x_j along it is open, and the equations of
// its left null vector say the same. Near it they determine x_j only by rounding errors, which differentiation would
// enlarge beyond all bounds. So one of them is replaced, for each null vector, by
//
//   x_j = Σ x_j^(k)(t_r) (t - t_r)^k/k!       from a regular instant t_r after the start
//
// and the structure is regular up to the start. What was left out still holds along the solution, to the accuracy of
// the expansion, and is part of the judgement of the result.
#pragma once

#include <string>
#include <vector>

#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {

struct HeldStart {
  Dae dae;                        // as many equations and unknowns as the original, in their order
  double until;                   // holds up to here
  std::vector<std::string> held;  // unknowns
};

// Of a structure whose start is singular.
HeldStart hold_open_unknowns(const InverseStructure& structure);

}  // namespace invar
