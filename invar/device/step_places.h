// Where the iterations of the first steps of a motion are: what the pivots of a kernel have to suit.
#pragma once

#include <vector>

#include "invar/scheme/steps/stepper.h"

namespace invar {

// Arguments of the step's formulas, from a stepper that stands at the start: after twenty steps, after five, after one,
// and at the guess of the first one.
std::vector<std::vector<double>> step_places(Stepper stepper, const StepFormulas& formulas, double h,
                                             const Stepper::Inputs& inputs);

}  // namespace invar
