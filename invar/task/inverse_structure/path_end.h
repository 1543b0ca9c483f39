// Why a path of solutions ended before its time, in words.
#pragma once

#include <string>

#include "invar/task/inverse_structure/continuation.h"
#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {

// For a path that is not done; `until` is where it should have led. With `advice` on other methods, if they are not
// tried anyway.
std::string why_it_ended(const InverseStructure& structure, const JetPath& path, double until, bool advice);

}  // namespace invar
