// How far a motion is from its constraints, and coordinates without mass from their balance, relative to the terms of
// the equations.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

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
// The formulas are derived once; copies share them, and threads may use them together.
class ConstraintCheck {
 public:
  ConstraintCheck(const System& system, std::span<const Reference> signals);
  // Changes of the coordinates by this part of the largest of them do not count, in velocities also when divided by the
  // interval between rows.
  Violations measure(const MotionRows& rows, std::span<const double> parameters, double negligible) const;

 private:
  struct Formulas;
  std::shared_ptr<Formulas> formulas_;  // none without constraints
};

// What most rows exceed: inputs that jump leave single rows between two balances.
struct Unbalanced {
  std::string coordinate;
  double relative = 0.0;
};
class BalanceCheck {
 public:
  BalanceCheck(const System& system, std::span<const Reference> signals);
  Unbalanced measure(const MotionRows& rows, std::span<const double> parameters) const;

 private:
  struct Formulas;
  std::shared_ptr<Formulas> formulas_;
};

}  // namespace invar
