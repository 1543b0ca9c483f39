// From a problem to a task of optimal control.
#pragma once

#include "invar/task/optimize/optimal_task.h"

namespace invar {

// InputError if the problem cannot be one of optimal control.
OptimalTask prepare_optimum(const Problem& problem);

}  // namespace invar
