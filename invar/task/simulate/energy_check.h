// Energy of a motion against the work done on it. Energy that no force has supplied is a sign of divergence:
//
//   T + V - (T + V)₀ ≤ ∫ max(P, 0) dt,    P = v·(f + Bᵀu)
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "invar/task/simulate/motion.h"
#include "invar/task/simulate/motion_rows.h"

namespace invar {

// A motion has diverged where it consists of energy that nobody supplied: this part of the scale. Smaller gains are not
// explained.
inline constexpr double energy_from_nowhere = 0.9;

struct EnergyChange {
  bool is_conserved = false;
  double scale = 0.0;        // largest kinetic energy or difference of potential energies met
  double largest = 0.0;      // |E - E₀|, zero if it is round-off
  double unexplained = 0.0;  // largest gain beyond the work; zero where T, V or constraints depend on time
  double t = 0.0;            // when
};

// What differences of a quantity in a motion are round-off, from its largest terms and its steepest slopes. Here and
// below copies share the formulas, and threads may use them together; these are derived when numbers first need them.
class QuantityNoise {
 public:
  QuantityNoise(const System& system, std::span<const Reference> signals, const Expr& quantity);
  struct Size {
    double noise = 0.0, terms = 0.0;
  };
  Size measure(const MotionRows& rows, std::span<const double> parameters) const;
  // Whether a difference is round-off can be told without them for most: terms are not smaller than their sum.
  static bool is_surely_noise(double difference, double sum);

 private:
  struct Formulas;
  std::shared_ptr<Formulas> formulas_;
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
double largest_change(const MotionRows& rows, const std::string& column, const QuantityNoise& noise,
                      std::span<const double> parameters);

}  // namespace invar
