// Generalized-α on the rotation group, index 3 [O. Brüls, A. Cardona, M. Arnold, Mech. Mach. Theory 48 (2012) 121]:
//
//   q₁ = q₀ ∘ exp(h ν₀ + h² [(½ - β) a₀ + β a₁]),   ν₁ = ν₀ + h [(1 - γ) a₀ + γ a₁],
//   (1 - α_m) a₁ + α_m a₀ = (1 - α_f) ν₁' + α_f ν₀',   equations of motion with ν₁' and Φ = 0 at t₁.
//
// A node carries ν' and a.
#include "invar/scheme/lie.h"
#include "invar/scheme/table.h"

namespace invar {

namespace {

Exprs start(const Equations& e, const Expr&) {
  const LieBodies bodies(e);
  Exprs carried = bodies.speeds_of(e.q, e.a);
  const Exprs again = carried;
  carried.insert(carried.end(), again.begin(), again.end());
  return carried;
}

Residual residual(const Equations& e, Interval& step, const SchemeOptions& options) {
  const double rho = options.rho;
  const double alpha_m = (2.0 * rho - 1.0) / (rho + 1.0), alpha_f = rho / (rho + 1.0);
  const double gamma = 0.5 + alpha_f - alpha_m, beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
  const LieBodies bodies(e);
  const Node& n0 = step.n0;
  Node& n1 = step.n1;
  const Exprs nu0 = bodies.speeds_of(n0.q, n0.v);
  const std::size_t n = nu0.size();
  const Exprs true0(n0.carried.begin(), n0.carried.begin() + static_cast<std::ptrdiff_t>(n));
  const Expr h = step.h;
  const Exprs true1 = step.unknowns(Kind::acceleration, true0);
  const Exprs lambda = step.unknowns(Kind::multiplier, bodies.of_joints(n0.lambda));
  Exprs algorithmic1, mean_speed, nu1;
  for (std::size_t i = 0; i < n; ++i) {
    const Expr a0 = n0.carried[n + i];
    const Expr a1 = ((1.0 - alpha_f) * true1[i] + alpha_f * true0[i] - alpha_m * a0) / (1.0 - alpha_m);
    algorithmic1.push_back(a1);
    mean_speed.push_back(nu0[i] + h * ((0.5 - beta) * a0 + beta * a1));
    nu1.push_back(nu0[i] + h * ((1.0 - gamma) * a0 + gamma * a1));
  }
  Residual r;
  const Exprs by = displacement(step, r, mean_speed);
  n1.q = bodies.moved(n0.q, by, options.map);
  n1.v = bodies.rates(n1.q, nu1);
  n1.lambda = bodies.all_multipliers(lambda);
  const Point end = bodies.at_point(n1.t, n1.q, nu1, true1, lambda, step.input(1.0));
  const Exprs dynamics = bodies.along(n1.q, at(e, e.dynamics, end));
  for (std::size_t i = 0; i < n; ++i) r.add("equation of motion " + std::to_string(i + 1), dynamics[i]);
  for (std::size_t j : bodies.joints()) {
    const Expr f = e.level[j] == Level::position   ? e.constraint[j]
                   : e.level[j] == Level::velocity ? e.constraint_rate[j]
                                                   : e.constraint_acceleration[j];
    r.add("constraint \"" + step.constraints[j] + "\"", at(e, {&f, 1}, end).front());
  }
  n1.carried = true1;
  n1.carried.insert(n1.carried.end(), algorithmic1.begin(), algorithmic1.end());
  return r;
}

}  // namespace

const Scheme lie_generalized_alpha = {{.name = "lie-generalized-alpha",
                                       .title = "generalized-α on the rotation group",
                                       .source = "Brüls, Cardona, Arnold 2012",
                                       .order = 2,
                                       .own_unknowns = true,
                                       .on_rotations = true},
                                      start,
                                      residual};

}  // namespace invar
