// The scheme that a user or a system asks for.
#pragma once

#include <string>

#include "invar/scheme/scheme.h"

namespace invar {

// The scheme of this name; InputError with what was probably meant if there is none. `noun` is what the user calls it.
const Scheme& scheme_called(std::string_view name, std::string_view noun);

// The same, but "auto" takes what suits the system.
const Scheme& choose_scheme(const System& system, const std::string& name);

}  // namespace invar
