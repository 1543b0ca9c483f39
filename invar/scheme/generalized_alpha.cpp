// Generalized-α scheme for index-3 equations [M. Arnold, O. Brüls, Multibody Syst. Dyn. 18 (2007) 185]:
//
//   q1 = q0 + h v0 + h² [(½ - β) a0 + β a1],   v1 = v0 + h [(1 - γ) a0 + γ a1]
//   (1 - α_m) a1 + α_m a0 = (1 - α_f) v̇1 + α_f v̇0,      equations of motion with v̇1 and Φ = 0 at t1
//   α_m = (2ρ - 1)/(ρ + 1),  α_f = ρ/(ρ + 1),  γ = ½ + α_f - α_m,  β = ¼(γ + ½)²
//
// A node carries v̇ and the algorithmic acceleration a.
#include "invar/scheme/table.h"

namespace invar {

namespace {

Exprs start(const Equations& e, const Expr&) {
  Exprs carried = e.a;
  carried.insert(carried.end(), e.a.begin(), e.a.end());
  return carried;
}

Residual residual(const Equations& e, Interval& step, const SchemeOptions& options) {
  const double rho = options.rho;
  const double alpha_m = (2.0 * rho - 1.0) / (rho + 1.0), alpha_f = rho / (rho + 1.0);
  const double gamma = 0.5 + alpha_f - alpha_m, beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
  const Node& n0 = step.n0;
  Node& n1 = step.n1;
  const std::size_t n = n0.q.size();
  const Exprs true0(n0.carried.begin(), n0.carried.begin() + static_cast<std::ptrdiff_t>(n));
  const Exprs true1 = step.unknowns(Kind::acceleration, true0);
  const Expr h = step.h;

  Exprs algorithmic1, q_update, v_update;
  for (std::size_t i = 0; i < n; ++i) {
    const Expr a0 = n0.carried[n + i];
    const Expr a1 = ((1.0 - alpha_f) * true1[i] + alpha_f * true0[i] - alpha_m * a0) / (1.0 - alpha_m);
    algorithmic1.push_back(a1);
    q_update.push_back(n1.q[i] - n0.q[i] - h * (n0.v[i] + h * ((0.5 - beta) * a0 + beta * a1)));
    v_update.push_back(n1.v[i] - n0.v[i] - h * ((1.0 - gamma) * a0 + gamma * a1));
  }
  const Point end = {n1.t, n1.q, n1.v, true1, n1.lambda, step.input(1.0)};
  Residual r;
  r.kinematics = r.equations.size();
  r.add("position update of", step.coordinates, q_update);
  r.add("velocity update of", step.coordinates, v_update);
  r.add("dynamics of", step.coordinates, at(e, e.dynamics, end));
  add_constraints(r, e, step, end);
  n1.carried = true1;
  n1.carried.insert(n1.carried.end(), algorithmic1.begin(), algorithmic1.end());
  return r;
}

}  // namespace

const Scheme generalized_alpha = {{.name = "generalized-alpha",
                                   .title = "generalized-α",
                                   .source = "Arnold, Brüls 2007",
                                   .order = 2,
                                   .inverse_index = 5},
                                  start,
                                  residual};

}  // namespace invar
