// Where a problem starts: its [initial] made consistent under the inputs that it gives.
#pragma once

#include "invar/model/problem/problem.h"
#include "invar/system/start.h"

namespace invar {

// For a simulation, in which inputs that are not given are zero.
Start simulation_start(const Problem& problem);
// For tasks that find the inputs themselves.
Start open_start(const Problem& problem);

}  // namespace invar
