// What outputs of a problem that is built by program shall do over time, as [[trajectory]] says it in a file.
#pragma once

#include <string>

#include "invar/model/problem/problem.h"
#include "invar/model/trajectory/profile.h"

namespace invar {

// InputError if there is no such output, or it is prescribed already.
void prescribe(Problem& problem, const std::string& output, const TimeFunctionPtr& course);

}  // namespace invar
