// Radau IIA with three stages, order 5, on the stabilised index-2 form of Gear, Gupta and Leimkuhler:
//
//   q' = v - Gᵀμ,   dynamics with λ,   Φ = 0,   Φ̇ = 0      at every stage; the last stage is the new node
//
// so that position constraints hold at position and velocity level and q and v keep the full order
// [E. Hairer, G. Wanner, Solving ODEs II, ch. IV.5, VII.4-6]. Stage rates come from the inverse of the tableau:
// q'_i = Σ_j W_ij (Q_j - q0)/h with W = A⁻¹.
#include <algorithm>
#include <array>
#include <cmath>

#include "invar/scheme/table.h"

namespace invar {

namespace {

constexpr int stages = 3;
using Tableau = std::array<std::array<double, stages>, stages>;

std::array<double, stages> nodes() {
  const double s6 = std::sqrt(6.0);
  return {(4.0 - s6) / 10.0, (4.0 + s6) / 10.0, 1.0};
}

// W = A⁻¹ by the collocation conditions: the rate at c_i of the polynomial with values y at 0, c_1, c_2, c_3 and y(0) = 0.
Tableau inverse_tableau() {
  const auto c = nodes();
  Tableau w{};
  for (std::size_t j = 0; j < stages; ++j)
    for (std::size_t i = 0; i < stages; ++i) {
      double sum = 0.0;  // derivative of ℓ_j(x) = x/c_j Π_k (x - c_k)/(c_j - c_k) at c_i
      for (std::size_t skip = 0; skip <= stages; ++skip) {
        if (skip == j) continue;
        double product = 1.0 / (skip == stages ? c[j] : c[j] - c[skip]);
        for (std::size_t k = 0; k <= stages; ++k) {
          if (k == j || k == skip) continue;
          product *= k == stages ? c[i] / c[j] : (c[i] - c[k]) / (c[j] - c[k]);
        }
        sum += product;
      }
      w[i][j] = sum;
    }
  return w;
}

struct Stage {
  Exprs q, v, lambda, mu;
};

Exprs h_rate(const std::array<double, stages>& w, const std::array<Stage, stages>& stage, Exprs Stage::* part,
             const Exprs& start) {
  Exprs rate(start.size(), 0.0);
  for (std::size_t j = 0; j < stages; ++j)
    for (std::size_t i = 0; i < start.size(); ++i) rate[i] += w[j] * ((stage[j].*part)[i] - start[i]);
  return rate;
}

std::array<Stage, stages> stage_unknowns(const Equations& e, Interval& step) {
  const Node& n0 = step.n0;
  const Exprs zero(e.lambda.size(), 0.0);
  std::array<Stage, stages> stage;
  for (std::size_t i = 0; i + 1 < stages; ++i) {
    Exprs guess;
    for (std::size_t k = 0; k < n0.q.size(); ++k) guess.push_back(n0.q[k] + nodes()[i] * step.h * n0.v[k]);
    stage[i] = {step.unknowns(Kind::position, guess),
                step.unknowns(Kind::velocity, n0.v),
                step.unknowns(Kind::multiplier, n0.lambda),
                {}};
  }
  stage.back() = {step.n1.q, step.n1.v, step.n1.lambda, {}};
  const bool holonomic = std::find(e.level.begin(), e.level.end(), Level::position) != e.level.end();
  if (holonomic)
    for (Stage& s : stage) s.mu = step.unknowns(Kind::correction, zero);
  return stage;
}

Residual residual(const Equations& e, Interval& step, const SchemeOptions&) {
  static const Tableau w = inverse_tableau();
  const std::array<Stage, stages> stage = stage_unknowns(e, step);
  Residual r;
  for (std::size_t i = 0; i < stages; ++i) {
    const Stage& s = stage[i];
    const Expr t = step.t(nodes()[i]);
    const Exprs a = scaled(1.0 / step.h, h_rate(w[i], stage, &Stage::v, step.n0.v));
    const Point point = {t, s.q, s.v, a, s.lambda, step.input(nodes()[i])};
    Exprs slope = s.v;
    if (!s.mu.empty()) slope = difference(slope, at(e, e.reaction, {t, s.q, s.v, a, s.mu, {}}));
    r.kinematics = r.equations.size();
    r.add("kinematics of", step.coordinates,
          difference(h_rate(w[i], stage, &Stage::q, step.n0.q), scaled(step.h, slope)));
    r.add("dynamics of", step.coordinates, scaled(step.h, at(e, e.dynamics, point)));
    r.add("constraint", step.constraints, at(e, e.constraint, point));
    if (s.mu.empty()) continue;
    Exprs rate = at(e, e.constraint_rate, point);
    for (std::size_t c = 0; c < rate.size(); ++c)
      if (e.level[c] != Level::position) rate[c] = s.mu[c];
    r.add("velocity of constraint", step.constraints, rate);
  }
  return r;
}

}  // namespace

const Scheme radau5 = {{.name = "radau5",
                        .title = "Radau IIA, three stages",
                        .source = "Hairer, Wanner: Solving ODEs II",
                        .order = 5,
                        .velocity_at_nodes = true},
                       carries_nothing,
                       residual};

}  // namespace invar
