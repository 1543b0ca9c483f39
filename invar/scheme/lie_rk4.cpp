// The classical Runge–Kutta method of order four on the rotation group, index-1 equations [H. Munthe-Kaas, BIT 38
// (1998) 92].
//
// Rotations within a step are R₀ map(θ); at stage i the rate of θ is k_i = dmap⁻¹_{-θ_i} Ω_i (Ω in body axes), and all
// stages and the step itself are sums of these in θ. Leaving out dmap⁻¹, or taking it at +θ, gives order two: that is
// the algorithm as I. Zenzerović prints it (Zagreb 2012, sec. 3.3.3), kept here for comparison.
#include "invar/scheme/lie.h"
#include "invar/scheme/table.h"

namespace invar {

namespace {

Exprs plus(const Exprs& x, const Expr& factor, const Exprs& y) {
  Exprs sum = x;
  for (std::size_t i = 0; i < x.size(); ++i) sum[i] += factor * y[i];
  return sum;
}

enum class Rates { of_step, of_body };  // k_i, or Ω_i in its place

Residual four_stages(Rates rates, const Equations& e, Interval& step, const SchemeOptions& options) {
  const LieBodies bodies(e);
  const Node& n0 = step.n0;
  const Expr h = step.h;
  const Exprs nu = bodies.speeds_of(n0.q, n0.v), none(nu.size(), 0.0);
  Residual r;
  constexpr double fraction[] = {0.0, 0.5, 0.5, 1.0};
  constexpr double weight[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
  Exprs k, by = none, nu1 = nu, total = none, guess = none;
  LieStage stage;
  for (int i = 0; i < 4; ++i) {
    const Expr ch = fraction[i] * h;
    const Exprs theta = i == 0 ? none : scaled(ch, k), speed = i == 0 ? nu : plus(nu, ch, stage.a);
    stage = add_stage("stage " + std::to_string(i + 1), bodies, e, step, r, step.t(fraction[i]),
                      bodies.moved(n0.q, theta, options.map), speed, step.input(fraction[i]), guess);
    k = rates == Rates::of_step ? bodies.rate_of_step(theta, speed, options.map) : speed;
    nu1 = plus(nu1, weight[i] * h, stage.a);
    total = plus(total, weight[i] * h, k);
  }
  finish_step(bodies, e, step, r, bodies.moved(n0.q, total, options.map), nu1, stage.lambda, options);
  return r;
}

}  // namespace

const Scheme lie_rk4 = {{.name = "lie-rk4",
                         .title = "Runge–Kutta–Munthe-Kaas, four stages",
                         .source = "Munthe-Kaas 1998",
                         .order = 4,
                         .velocity_at_nodes = true,
                         .needs_mass = true,
                         .own_unknowns = true,
                         .on_rotations = true},
                        carries_nothing,
                        [](const Equations& e, Interval& step, const SchemeOptions& options) {
                          return four_stages(Rates::of_step, e, step, options);
                        }};

const Scheme lie_rk4_printed = {{.name = "lie-rk4-printed",
                                 .title = "lie-rk4 as a thesis prints it, for comparison: of lower order",
                                 .source = "Zenzerović 2012",
                                 .order = 2,
                                 .velocity_at_nodes = true,
                                 .needs_mass = true,
                                 .own_unknowns = true,
                                 .on_rotations = true},
                                carries_nothing,
                                [](const Equations& e, Interval& step, const SchemeOptions& options) {
                                  return four_stages(Rates::of_body, e, step, options);
                                }};

}  // namespace invar
