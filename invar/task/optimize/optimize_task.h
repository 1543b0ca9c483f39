// Optimal control as a task.
#pragma once

#include "invar/task/run/task.h"

namespace invar {

extern const Task optimize_task;

}  // namespace invar
