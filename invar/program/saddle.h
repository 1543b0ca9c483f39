// Leaving a saddle of a nonlinear program downhill, along a direction of negative curvature.
#pragma once

#include "invar/program/second_order.h"

namespace invar {

// A point beside the stationary one, within the bounds: the part of a step that should change the cost by a tenth, and
// that moves no variable by more than half the width of its bounds. A negative part goes to the other side.
std::vector<double> beside(const NonlinearProgram& program, const Solution& at, const Curvature& c, double part);

// Does the cost fall along the whole line, with all rows and bounds kept? Then there is no optimum.
bool falls_for_ever(const NonlinearProgram& program, const Solution& at, const Curvature& c);

}  // namespace invar
