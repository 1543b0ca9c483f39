// One step of a simulation. A step that Newton's method cannot do is done in 2, 4, … substeps before the run gives up.
#pragma once

#include <string>

#include "invar/record/summary.h"
#include "invar/scheme/steps/adaptive.h"
#include "invar/scheme/steps/stepper.h"

namespace invar {

struct Advance {
  bool done = false;
  NewtonResult last{};
  int halvings = 0;
  double t = 0.0;  // where the last attempt began
};

// By h, in substeps if need be. Counts iterations and substeps in the summary.
Advance advance(Stepper& stepper, double h, const Stepper::Inputs& inputs, Stepper::Memory& memory, Summary& summary);
// Past t in steps of any size.
Advance advance_past(Adaptive& adaptive, const Stepper& stepper, double t, double end, const Stepper::Inputs& inputs,
                     Summary& summary);

// Why a step of size h failed.
std::string failure_in_words(const Stepper& stepper, const Advance& advance, double h);
// Steps that were done, but not easily.
void warn_of_steps(std::uint64_t mended, Summary& summary);

}  // namespace invar
