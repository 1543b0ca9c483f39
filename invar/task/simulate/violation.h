// How far a motion is from its constraints, and coordinates without mass from their balance, relative to the terms of the equations.
#pragma once

#include <span>
#include <string>

#include "invar/task/simulate/motion_rows.h"

namespace invar {

struct Violation {
  std::string constraint;
  double value = 0.0, t = 0.0;
  double relative = 0.0;  // to the largest sum of its terms in the motion; zero if it is round-off
};
struct Violations {
  Violation position, velocity,
      rolling;  // Φ and Φ' of position constraints, Φ of velocity constraints: the worst of each
};
Violations measure_violations(const System& system, std::span<const Reference> signals, const MotionRows& rows);

// What most rows exceed: inputs that jump leave single rows between two balances.
struct Unbalanced {
  std::string coordinate;
  double relative = 0.0;
};
Unbalanced measure_balance(const System& system, std::span<const Reference> signals, const MotionRows& rows);

}  // namespace invar
