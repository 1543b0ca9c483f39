// Forward dynamics as a task.
#pragma once

#include "invar/task/run/task.h"

namespace invar {

extern const Task simulate_task;

}  // namespace invar
