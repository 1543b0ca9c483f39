// A computed motion, as it is judged.
#pragma once

#include <functional>
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
  // At many instants between the rows: u[k*t.size() + p] is input k at t[p]. None: held since the row before.
  std::function<void(std::span<const double> t, std::span<double> u)> inputs;
  bool massless;  // does the mass matrix lack rank?
};

}  // namespace invar
