// Formulas must have numbers where a motion starts. Decisions about ranks, redundancy or consistency that are made with
// numbers that are not finite come out either way.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "invar/system/equations.h"
#include "invar/system/state_function.h"

namespace invar {

// A formula and what messages call it.
struct NamedFormula {
  std::string name;
  Expr formula;
};

// Mass matrix, constraints, their derivatives with respect to the coordinates and in time, slope of the potential,
// forces.
std::vector<NamedFormula> formulas_of_motion(const System& system, const Equations& e);

// Energies, forces, directions of inputs and outputs: what a model says in its own words.
std::vector<NamedFormula> formulas_of_model(const System& system);

// The formulas as one function, derived once; copies share it, and threads may use it together.
class FiniteFormulas {
 public:
  FiniteFormulas(const System& system, std::vector<NamedFormula> formulas, std::span<const Reference> references);

  // InputError that names the first formula without a finite value there, and the place. The parameters are those of
  // this system.
  void expect_finite(const System& system, const State& at, std::span<const double> u = {}) const;

 private:
  std::vector<NamedFormula> formulas_;
  StateFunction values_;
};

// The same for once.
void expect_finite(const System& system, const std::vector<NamedFormula>& formulas, const State& at,
                   std::span<const double> u = {}, std::span<const Reference> references = {});

}  // namespace invar
