// A computed motion, as it is judged.
#pragma once

#include <span>

#include "invar/record/trajectory.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/system/conserved.h"

namespace invar {

struct Motion {
  const System& system;  // with all its constraints
  std::span<const Reference> signals;
  const Trajectory& trajectory;  // columns of an Observer of the system first
  const std::vector<Conserved>& conserved;
  Stepper::Inputs inputs;  // between the rows; none: held since the row before
  bool massless;           // does the mass matrix lack rank?
};

}  // namespace invar
