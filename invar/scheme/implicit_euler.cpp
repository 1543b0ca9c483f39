// Implicit Euler on the index-3 equations:
//   q1 - q0 = h v1,   M(q1)(v1 - v0)/h + … = 0 at (t1,q1,v1),   Φ(t1,q1) = 0.
#include "invar/scheme/table.h"

namespace invar {

namespace {

Residual residual(const Equations& e, Interval& step, const SchemeOptions&) {
  const Node &n0 = step.n0, &n1 = step.n1;
  const Point end = {n1.t, n1.q, n1.v, scaled(1.0 / step.h, difference(n1.v, n0.v)), n1.lambda, step.input(1.0)};
  Residual r;
  r.kinematics = r.equations.size();
  r.add("kinematics of", step.coordinates, difference(difference(n1.q, n0.q), scaled(step.h, n1.v)));
  r.add("dynamics of", step.coordinates, scaled(step.h, at(e, e.dynamics, end)));
  add_constraints(r, e, step, end);
  return r;
}

}  // namespace

const Scheme implicit_euler = {{.name = "implicit-euler",
                                .title = "implicit Euler",
                                .source = "Hairer, Wanner: Solving ODEs II, ch. VII",
                                .order = 1},
                               carries_nothing,
                               residual};

}  // namespace invar
