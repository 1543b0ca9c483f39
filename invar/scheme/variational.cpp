// Variational integrators in momentum form: with V = (q1 - q0)/h and a discrete Lagrangian L_d(q0,q1)
//
//   trapezoidal  L_d = h/2 [L(q0,V) + L(q1,V)],      mid-point  L_d = h L(q_m,V),      L = T - V
//   p0 + D1 L_d + f⁻ - h/2 G(q0)ᵀ λ = 0,             Φ(t1,q1) = 0
//   p1 - D2 L_d - f⁺ + h/2 G(q1)ᵀ μ = 0,             Φ̇(t1,q1,v1) = 0,       p = ∂T/∂v
//
// [J. E. Marsden, M. West, Acta Numerica 10 (2001) 357, sec. 1.5, 3.5]. The end multiplier μ belongs to node 1. A
// velocity-level constraint stands in place of Φ at (q_m,V), the discrete d'Alembert principle
// [J. Cortés, S. Martínez, Nonlinearity 14 (2001) 1365].
#include "invar/expr/derivative.h"
#include "invar/scheme/table.h"

namespace invar {

namespace {

enum class Quadrature { trapezoidal, midpoint };

Exprs reaction(const Equations& e, const Node& n, const Exprs& lambda) {
  return at(e, e.reaction, {n.t, n.q, n.v, {}, lambda, {}});
}

// What fixes the multipliers of the first half step.
Exprs step_constraints(const Equations& e, const Interval& step, const Point& middle) {
  Exprs equations = at(e, e.constraint, {step.n1.t, step.n1.q, {}, {}, {}, {}});
  const Exprs inside = at(e, e.constraint, middle);
  for (std::size_t c = 0; c < equations.size(); ++c)
    if (e.level[c] != Level::position) equations[c] = inside[c];
  return equations;
}

Exprs node_constraints(const Equations& e, const Interval& step, const Exprs& a) {
  Exprs equations = at(e, e.constraint_rate, {step.n1.t, step.n1.q, step.n1.v, {}, {}, {}});
  const Exprs acceleration = at(e, e.constraint, {step.n1.t, step.n1.q, step.n1.v, a, {}, {}});
  for (std::size_t c = 0; c < equations.size(); ++c)
    if (e.level[c] == Level::acceleration) equations[c] = acceleration[c];
  return equations;
}

Residual residual(const Equations& e, Interval& step, Quadrature quadrature) {
  const Node &n0 = step.n0, &n1 = step.n1;
  const Expr h = step.h;
  const Exprs rate = scaled(1.0 / h, difference(n1.q, n0.q));
  const Exprs a = scaled(1.0 / h, difference(n1.v, n0.v));
  const Point middle = {step.t(0.5), mean(n0.q, n1.q), rate, a, {}, step.input(0.5)};
  const bool trapezoidal = quadrature == Quadrature::trapezoidal;
  const Point first = trapezoidal ? Point{n0.t, n0.q, rate, a, {}, step.input(0.0)} : middle;
  const Point last = trapezoidal ? Point{n1.t, n1.q, rate, a, {}, step.input(1.0)} : middle;

  const Exprs lagrangian = {e.kinetic - e.potential};
  const Expr action = 0.5 * h * (at(e, lagrangian, first)[0] + at(e, lagrangian, last)[0]);
  const Exprs lambda = step.unknowns(Kind::multiplier, n0.lambda);
  const Exprs d1 = gradient(action, n0.q), d2 = gradient(action, n1.q);
  const Exprs p0 = at(e, e.momentum, {n0.t, n0.q, n0.v, {}, {}, {}});
  const Exprs p1 = at(e, e.momentum, {n1.t, n1.q, n1.v, {}, {}, {}});
  const Exprs f0 = at(e, e.applied, first), f1 = at(e, e.applied, last);
  const Exprs r0 = reaction(e, n0, lambda), r1 = reaction(e, n1, n1.lambda);
  Exprs begin, end;
  for (std::size_t i = 0; i < p0.size(); ++i) {
    begin.push_back(p0[i] + d1[i] + 0.5 * h * (f0[i] - r0[i]));
    end.push_back(p1[i] - d2[i] - 0.5 * h * (f1[i] - r1[i]));
  }
  Residual r;
  r.add("momentum at the start of the step of", step.coordinates, begin);
  r.add("momentum at the end of the step of", step.coordinates, end);
  r.add("constraint", step.constraints, step_constraints(e, step, middle));
  r.add("velocity of constraint", step.constraints, node_constraints(e, step, a));
  return r;
}

constexpr std::string_view source = "Marsden, West 2001";

}  // namespace

const Scheme variational_trapezoidal = {{.name = "variational",
                                         .title = "variational integrator, trapezoidal (RATTLE)",
                                         .source = source,
                                         .order = 2,
                                         .momentum = true,
                                         .symmetric = true,
                                         .velocity_at_nodes = true,
                                         .needs_mass = true,
                                         .inverse_index = 3},
                                        carries_nothing,
                                        [](const Equations& e, Interval& step, const SchemeOptions&) {
                                          return residual(e, step, Quadrature::trapezoidal);
                                        }};

const Scheme variational_midpoint = {
    {.name = "variational-midpoint",
     .title = "variational integrator, mid-point",
     .source = source,
     .order = 2,
     .momentum = true,
     .symmetric = true,
     .velocity_at_nodes = true,
     .needs_mass = true,
     .inverse_index = 5},
    carries_nothing,
    [](const Equations& e, Interval& step, const SchemeOptions&) { return residual(e, step, Quadrature::midpoint); }};

}  // namespace invar
