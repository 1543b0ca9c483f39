// Formulas of a System evaluated at numbers, for work outside the time steps.
#pragma once

#include <span>
#include <vector>

#include "invar/system/reference_values.h"
#include "invar/system/system.h"
#include "invar/tape/function.h"

namespace invar {

// A motion at one instant.
struct State {
  double t = 0.0;
  std::vector<double> q, v, a, lambda;
};

// A copy shares the formulas and has its own numbers: for another thread, or other values of the parameters.
class StateFunction {
 public:
  // `references` are the given functions of time that the formulas contain.
  StateFunction(const System& system, std::span<const Expr> outputs, std::span<const Reference> references = {});
  // Missing parts of the state (empty lists) count as zero.
  std::vector<double> operator()(const State& state, std::span<const double> u = {});
  // In place of those of the system.
  void set_parameters(std::span<const double> values);

 private:
  friend class StateBlock;
  std::size_t coordinates_, multipliers_, inputs_;
  std::vector<double> parameters_;
  ReferenceValues references_;
  Function function_;
  Scratch scratch_;
};

}  // namespace invar
