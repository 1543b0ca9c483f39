// See descent.h.
#include "invar/statics/descent.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/base/interrupt.h"
#include "invar/math/newton.h"

namespace invar {

namespace {

constexpr int max_steps = 400;
constexpr double grows = 3.0, shrinks = 0.125;
constexpr double longest_step = 0.5;     // step, in sizes of the system
constexpr double far = 1e7;              // times the size of the system: nothing holds it
constexpr double close_by = 0.05;        // of the size of the system: how far Newton's method may jump at the end
constexpr double nearly = 1e-3;          // of its terms, what is left of a force when Newton's method is tried
constexpr double shortest_time = 1e-20;  // in units of the first step

Pattern full(int size) {
  Pattern p{size, size, {0}, {}};
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) p.row.push_back(i);
    p.start.push_back(static_cast<int>(p.row.size()));
  }
  return p;
}

class Slope {
 public:
  explicit Slope(Statics& statics)
      : statics_(statics),
        n_(statics.coordinates()),
        m_(statics.constraints()),
        newton_(full(n_ + m_), {.tolerance = 1e-10}, groups(n_, m_)) {}

  // The implicit step of length h from p; not finite if there is none.
  StaticPoint step(const StaticPoint& p, double h) {
    const Matrix W = p.L * p.L.transpose(), G = statics_.gradient(p.state);
    const Vector q0 = Eigen::Map<const Vector>(p.state.q.data(), n_);
    std::vector<double> x = p.state.q;
    x.insert(x.end(), p.state.lambda.begin(), p.state.lambda.end());
    State s = p.state;
    const auto evaluate = [&](std::span<const double> at, std::span<double> residual, std::span<double> jacobian) {
      poll_interrupt();
      s.q.assign(at.begin(), at.begin() + n_);
      s.lambda.assign(at.begin() + n_, at.end());
      const Vector dq = Eigen::Map<const Vector>(s.q.data(), n_) - q0;
      Eigen::Map<Vector> r(residual.data(), n_ + m_);
      Eigen::Map<Matrix> J(jacobian.data(), n_ + m_, n_ + m_);
      const Matrix now = statics_.gradient(s);
      r.head(n_) = W * dq / h + statics_.dynamics(s);
      J.setZero();
      J.topLeftCorner(n_, n_) = W / h + statics_.dynamics_slope(s);
      J.topRightCorner(n_, m_) = now.transpose();
      const Vector value = statics_.constraint(s);
      for (int c = 0; c < m_; ++c) {
        const bool place = statics_.level(c) == Level::position;
        r[n_ + c] = place ? value[c] : G.row(c).dot(dq);
        J.row(n_ + c).head(n_) = place ? now.row(c) : G.row(c);
      }
    };
    if (newton_.solve(evaluate, x).status != NewtonStatus::converged) return {};
    return statics_.at({x.begin(), x.begin() + n_}, p.state.v);
  }

 private:
  static std::vector<int> groups(int n, int m) {
    std::vector<int> all;  // places stand alone, since they may have different units; so do multipliers
    for (int i = 0; i < n + m; ++i) all.push_back(i);
    return all;
  }

  Statics& statics_;
  int n_, m_;
  Newton newton_;
};

// A time in which the forces at hand change, or move the system by its size.
double natural_time(Statics& statics, const StaticPoint& p) {
  const double rate = std::max((p.free.transpose() * statics.stiffness(p) * p.free).norm(), p.force.norm() / p.size);
  return rate > 0.0 ? 1.0 / rate : 1.0;
}

bool is_downhill(Statics& statics, const StaticPoint& from, const StaticPoint& to) {
  constexpr double rounding = 1e-12;
  if (!to.is_finite || !statics.has_potential()) return to.is_finite;
  const double before = statics.potential(from);
  return statics.potential(to) <= before + rounding * std::abs(before);
}

}  // namespace

Descent descend(Statics& statics, const SteadyCoordinates& steady, const State& from, double tolerance) {
  Slope slope(statics);
  Descent result;
  result.point = statics.at(from.q, from.v);
  const StaticPoint start = result.point;
  if (!start.is_finite) return result;
  const double first = natural_time(statics, start), size = start.size;
  double h = first, tried = std::numeric_limits<double>::infinity();
  while (result.steps < max_steps && h > shortest_time * first) {
    StaticPoint& p = result.point;
    const bool rests = p.imbalance <= tolerance && p.violation <= tolerance;
    if (rests || (result.steps > 0 && p.imbalance <= nearly && p.imbalance <= 0.1 * tried)) {
      tried = p.imbalance;
      const Balance end = find_balance(statics, steady, p.state, tolerance);
      if (end.found && p.way_to(end.point).norm() <= close_by * size && is_downhill(statics, p, end.point)) {
        p = end.point;
        result.end = Descent::End::settled;
        return result;
      }
    }
    const StaticPoint next = slope.step(p, h);
    ++result.steps;
    const bool off = p.violation > tolerance;  // there the potential says nothing yet
    if (!(off ? next.is_finite : is_downhill(statics, p, next)) || p.way_to(next).norm() > longest_step * p.size) {
      h *= shrinks;
      continue;
    }
    result.direction = p.way_to(next);
    p = next;
    h *= grows;
    if (start.way_to(p).norm() > far * size) {
      result.end = Descent::End::runs_away;
      return result;
    }
  }
  return result;
}

}  // namespace invar
