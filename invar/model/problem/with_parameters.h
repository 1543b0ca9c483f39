// A problem with other values of its parameters; nothing is read, derived or compiled again.
#pragma once

#include "invar/model/problem/problem.h"

namespace invar {

// Parameters and start values that were given as formulas of parameters follow, and so does the plant. InputError for
// an unknown parameter, a value that is not finite, or a parameter that some number of the model was computed from, see
// parameter_use.h.
Problem with_parameters(const Problem& problem, const Overrides& values);

}  // namespace invar
