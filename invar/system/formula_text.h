// Formulas of a System as text, for systems that are built by program: formula(system, "m/2*(x'^2 + y'^2)").
#pragma once

#include <string_view>

#include "invar/system/system.h"

namespace invar {

// In t and all that the system has so far: coordinates with primes, parameters, inputs, multipliers as lambda.NAME, and
// outputs, with a prime for their rate. InputError for other names and mistakes.
Expr formula(const System& system, std::string_view text);

}  // namespace invar
