// The controllers by name.
#pragma once

#include <memory>

#include "invar/task/control/controller.h"

namespace invar {

// As [control] says. InputError if the controller does not fit the problem.
std::unique_ptr<Controller> make_controller(const Problem& problem);

}  // namespace invar
