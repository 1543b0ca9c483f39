// Energy of a motion against the work done on it. Energy that no force has supplied is a sign of divergence:
//
//   T + V - (T + V)₀ ≤ ∫ max(P, 0) dt,    P = v·(f + Bᵀu)
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "invar/task/simulate/motion.h"
#include "invar/task/simulate/motion_rows.h"

namespace invar {

struct EnergyChange {
  bool is_conserved = false;
  double scale = 0.0;        // largest kinetic energy or difference of potential energies met
  double largest = 0.0;      // |E - E₀|, zero if it is round-off
  double unexplained = 0.0;  // largest gain beyond the work; zero where T, V or constraints depend on time
  double t = 0.0;            // when
};

// What differences of a quantity in a motion are round-off, from its largest terms and its steepest slopes. Here and
// below the formulas are derived once; copies share them, and threads may use them together.
class QuantityNoise {
 public:
  QuantityNoise(const System& system, std::span<const Reference> signals, const Expr& quantity);
  struct Size {
    double noise = 0.0, terms = 0.0;
  };
  Size measure(const MotionRows& rows, std::span<const double> parameters) const;

 private:
  StateFunction values_;
};

class EnergyCheck {
 public:
  EnergyCheck(const System& system, std::span<const Reference> signals);
  EnergyChange measure(const Motion& motion, const MotionRows& rows) const;

 private:
  std::vector<double> possible_work(const Motion& motion, const MotionRows& rows) const;

  bool is_conserved_, is_closed_;
  std::optional<StateFunction> power_;  // of forces and inputs, unless it is zero
  std::optional<QuantityNoise> noise_;  // of a closed system
};

// Of a quantity that is to be constant, relative to its terms.
double largest_change(const MotionRows& rows, const std::string& column, const QuantityNoise::Size& size);

}  // namespace invar
