// Instants at which what is given over time is not smooth enough for a step to pass over them.
#pragma once

#include <vector>

#include "invar/model/problem/problem.h"

namespace invar {

// Knots of signals, in as far as their derivatives matter to a scheme of this order, and samples of inputs at which
// straight lines meet at an angle that is visible at this relative tolerance; ascending, between 0 and the end of the
// simulation. Formulas with abs() and sign() do not say where they have theirs.
std::vector<double> kinks(const Problem& problem, int order, double tolerance);

}  // namespace invar
