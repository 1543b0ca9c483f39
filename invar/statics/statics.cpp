// See statics.h.
#include "invar/statics/statics.h"

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/math/decompositions.h"
#include "invar/math/rank.h"
#include "invar/system/start/start_metric.h"
#include "invar/tape/term_size.h"

namespace invar {

namespace {

Vector vector(const std::vector<double>& x) {
  return Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size()));
}

constexpr double at_origin = 1e-6;  // coordinates that are all smaller say nothing about the size of a system

SparseExprs sizes_of(const SparseExprs& entries) { return {entries.pattern, term_sizes(entries.value)}; }

// L⁻¹ A and A L⁻ᵀ.
Matrix from_left(const Matrix& L, const Matrix& A) { return L.triangularView<Eigen::Lower>().solve(A); }
Matrix from_right(const Matrix& L, const Matrix& A) { return from_left(L, A.transpose()).transpose(); }
Matrix from_both(const Matrix& L, const Matrix& A) { return from_right(L, from_left(L, A)); }

double largest(const Vector& x) { return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0; }

bool acts_at_rest(const System& system) {
  const Exprs v = velocities(system);
  const Exprs at_rest = substitute(system.forces, v, Exprs(v.size(), 0.0));
  return std::ranges::any_of(at_rest, [](const Expr& f) { return !f.is_constant(0.0); });
}

}  // namespace

Vector StaticPoint::displacement(const Vector& y) const {
  return L.transpose().triangularView<Eigen::Upper>().solve(y);
}

double StaticPoint::length(const Vector& dq) const {
  return L.size() > 0 ? (L.transpose() * dq).norm() : unit.cwiseProduct(dq).norm();
}

Vector StaticPoint::way_to(const StaticPoint& other) const {
  return L.transpose() * (vector(other.state.q) - vector(state.q));
}

State StaticPoint::moved(const Vector& y) const {
  State s = state;
  const Vector dq = displacement(y);
  for (std::size_t i = 0; i < s.q.size(); ++i) s.q[i] += dq[static_cast<Eigen::Index>(i)];
  return s;
}

Statics::SparseFunction::SparseFunction(const System& system, const SparseExprs& entries)
    : pattern_(entries.pattern), values_(system, entries.value) {}

Matrix Statics::SparseFunction::operator()(const State& s) {
  poll_interrupt();
  const std::vector<double> values = values_(s);
  Matrix dense = Matrix::Zero(pattern_.rows, pattern_.cols);
  for (int j = 0; j < pattern_.cols; ++j)
    for (int k = pattern_.start[static_cast<std::size_t>(j)]; k < pattern_.start[static_cast<std::size_t>(j) + 1]; ++k)
      dense(pattern_.row[static_cast<std::size_t>(k)], j) = values[static_cast<std::size_t>(k)];
  return dense;
}

Statics::Statics(const System& system, std::vector<double> reference)
    : system_(std::make_shared<System>(system)),
      reference_(std::move(reference)),
      n_(static_cast<int>(system.coordinates.size())),
      m_(static_cast<int>(system.constraints.size())),
      e_(equations(system)),
      has_potential_(!acts_at_rest(system)),
      dynamics_(system, e_.dynamics),
      dynamics_size_(system, term_sizes(e_.dynamics)),
      constraint_(system, e_.constraint),
      constraint_size_(system, term_sizes(e_.constraint)),
      potential_(system, {&e_.potential, 1}),
      mass_(system, e_.mass()),
      gradient_(system, e_.gradient),
      stiffness_(system, jacobian(e_.dynamics, e_.q)),
      damping_(system, jacobian(e_.dynamics, e_.v)),
      stiffness_size_(system, sizes_of(jacobian(e_.dynamics, e_.q))),
      damping_size_(system, sizes_of(jacobian(e_.dynamics, e_.v))),
      constraint_q_(system, jacobian(e_.constraint, e_.q)),
      constraint_v_(system, jacobian(e_.constraint, e_.v)),
      constraint_q_size_(system, sizes_of(jacobian(e_.constraint, e_.q))) {}

StaticPoint Statics::at(const std::vector<double>& q, const std::vector<double>& v) {
  StaticPoint p;
  p.state = {.t = 0.0, .q = q, .v = v, .a = {}, .lambda = std::vector<double>(static_cast<std::size_t>(m_), 0.0)};
  const Matrix M = mass_(p.state), G = gradient_(p.state);
  p.conditions = vector(constraint_(p.state));
  if (!M.allFinite() || !G.allFinite() || !p.conditions.allFinite()) return p;
  p.L = Eigen::LLT<Matrix>(metric(M)).matrixL();
  const double y = std::max((p.L.transpose() * vector(q)).norm(), (p.L.transpose() * vector(reference_)).norm());
  const double unit = p.L.rowwise().norm().maxCoeff();
  p.size = y > at_origin * unit ? y : unit;
  p.directions = from_right(p.L, G);
  balance_reactions(p);
  p.is_finite = p.force.allFinite();
  if (p.is_finite) measure(p);
  return p;
}

