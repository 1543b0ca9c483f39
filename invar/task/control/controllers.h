// The controllers by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "invar/task/control/controller.h"

namespace invar {

// As [control] says. InputError if the controller does not fit the problem.
std::unique_ptr<Controller> make_controller(const Problem& problem);

std::vector<std::string> controller_names();

}  // namespace invar
