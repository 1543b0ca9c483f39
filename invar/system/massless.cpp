// See massless.h.
#include "invar/system/massless.h"

#include <algorithm>
#include <cmath>

#include "invar/expr/derivative.h"
#include "invar/math/eigen_pairs.h"
#include "invar/math/rank.h"
#include "invar/math/svd.h"
#include "invar/tape/term_size.h"

namespace invar {

namespace {

constexpr double balanced = 1e-11;        // of the terms: round-off
constexpr double noise = 1e-12;           // of the terms that cancelled: what is smaller is zero
constexpr double regular_damping = 1e-9;  // smallest singular value of a damping matrix that counts, relative
constexpr int max_balance_corrections = 40;

Vector vector(const std::vector<double>& x) {
  return Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size()));
}

Matrix square(const std::vector<double>& by_rows, Eigen::Index n) {
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      by_rows.data(), n, n == 0 ? 0 : static_cast<Eigen::Index>(by_rows.size()) / n);
}

// dF/dt with a' = 0, λ' = 0, u' = 0.
Exprs rate_of(const System& system, const Equations& e) {
  Exprs from;
  for (const Variable& x : system.coordinates) from.push_back(at(x, 3));
  for (const Constraint& c : system.constraints) from.push_back(at(c.multiplier, 1));
  for (const Input& u : system.inputs) from.push_back(at(u.value, 1));
  return substitute(ddt(e.dynamics), from, Exprs(from.size(), 0.0));
}

Exprs directions_of_inputs(const System& system) {  // a row per coordinate
  Exprs all;
  for (std::size_t i = 0; i < system.coordinates.size(); ++i)
    for (const Input& u : system.inputs) all.push_back(u.direction[i]);
  return all;
}

// Xᵀ A Y without what is left of terms that cancel.
Matrix between(const Matrix& X, const Matrix& A, const Matrix& Y) {
  Matrix B = X.transpose() * A * Y;
  const Matrix terms = X.cwiseAbs().transpose() * A.cwiseAbs() * Y.cwiseAbs();
  return (B.cwiseAbs().array() <= noise * terms.array()).select(0.0, B);
}

void move(std::vector<double>& x, const Vector& by) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += by[static_cast<Eigen::Index>(i)];
}

// A change of positions that brings forces along some directions towards zero: Newton's, or where the potential is not
// convex a short one downhill, since what has no mass comes to rest in a minimum.
struct Shift {
  Vector step;  // in these directions
  bool downhill = false;
};
Shift shift_towards_balance(const Matrix& K, const Vector& force, double longest) {
  constexpr double symmetric = 1e-8;
  if (K.size() == 0) return {Vector::Zero(K.cols()), false};
  if (K.rows() == K.cols() && (K - K.transpose()).norm() <= symmetric * K.norm()) {
    const auto [values, vectors] = symmetric_eigen(0.5 * (K + K.transpose()));
    const double largest = values.cwiseAbs().maxCoeff();
    if (values[0] < -regular_damping * largest) {
      Vector along = vectors.transpose() * force;
      for (Eigen::Index i = 0; i < along.size(); ++i)
        along[i] *= std::abs(values[i]) > regular_damping * largest ? -1.0 / std::abs(values[i]) : 0.0;
      Vector step = vectors * along;
      const double length = step.cwiseAbs().maxCoeff();
      if (longest > 0.0 && length > longest) step *= longest / length;
      return {step, true};
    }
  }
  return {least_norm(K, -force), false};
}

}  // namespace

// The rows P Zᵀ F, where P leaves out what open inputs balance, by whether they hold velocities along Z.
struct MasslessBalance::Split {
  Matrix Z, rows;  // rows = Z P
  Vector force, size;
  Matrix damping;                    // rowsᵀ ∂F/∂v Z
  Matrix left, undamped_rows, free;  // L, rows L and directions Z R with Lᵀ D = 0, D R = 0
};

MasslessBalance::MasslessBalance(const System& system, const Equations& e, std::span<const Reference> references)
    : forces_(system, e.dynamics, references),
      sizes_(system, term_sizes(e.dynamics), references),
      stiffness_(system, dense(jacobian(e.dynamics, e.q)), references),
      damping_(system, dense(jacobian(e.dynamics, e.v)), references),
      rate_(system, rate_of(system, e), references),
      directions_(system, directions_of_inputs(system), references),
      inputs_(system.inputs.size()) {
  for (const Variable& x : system.coordinates) names_.push_back(x.name());
}

void MasslessBalance::set_parameters(std::span<const double> values) {
  for (StateFunction* f : {&forces_, &sizes_, &stiffness_, &damping_, &rate_, &directions_}) f->set_parameters(values);
}

Matrix MasslessBalance::directions(const Matrix& mass, const Matrix& gradient) {
  Matrix both(mass.rows() + gradient.rows(), mass.cols());
  both << mass, gradient;
  return null_space(both);
}

