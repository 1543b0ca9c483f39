// Closed-loop control as a task.
#pragma once

#include "invar/task/run/task.h"

namespace invar {

extern const Task control_task;

}  // namespace invar
