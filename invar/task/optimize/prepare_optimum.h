// From a problem to a task of optimal control.
#pragma once

#include "invar/task/optimize/optimal_task.h"
#include "invar/task/run/prepared.h"

namespace invar {

// InputError if the problem cannot be one of optimal control. The problem must outlive the task.
OptimalTask prepare_optimum(const Prepared& prepared);

}  // namespace invar
