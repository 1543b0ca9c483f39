// Isolated instants at which the equations of an inverse problem are singular: its solution may go on, but there it is
// a limit.
//
// The system Jacobian J (see structure.h) is regular along the path but for such instants. They are found where det J
// changes its sign and where the condition of J has a minimum near zero; the null vector of J names what is left open.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {

struct SingularTime {
  double t;
  std::vector<std::string> open;       // what J does not determine there: coordinates, or else other unknowns
  std::vector<std::string> vanishing;  // multipliers that are zero there
};

// Ascending. Nothing for hidden structure, where J is always singular.
std::vector<SingularTime> singular_times(const InverseStructure& structure, const std::vector<Jet>& jets);

// Structure that is hidden at the start only, where J happens to be singular: the first instant at which J is regular.
std::optional<double> structure_lost(const InverseStructure& structure, const std::vector<Jet>& jets);

// `t = 0, 1.642 and 2.424 ("lambda.cable1" is zero, "z0" and "L0" are left open)`, or nothing.
std::string in_words(const std::vector<SingularTime>& times);

}  // namespace invar
