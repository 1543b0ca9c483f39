// The symbols of one interval of a mesh, the equations of a scheme between its ends, and formulas of a system in these
// symbols.
#pragma once

#include "invar/expr/lists.h"
#include "invar/scheme/scheme.h"
#include "invar/scheme/step_symbols.h"

namespace invar {

struct IntervalSymbols {
  SchemeInfo info;
  Graph graph;
  Expr horizon, index, fraction;  // t0 = index·h, h = fraction·horizon
  Equations e;
  StepSymbols symbols;
  const Interval& step = symbols.step;
  Exprs x0, x1;                       // q, v at the ends
  Exprs multipliers, further, guess;  // inside; `guess` is for the further unknowns
  Exprs u;                            // constant
  Residual residual;

  // InputError if the scheme remembers more than q and v from step to step.
  IntervalSymbols(const System& system, const Scheme& scheme);
  IntervalSymbols(const IntervalSymbols&) = delete;
  IntervalSymbols& operator=(const IntervalSymbols&) = delete;

  Exprs inside() const;  // multipliers, further unknowns, inputs
  Point start() const { return node(step.n0.t, x0); }
  Point end() const { return node(step.n1.t, x1); }
  Point middle() const;
  // On the cubic that has positions and velocities of the nodes.
  Point inside_at(const Expr& fraction) const;
  // InputError if the scheme has no multipliers that belong to the middle of the interval.
  void expect_multipliers(const std::string& formula) const;
  Expr at(const Expr& formula, const Point& point) const;

 private:
  Point node(const Expr& t, const Exprs& x) const;
};

// Does a formula contain what has one value per interval, not one per node: inputs or multipliers?
bool belongs_to_intervals(const Expr& formula, const Equations& e);

}  // namespace invar
