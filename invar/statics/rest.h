// Where a system can rest, found from a start: by Newton's method, and where that leads nowhere downhill.
#pragma once

#include "invar/statics/rest_result.h"

namespace invar {

// Of a held system without redundant constraints. The rates of steady coordinates are those of the start; other
// velocities are left out.
Rest find_rest(const System& system, const State& start, const RestOptions& options);

}  // namespace invar