MasslessBalance::Split MasslessBalance::split(const State& s, std::span<const double> u, const Matrix& Z,
                                              bool open_inputs) {
  const Eigen::Index n = Z.rows();
  Split p;
  p.Z = Z;
  p.rows = Z;
  if (open_inputs && inputs_ > 0)
    p.rows =
        Z * null_space(between(Z, square(directions_(s), n),
                               Matrix::Identity(static_cast<Eigen::Index>(inputs_), static_cast<Eigen::Index>(inputs_)))
                           .transpose());
  p.force = p.rows.transpose() * vector(forces_(s, u));
  p.size = p.rows.cwiseAbs().transpose() * vector(sizes_(s, u));
  p.damping = between(p.rows, square(damping_(s, u), n), Z);
  const Svd d = svd(p.damping);
  Eigen::Index rank = 0;
  while (rank < d.values.size() && d.values[rank] > 0.0 && d.values[rank] > regular_damping * d.values[0]) ++rank;
  p.left = d.U.rightCols(d.U.cols() - rank);
  p.undamped_rows = p.rows * p.left;
  p.free = Z * d.V.rightCols(d.V.cols() - rank);
  return p;
}

MasslessBalance::Imbalance MasslessBalance::worst(const Split& p, const Vector& along) const {
  Imbalance found;
  for (Eigen::Index i = 0; i < along.size(); ++i) {
    const double relative = p.size[i] > 0.0 ? std::abs(along[i]) / p.size[i] : 0.0;
    if (relative <= found.relative) continue;
    Eigen::Index most = 0;
    p.rows.col(i).cwiseAbs().maxCoeff(&most);
    found = {relative, names_[static_cast<std::size_t>(most)]};
  }
  return found;
}

MasslessBalance::Imbalance MasslessBalance::imbalance(const State& s, std::span<const double> u, const Matrix& Z) {
  if (Z.cols() == 0) return {};
  Split p = split(s, u, Z, false);
  // Rows in which everything is noise are measured by what a small part of the largest coordinate would do.
  constexpr double small_part = 1e-8;
  const Vector q = vector(s.q);
  const double largest = q.size() > 0 ? q.cwiseAbs().maxCoeff() : 0.0;
  p.size += small_part * largest * (p.rows.transpose() * square(stiffness_(s, u), Z.rows())).cwiseAbs().rowwise().sum();
  return worst(p, p.force);
}

MasslessBalance::Imbalance MasslessBalance::settle(State& s, const Inputs& inputs,
                                                   const std::function<Matrix(const State&)>& find_directions,
                                                   const std::function<void(State&)>& complete) {
  const Matrix Z = find_directions(s);
  if (Z.cols() == 0) return {};
  // Terms that vanish in balance are measured by what they were on the way there.
  Vector seen;
  auto look = [&] {
    Split p = split(s, inputs.u, find_directions(s), inputs.u.empty());
    seen = seen.size() == p.size.size() ? Vector(seen.cwiseMax(p.size)) : p.size;
    p.size = seen;
    return p;
  };
  Split p = look();
  Imbalance now = worst(p, p.force);
  for (int k = 0; k < max_balance_corrections && now.relative > balanced; ++k) {
    // What damping holds follows by velocities, the rest by positions.
    constexpr double careful = 0.3;  // of the largest coordinate
    const Matrix K = between(p.undamped_rows, square(stiffness_(s, inputs.u), Z.rows()), p.free);
    const Vector speeds = p.Z * least_norm(p.damping, -p.force);
    const Shift by =
        shift_towards_balance(K, p.left.transpose() * p.force, careful * vector(s.q).cwiseAbs().maxCoeff());
    const Vector shift = p.free * by.step;
    const State before = s;
    Imbalance after = now;
    bool better = false;
    for (double length = 1.0; length > 1e-3 && !better; length *= 0.5) {
      s = before;
      move(s.q, length * shift);
      move(s.v, length * speeds);
      complete(s);
      p = look();
      if (!p.force.allFinite()) continue;
      after = worst(p, p.force);
      better = after.relative < now.relative || (by.downhill && shift.dot(p.rows * p.force) < 0.0);
    }
    if (!better) {
      s = before;
      p = look();
      break;
    }
    now = after;
  }
  settle_velocities(s, inputs, p, complete);
  return now;
}

// The hidden constraints stay satisfied: Lᵀ Zᵀ dF/dt = 0.
void MasslessBalance::settle_velocities(State& s, const Inputs& inputs, const Split& p,
                                        const std::function<void(State&)>& complete) {
  const Eigen::Index n = p.Z.rows();
  const Matrix K = between(p.undamped_rows, square(stiffness_(s, inputs.u), n), p.free);
  if (K.size() == 0 || K.isZero(0.0)) return;
  constexpr int enough = 6;  // linear where the velocities do not enter forces
  for (int k = 0; k < enough; ++k) {
    Vector rate = vector(rate_(s, inputs.u));
    if (!inputs.rate.empty())
      rate -= square(directions_(s), n) *
              Eigen::Map<const Vector>(inputs.rate.data(), static_cast<Eigen::Index>(inputs.rate.size()));
    const Vector step = p.free * least_norm(K, -p.undamped_rows.transpose() * rate);
    double size = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < s.v.size(); ++i) {
      size = std::max(size, std::abs(s.v[i]));
      largest = std::max(largest, std::abs(step[static_cast<Eigen::Index>(i)]));
    }
    if (largest <= balanced * size || largest == 0.0) return;
    move(s.v, step);
    complete(s);
  }
}

}  // namespace invar
