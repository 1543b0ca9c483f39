// See balance.h.
#include "invar/statics/balance.h"

#include <algorithm>
#include <cmath>

#include "invar/base/interrupt.h"
#include "invar/math/rank.h"
#include "invar/math/svd.h"

namespace invar {

namespace {

constexpr int max_iterations = 60;
constexpr double smallest_part = 1.0 / 1024;  // of a step
constexpr double longest_part = 0.5;          // step, in sizes of the system: where the stiffness nearly vanishes
constexpr double not_felt = 1e-11;            // of the terms of the stiffness: a direction that the forces do not feel

// The shortest x among those that minimise |A x − b|, singular values below the cutoff counting as zero.
Vector shortest(const Matrix& A, const Vector& b, double cutoff) {
  if (A.size() == 0) return Vector::Zero(A.cols());
  const Svd parts = svd(A);
  Vector x = Vector::Zero(A.cols());
  for (Eigen::Index k = 0; k < parts.values.size(); ++k)
    if (parts.values[k] > cutoff) x += parts.V.col(k) * (parts.U.col(k).dot(b) / parts.values[k]);
  return x;
}

class BalanceSearch {
 public:
  BalanceSearch(Statics& statics, const SteadyCoordinates& steady) : statics_(statics), steady_(steady) {}

  // What is left of the equations at p, measured by the forces and lengths at `scale`.
  double merit(const StaticPoint& p, const StaticPoint& scale) const {
    const double force = scale.force_scale > 0.0 ? p.force.norm() / scale.force_scale : 0.0;
    return std::hypot(force, p.conditions.norm() / scale.size);
  }

  // The shortest step that solves the linearised equations, in y and then in the unknown rates.
  Vector step(const StaticPoint& p) {
    const Matrix K = statics_.stiffness(p), D = statics_.damping(p);
    const auto n = K.cols(), rates = static_cast<Eigen::Index>(steady_.unknown.size());
    rate_unit_ = std::sqrt(K.cwiseAbs().maxCoeff());
    if (rate_unit_ == 0.0) rate_unit_ = D.cwiseAbs().maxCoeff();
    if (rate_unit_ == 0.0) rate_unit_ = 1.0;
    const Matrix R = rate_directions(p);
    Matrix slope(p.free.cols(), n + rates), held(p.conditions.size(), n + rates);
    slope << p.free.transpose() * K, p.free.transpose() * D * R;
    held << statics_.condition_stiffness(p), statics_.condition_damping(p) * R;
    const Vector mend = least_norm(held, -p.conditions);
    const Matrix N = null_space(held);
    const Matrix reduced = slope * N;
    const Vector rest = -(p.free.transpose() * p.force + slope * mend);
    const double terms = statics_.stiffness_terms(p).maxCoeff();
    return mend + N * shortest(reduced, rest, not_felt * std::max(terms, reduced.norm()));
  }

  StaticPoint moved(const StaticPoint& p, const Vector& step, double part) {
    const Eigen::Index n = statics_.coordinates();
    const Vector dv = p.displacement(rate_directions(p) * step.tail(step.size() - n));
    State s = p.moved(part * step.head(n));
    for (const std::size_t z : steady_.unknown) s.v[z] += part * dv[static_cast<Eigen::Index>(z)];
    return statics_.at(s.q, s.v);
  }

 private:
  // Columns: unit rates of the unknown ones, as y' in the unit of rates that belongs to the stiffness.
  Matrix rate_directions(const StaticPoint& p) const {
    Matrix R = Matrix::Zero(statics_.coordinates(), static_cast<Eigen::Index>(steady_.unknown.size()));
    for (Eigen::Index k = 0; k < R.cols(); ++k) {
      const auto z = static_cast<Eigen::Index>(steady_.unknown[static_cast<std::size_t>(k)]);
      R.col(k) = p.L.row(z).transpose() * (rate_unit_ / p.L.row(z).norm());
    }
    return R;
  }

  Statics& statics_;
  const SteadyCoordinates& steady_;
  double rate_unit_ = 1.0;
};

bool holds(const StaticPoint& p, double tolerance) { return p.imbalance <= tolerance && p.violation <= tolerance; }

}  // namespace

Balance find_balance(Statics& statics, const SteadyCoordinates& steady, const State& from, double tolerance) {
  BalanceSearch search(statics, steady);
  Balance result;
  result.point = statics.at(from.q, from.v);
  while (result.point.is_finite && result.iterations < max_iterations) {
    poll_interrupt();
    StaticPoint& p = result.point;
    const double before = search.merit(p, p);
    if (before == 0.0) break;
    Vector step = search.step(p);
    if (!step.allFinite()) break;
    if (const double length = step.norm(); length > longest_part * p.size) step *= longest_part * p.size / length;
    ++result.iterations;
    StaticPoint next;
    double after = before, part = 1.0;
    for (; part >= smallest_part; part *= 0.5) {
      next = search.moved(p, step, part);
      after = next.is_finite ? search.merit(next, p) : before;
      if (after <= (1.0 - 0.25 * part) * before) break;
    }
    const bool improved = after < before;
    if (improved) p = next;
    // The last digits: as long as full steps halve what is left, they are not rounding.
    if (!improved || part < smallest_part || (holds(p, tolerance) && after > 0.5 * before)) break;
  }
  result.found = result.point.is_finite && holds(result.point, tolerance);
  return result;
}

}  // namespace invar
