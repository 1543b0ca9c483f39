// Mid-point rule in q and v:
//   q1 - q0 = h v_m,   M(q_m)(v1 - v0)/h + … = 0 at (t_m,q_m,v_m),   Φ(t1,q1) = 0.
// Exact for the quadratic invariants of systems with constant mass matrix; with M(q) it keeps neither energy nor
// momenta.
#include "invar/scheme/table.h"

namespace invar {

namespace {

Residual residual(const Equations& e, Interval& step, const SchemeOptions&) {
  const Node &n0 = step.n0, &n1 = step.n1;
  const Exprs vm = mean(n0.v, n1.v);
  const Exprs a = scaled(1.0 / step.h, difference(n1.v, n0.v));
  const Point middle = {step.t(0.5), mean(n0.q, n1.q), vm, a, n1.lambda, step.input(0.5)};
  Residual r;
  r.kinematics = r.equations.size();
  r.add("kinematics of", step.coordinates, difference(difference(n1.q, n0.q), scaled(step.h, vm)));
  r.add("dynamics of", step.coordinates, scaled(step.h, at(e, e.dynamics, middle)));
  add_constraints(r, e, step, {n1.t, n1.q, n1.v, a, n1.lambda, middle.u});
  return r;
}

}  // namespace

const Scheme midpoint = {{.name = "midpoint",
                          .title = "mid-point rule",
                          .source = "Hairer, Lubich, Wanner: Geometric Numerical Integration, ch. II",
                          .order = 2,
                          .symmetric = true,
                          .multipliers_at = 0.5,
                          .inverse_index = 5},
                         carries_nothing,
                         residual};

}  // namespace invar
