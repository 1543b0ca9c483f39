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
  Exprs carried0, carried1;           // what the scheme itself hands from node to node
  Exprs multipliers, further, guess;  // inside; `guess` is for the further unknowns
  Exprs u;                            // constant
  Residual residual;
  // The first node carries what follows from q, v and u there: a and λ of the equations of motion.
  Exprs start_unknowns;
  Residual start;
  Exprs carried_by;  // what a node carries if its q, v, a, λ are the symbols of `e`

  // InputError if a step of the scheme begins with the multipliers of the one before.
  IntervalSymbols(const System& system, const Scheme& scheme);
  IntervalSymbols(const IntervalSymbols&) = delete;
  IntervalSymbols& operator=(const IntervalSymbols&) = delete;

  Exprs inside() const;         // multipliers, further unknowns, inputs
  Exprs carried_guess() const;  // at the first node and at the last, with even acceleration
  Point first() const { return node(step.n0.t, x0); }
  Point last() const { return node(step.n1.t, x1); }
  Point middle() const;
  // On the cubic that has positions and velocities of the nodes.
  Point inside_at(const Expr& fraction) const;
  // InputError if the scheme has no multipliers that belong to the middle of the interval.
  void expect_multipliers(const std::string& formula) const;
  Expr at(const Expr& formula, const Point& point) const;

 private:
  void carry(const Scheme& scheme);
  Point node(const Expr& t, const Exprs& x) const;
};

// Does a formula contain what has one value per interval, not one per node: inputs or multipliers?
bool belongs_to_intervals(const Expr& formula, const Equations& e);

}  // namespace invar