// λ by least squares, once more for what rounding left of the first time.
void Statics::balance_reactions(StaticPoint& p) {
  Vector length = p.directions.rowwise().stableNorm();
  length = (length.array() > 0.0).select(length, 1.0);
  p.directions = length.cwiseInverse().asDiagonal() * p.directions;
  p.free = null_space(p.directions);
  for (int pass = 0; pass < 2; ++pass) {
    p.force = from_left(p.L, vector(dynamics_(p.state)));
    if (!p.force.allFinite()) return;
    const Vector share = least_norm(p.directions.transpose(), -p.force);
    for (int c = 0; c < m_; ++c) p.state.lambda[static_cast<std::size_t>(c)] += share[c] / length[c];
  }
  p.force = p.free * (p.free.transpose() * from_left(p.L, vector(dynamics_(p.state))));
  // A condition that restricts places is measured by the displacement that mends it.
  for (int c = 0; c < m_; ++c)
    if (level(c) == Level::position) p.conditions[c] /= length[c];
}

void Statics::measure(StaticPoint& p) {
  constexpr double jitter = 1e-3;  // of the largest coordinate: what it would do to a constraint whose own terms vanish
  constexpr double company = 1e-6;  // of the largest force, all in the metric: less is no force at all
  // A force is also small if a small part of the coordinates, or of the way from the reference, makes up for it.
  const Vector q = vector(p.state.q);
  const Vector way = q - vector(reference_);
  const Vector terms =
      vector(dynamics_size_(p.state)) + stiffness_(p.state).cwiseAbs() * q.cwiseAbs().cwiseMax(way.cwiseAbs());
  const Vector r = p.L * p.force;
  const Vector unit = p.L.rowwise().norm();
  p.force_scale = largest(terms.cwiseQuotient(unit));
  for (int i = 0; i < n_; ++i) {
    const double size = terms[i] + company * p.force_scale * unit[i];
    if (r[i] != 0.0) p.imbalance = std::max(p.imbalance, std::abs(r[i]) / std::max(size, 1e-300));
  }
  const Vector value = vector(constraint_(p.state)), size = vector(constraint_size_(p.state));
  const Matrix slope = constraint_q_(p.state);
  const double place = largest(q);
  for (int c = 0; c < m_; ++c) {
    const double scale = size[c] + jitter * slope.row(c).cwiseAbs().sum() * place;
    const double share = value[c] == 0.0 ? 0.0 : std::abs(value[c]) / std::max(scale, 1e-300);
    if (share <= p.violation) continue;
    p.violation = share;
    p.worst_constraint = c;
  }
}

Matrix Statics::stiffness(const StaticPoint& p) { return from_both(p.L, stiffness_(p.state)); }
Matrix Statics::damping(const StaticPoint& p) { return from_both(p.L, damping_(p.state)); }
Matrix Statics::mass(const StaticPoint& p) { return from_both(p.L, mass_(p.state)); }

Matrix Statics::stiffness_terms(const StaticPoint& p) {
  const Matrix inverse = from_left(p.L, Matrix::Identity(n_, n_)).cwiseAbs();
  return inverse * stiffness_size_(p.state).cwiseAbs() * inverse.transpose();
}

Matrix Statics::damping_terms(const StaticPoint& p) {
  const Matrix inverse = from_left(p.L, Matrix::Identity(n_, n_)).cwiseAbs();
  return inverse * damping_size_(p.state).cwiseAbs() * inverse.transpose();
}

namespace {

// The rows of position constraints divided as the conditions are.
Matrix as_conditions(Matrix slope, const StaticPoint& p, const Matrix& G, const Statics& statics) {
  for (Eigen::Index c = 0; c < slope.rows(); ++c) {
    poll_interrupt();
    const double length = from_right(p.L, G.row(c)).stableNorm();
    if (statics.level(static_cast<int>(c)) == Level::position && length > 0.0) slope.row(c) /= length;
  }
  return from_right(p.L, slope);
}

}  // namespace

Matrix Statics::condition_stiffness(const StaticPoint& p) {
  return as_conditions(constraint_q_(p.state), p, gradient_(p.state), *this);
}
Matrix Statics::condition_damping(const StaticPoint& p) {
  return as_conditions(constraint_v_(p.state), p, gradient_(p.state), *this);
}

namespace {

constexpr double vanishes = 1e-11;  // of the terms: what rounding leaves of identities such as sin² + cos² = 1

Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> stands_out(const Matrix& value, const Matrix& terms) {
  return value.cwiseAbs().array() > vanishes * terms.cwiseAbs().array();
}

}  // namespace

std::vector<bool> Statics::matters(const State& s) {
  const auto in_forces = stands_out(stiffness_(s), stiffness_size_(s)),
             in_constraints = stands_out(constraint_q_(s), constraint_q_size_(s));
  std::vector<bool> list(static_cast<std::size_t>(n_));
  for (int i = 0; i < n_; ++i)
    list[static_cast<std::size_t>(i)] = in_forces.col(i).any() || (m_ > 0 && in_constraints.col(i).any());
  return list;
}

Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> Statics::resists(const State& s) {
  return stands_out(damping_(s), damping_size_(s));
}

double Statics::potential(const StaticPoint& p) { return potential_(p.state).front(); }
Vector Statics::dynamics(const State& s) { return vector(dynamics_(s)); }
Matrix Statics::dynamics_slope(const State& s) { return stiffness_(s); }
Matrix Statics::gradient(const State& s) { return gradient_(s); }
Vector Statics::constraint(const State& s) { return vector(constraint_(s)); }

}  // namespace invar
