// A state as the table [initial] of a model file, with all digits.
#pragma once

#include <span>
#include <string>

#include "invar/system/system.h"

namespace invar {

// Velocities that are zero are left out.
std::string initial_table(const System& system, std::span<const double> q, std::span<const double> v);

}  // namespace invar
