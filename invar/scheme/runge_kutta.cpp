// See runge_kutta.h.
#include "invar/scheme/runge_kutta.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/scheme/lie.h"

namespace invar {

namespace {

using Complex = std::complex<double>;

struct StepStage {
  Exprs rate, a, lambda;  // k, ν' and λ
};

// x + h Σ_i weight_i y_i, in which zeros are left out.
Exprs combined(const Exprs& x, const Expr& h, const std::vector<double>& weight, const std::vector<StepStage>& stages,
               Exprs StepStage::* part) {
  Exprs sum = x;
  for (std::size_t i = 0; i < weight.size(); ++i)
    if (weight[i] != 0.0)
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += weight[i] * h * (stages[i].*part)[k];
  return sum;
}

// Σ_i w_i(θ) y_i with polynomials w_i, or with their derivatives.
Exprs interpolated_stages(const RungeKutta& method, const Expr& part_of_step, bool derivative,
                          const std::vector<StepStage>& stages, Exprs StepStage::* part) {
  Exprs sum((stages.front().*part).size(), 0.0);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::vector<double>& p = method.inside[i];
    Expr weight = 0.0;
    for (std::size_t k = p.size(); k-- > 0;)
      weight = weight * part_of_step + (derivative ? static_cast<double>(k + 1) * p[k] : p[k]);
    if (!derivative) weight *= part_of_step;
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += weight * (stages[i].*part)[k];
  }
  return sum;
}

// The motion within the step. What projection changes at its end comes in gradually, so that steps join.
Inside inside_step(const RungeKutta& method, const LieBodies& bodies, const Interval& step, const Exprs& nu,
                   const std::vector<StepStage>& stages, const NodeProjection& projection, RotationMap map) {
  const Expr &h = step.h, &part = step.part;
  const Expr gradual = pow(part, 2.0) * (3.0 - 2.0 * part);
  const Exprs by = scaled(h, interpolated_stages(method, part, false, stages, &StepStage::rate)),
              gain = scaled(h, interpolated_stages(method, part, false, stages, &StepStage::a));
  Exprs speeds = nu;
  for (std::size_t i = 0; i < speeds.size(); ++i) speeds[i] += gain[i] + gradual * projection.velocity[i];
  const Exprs none(nu.size(), 0.0);
  Inside inside;
  inside.q = bodies.moved(bodies.moved(step.n0.q, by, map), scaled(gradual, projection.position), map);
  inside.v = bodies.rates(inside.q, speeds);
  inside.lambda = bodies.all_multipliers(interpolated_stages(method, part, true, stages, &StepStage::lambda));
  inside.error_q = bodies.rates(step.n0.q, combined(none, h, method.error, stages, &StepStage::rate));
  inside.error_v = bodies.rates(step.n0.q, combined(none, h, method.error, stages, &StepStage::a));
  return inside;
}

}  // namespace

Residual runge_kutta_step(const RungeKutta& method, Rotations rotations, const Equations& e, Interval& step,
                          const SchemeOptions& options) {
  Equations moving = e;
  if (rotations == Rotations::as_coordinates) moving.bodies.clear();
  const LieBodies bodies(moving);
  const Node& n0 = step.n0;
  const Exprs nu = bodies.speeds_of(n0.q, n0.v), none(nu.size(), 0.0);
  Residual r;
  std::vector<StepStage> stages;
  for (std::size_t i = 0; i < method.c.size(); ++i) {
    const Exprs by = combined(none, step.h, method.a[i], stages, &StepStage::rate),
                speed = combined(nu, step.h, method.a[i], stages, &StepStage::a);
    const LieStage found = add_stage("stage " + std::to_string(i + 1), bodies, moving, step, r, step.t(method.c[i]),
                                     bodies.moved(n0.q, by, options.map), speed, step.input(method.c[i]), options);
    stages.push_back({method.as_printed ? speed : bodies.rate_of_step(by, speed, options.map), found.a, found.lambda});
    r.stages.push_back(r.equations.size());
  }
  const Exprs by = combined(none, step.h, method.end_weights(), stages, &StepStage::rate),
              speed = combined(nu, step.h, method.end_weights(), stages, &StepStage::a);
  const NodeProjection projection =
      finish_step(bodies, moving, step, r, bodies.moved(n0.q, by, options.map), speed, stages.back().lambda, options);
  if (!method.inside.empty()) r.inside = inside_step(method, bodies, step, nu, stages, projection, options.map);
  return r;
}

Complex stability_function(const RungeKutta& method, Complex z) {
  std::vector<Complex> y;
  Complex end = 1.0;
  for (std::size_t i = 0; i < method.c.size(); ++i) {
    Complex stage = 1.0;
    for (std::size_t j = 0; j < i; ++j) stage += z * method.a[i][j] * y[j];
    y.push_back(stage);
    if (i < method.end_weights().size()) end += z * method.end_weights()[i] * stage;
  }
  return end;
}

double growth_of_errors(const RungeKutta& method, const Baumgarte& terms, double h) {
  if (terms.follows_step) return 0.0;
  const double alpha = terms.alpha, beta = terms.beta;
  const Complex root = std::sqrt(Complex(alpha * alpha - beta * beta));
  double growth = 0.0;
  for (const Complex s : {-alpha + root, -alpha - root, Complex(-alpha)})
    growth = std::max(growth, std::abs(stability_function(method, h * s)));
  return growth;
}

double largest_stable_step(const RungeKutta& method, const Baumgarte& terms) {
  const double fastest = terms.alpha + std::sqrt(std::abs(terms.alpha * terms.alpha - terms.beta * terms.beta));
  if (terms.follows_step || !(fastest > 0.0)) return std::numeric_limits<double>::infinity();
  constexpr double kept = 1.0 + 1e-12;  // an error without terms, such as β = 0, neither grows nor dies out
  double stable = 0.01 / fastest, unstable = 100.0 / fastest;
  while (growth_of_errors(method, terms, 1.05 * stable) <= kept && stable < unstable) stable *= 1.05;
  unstable = std::min(unstable, 1.05 * stable);
  while (unstable - stable > 1e-6 * stable) {
    const double h = 0.5 * (stable + unstable);
    (growth_of_errors(method, terms, h) > kept ? unstable : stable) = h;
  }
  return stable;
}

}  // namespace invar
