// See configuration.h.
#include "invar/task/transcription/configuration.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "invar/expr/derivative.h"
#include "invar/math/decompositions.h"

namespace invar {

namespace {

constexpr int most_steps = 50;
constexpr double exact = 1e-12;

// The formulas, then the gradient of each.
Exprs with_gradients(Exprs formulas, const Exprs& variables) {
  const std::size_t count = formulas.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Exprs row = gradient(Expr(formulas[i]), variables);
    formulas.insert(formulas.end(), row.begin(), row.end());
  }
  return formulas;
}

Exprs position_constraints(const System& system, const std::vector<Limit>& conditions) {
  Exprs formulas;
  for (const Constraint& c : system.constraints)
    if (c.level == Level::position) formulas.push_back(c.expr);
  for (const Limit& c : conditions) formulas.push_back(c.formula);
  return formulas;
}

Exprs kept_momenta(const System& system) {
  Exprs formulas;
  for (const Momentum& m : system.momenta)
    if (m.why_not.empty()) formulas.push_back(m.expr);
  return formulas;
}

Exprs state_symbols(const System& system) {
  Exprs symbols = positions(system);
  for (const Expr& v : velocities(system)) symbols.push_back(v);
  return symbols;
}

// The step of least length that leaves the held coordinates alone.
void take_step(LinearRows rows, std::vector<double>& q, const std::vector<bool>& held) {
  for (std::size_t j = 0; j < q.size(); ++j)
    if (held[j]) rows.gradient.col(static_cast<Eigen::Index>(j)).setZero();
  const Eigen::VectorXd step = rows.gradient.completeOrthogonalDecomposition().solve(rows.value);
  for (std::size_t j = 0; j < q.size(); ++j) q[j] -= step(static_cast<Eigen::Index>(j));
}

double largest(const Eigen::VectorXd& values) { return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0.0; }

// One below the other, each divided by the length of its gradient.
LinearRows joined(const LinearRows& a, const LinearRows& b) {
  LinearRows rows{Eigen::VectorXd(a.value.size() + b.value.size()),
                  Eigen::MatrixXd(a.value.size() + b.value.size(), a.gradient.cols())};
  rows.value << a.value, b.value;
  rows.gradient << a.gradient, b.gradient;
  for (Eigen::Index i = 0; i < rows.value.size(); ++i)
    if (const double length = rows.gradient.row(i).norm(); length > 0.0) {
      rows.value(i) /= length;
      rows.gradient.row(i) /= length;
    }
  return rows;
}

// The axes of a body as columns; in the plane the third is fixed.
Eigen::Matrix3d axes_of(const RigidBody& body, const std::vector<double>& q) {
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  const auto d = static_cast<std::size_t>(body.dimension);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t c = 0; c < d; ++c)
      axes(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(i)) = q[body.first + d * (i + 1) + c];
  return axes;
}

}  // namespace

Constraints::Constraints(const System& system, std::span<const Reference> references,
                         const std::vector<Limit>& conditions)
    : n_(system.coordinates.size()),
      function_(system, with_gradients(position_constraints(system, conditions), positions(system)), references) {
  for (const Constraint& c : system.constraints)
    if (c.level == Level::position) names_.push_back(c.name);
  for (const Limit& c : conditions) names_.push_back(c.name);
  values_.resize(names_.size());
}

LinearRows Constraints::operator()(double t, const std::vector<double>& q) {
  State state;
  state.t = t;
  state.q = q;
  const std::vector<double> out = function_(state);
  const auto m = static_cast<Eigen::Index>(names_.size()), n = static_cast<Eigen::Index>(n_);
  LinearRows rows{Eigen::Map<const Eigen::VectorXd>(out.data(), m), Eigen::MatrixXd(m, n)};
  for (Eigen::Index i = 0; i < m; ++i) {
    rows.value(i) -= values_[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < n; ++j) rows.gradient(i, j) = out[static_cast<std::size_t>(m + i * n + j)];
  }
  return rows;
}

std::vector<double> Constraints::conditions(double t, const std::vector<double>& q, std::size_t count) {
  std::fill(values_.begin(), values_.end(), 0.0);
  const LinearRows rows = (*this)(t, q);
  return {rows.value.end() - static_cast<std::ptrdiff_t>(count), rows.value.end()};
}

void Constraints::want(const std::vector<double>& values) {
  std::copy(values.rbegin(), values.rend(), values_.rbegin());
}

double Constraints::satisfy(double t, std::vector<double>& q, const std::vector<bool>& held) {
  double residual = 0.0;
  for (int k = 0; k < most_steps; ++k) {
    LinearRows rows = (*this)(t, q);
    residual = largest(rows.value);
    if (residual < exact || !std::isfinite(residual)) break;
    take_step(std::move(rows), q, held);
  }
  return residual;
}

KeptMomenta::KeptMomenta(const System& system)
    : n_(system.coordinates.size()),
      count_(kept_momenta(system).size()),
      function_(system, with_gradients(kept_momenta(system), state_symbols(system))) {}

LinearRows KeptMomenta::operator()(const std::vector<double>& q0, const std::vector<double>& q) {
  State state;
  for (std::size_t i = 0; i < n_; ++i) {
    state.q.push_back(0.5 * (q0[i] + q[i]));
    state.v.push_back(q[i] - q0[i]);
  }
  const std::vector<double> out = function_(state);
  const auto m = static_cast<Eigen::Index>(count_), n = static_cast<Eigen::Index>(n_);
  LinearRows rows{Eigen::Map<const Eigen::VectorXd>(out.data(), m), Eigen::MatrixXd(m, n)};
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto by_q = static_cast<std::size_t>(m + i * 2 * n + j);
      rows.gradient(i, j) = 0.5 * out[by_q] + out[by_q + n_];
    }
  return rows;
}

double follow(Constraints& constraints, KeptMomenta& momenta, double t, const std::vector<double>& q0,
              std::vector<double>& q, const std::vector<bool>& held) {
  double residual = 0.0;
  for (int k = 0; k < most_steps; ++k) {
    LinearRows rows = joined(constraints(t, q), momenta(q0, q));
    residual = largest(rows.value);
    if (residual < exact || !std::isfinite(residual)) break;
    take_step(std::move(rows), q, held);
  }
  return residual;
}

bool turn_part_way(const RigidBody& body, const std::vector<double>& from, const std::vector<double>& to, double s,
                   std::vector<double>& q) {
  constexpr double orthonormal = 1e-6;
  const Eigen::Matrix3d first = axes_of(body, from), turn = axes_of(body, to) * first.transpose();
  if (!turn.isUnitary(orthonormal) || turn.determinant() < 0.0) return false;
  Eigen::AngleAxisd part(turn);
  part.angle() *= s;
  const Eigen::Matrix3d axes = part * first;
  const auto d = static_cast<std::size_t>(body.dimension);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t c = 0; c < d; ++c)
      q[body.first + d * (i + 1) + c] = axes(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(i));
  return true;
}

}  // namespace invar
