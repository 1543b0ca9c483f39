// All that can be asked of a model, in the order in which it is told.
#pragma once

#include <span>
#include <string_view>

#include "invar/task/run/task.h"

namespace invar {

std::span<const Task* const> tasks();
const Task* find_task(std::string_view verb);  // nothing if there is none

}  // namespace invar
