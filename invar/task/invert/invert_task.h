// Inverse dynamics as a task.
#pragma once

#include "invar/task/run/task.h"

namespace invar {

extern const Task invert_task;

}  // namespace invar
