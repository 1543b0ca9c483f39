// The start of an optimal motion is given: it must lie within the bounds and path conditions itself.
#pragma once

#include "invar/task/optimize/optimal_task.h"

namespace invar {

// InputError that names the limit, its numbers and what the start has.
void check_start_within_limits(const OptimalTask& task);

}  // namespace invar
