// The symbols between which a scheme writes the equations of one step, kept in the order in which it asked for them.
#pragma once

#include <string>
#include <vector>

#include "invar/scheme/scheme.h"

namespace invar {

struct StepSymbols {
  // A given function of time at an instant of the step, and the symbol that stands for it.
  struct Given {
    Expr symbol, t, value;
  };

  Interval step;
  Exprs unknowns, guess;  // guess[i] is a formula for a first value of unknowns[i]
  std::vector<int> kinds;
  std::vector<double> fractions;  // of the step at which inputs are wanted, and their symbols
  std::vector<Exprs> inputs;
  std::vector<Given> given;

  // Positions, velocities and multipliers at the end are sought, unless the scheme makes all its unknowns itself.
  // `held` inputs are the same in the whole step.
  StepSymbols(const System& system, const Equations& e, const Scheme& scheme, const Expr& t0, const Expr& h, bool held);
  StepSymbols(const StepSymbols&) = delete;
  StepSymbols& operator=(const StepSymbols&) = delete;

  Expr reference_at(const Expr& symbol, const Expr& t);
  const Graph& graph() const { return graph_; }
  Exprs inputs_before() const { return fresh("before: ", input_names_); }
  // Makes symbols unknowns of the step, with their first guesses.
  Exprs sought(Kind kind, const Exprs& symbols, const Exprs& first);

 private:
  Exprs fresh(const std::string& stem, const std::vector<std::string>& names) const;
  Exprs input_at(double fraction);

  Graph graph_;
  std::vector<std::string> input_names_;
};

}  // namespace invar
