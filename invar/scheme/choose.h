// The scheme that a user or a system asks for.
#pragma once

#include <string>

#include "invar/scheme/scheme.h"

namespace invar {

// The scheme of this name; "auto" takes what suits the system.
const Scheme& choose_scheme(const System& system, const std::string& name);

}  // namespace invar
