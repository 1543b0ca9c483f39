// See zero_dynamics.h.
#include "invar/system/zero_dynamics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/math/rank.h"
#include "invar/math/spectrum.h"
#include "invar/system/array_solver.h"
#include "invar/system/derivative_array.h"

namespace invar {

namespace {

constexpr double undamped = 1e-7;  // a damping ratio below counts as none: the point of rest is not known better

}  // namespace

JetResult rest_point(JetEvaluator& evaluator, Jet& jet) {
  constexpr int max_iterations = 50, halvings = 8;
  constexpr double converged = 1e-12, tolerance = 1e-8;
  ArrayShape shape{{}, {}, evaluator.units()};
  Vector x(static_cast<Eigen::Index>(jet.x.size()));
  for (std::size_t j = 0; j < jet.x.size(); ++j) {
    shape.rows.push_back({static_cast<int>(j), 0});
    shape.columns.push_back({static_cast<int>(j), 0});
    x[static_cast<Eigen::Index>(j)] = jet.x[j].empty() ? 0.0 : jet.x[j][0];
  }
  Matrix f;
  const auto residual = [&](const Vector& at) {
    for (std::size_t j = 0; j < jet.x.size(); ++j) jet.x[j] = {at[static_cast<Eigen::Index>(j)]};
    evaluator.residuals(jet, 0, f);
    return Vector(f.col(0));
  };
  JetResult result;
  for (result.iterations = 1; result.iterations <= max_iterations; ++result.iterations) {
    Vector r = residual(x);
    const Matrix A = evaluator.array(jet, shape.rows, shape.columns);
    if (!A.allFinite() || !r.allFinite()) return result;
    const ArrayScale scale = array_scale(A, shape, 1.0);
    r = r.cwiseProduct(scale.row);
    const Matrix scaled = scale.row.asDiagonal() * A * scale.column.asDiagonal();
    const double terms = (scaled.cwiseAbs() * x.cwiseQuotient(scale.column).cwiseAbs()).maxCoeff();
    const Vector y = least_norm(scaled, -r, array_rank_tolerance);
    result.error = y.norm() / std::max(x.cwiseQuotient(scale.column).norm(), 1e-30);
    Eigen::Index worst = 0;
    const bool holds = r.cwiseAbs().maxCoeff(&worst) <= tolerance * terms;
    result.worst_equation = static_cast<int>(worst);
    Vector step = scale.column.cwiseProduct(y);
    if (y.norm() == 0.0 || result.error < converged) {
      x += step;
      residual(x);
      if (holds) result = {JetResult::Status::converged, result.iterations, result.error, -1};
      return result;
    }
    for (int k = 0; k < halvings && !(residual(x + step).cwiseProduct(scale.row).norm() <= 2.0 * r.norm()); ++k)
      step *= 0.5;
    x += step;
  }
  return result;
}

double real_part_tolerance(const Matrix& A, const std::complex<double>& eigenvalue) {
  const Spectrum all = spectrum(A);
  double tolerance = 0.0, nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    const double distance = std::abs(all.values[i] - eigenvalue);
    if (distance >= nearest) continue;
    nearest = distance;
    tolerance = all.uncertainty[i];
  }
  return std::max(tolerance, undamped * std::abs(eigenvalue));
}

ZeroDynamics::Kind classify(const Matrix& A, const std::vector<std::complex<double>>& eigenvalues) {
  if (eigenvalues.empty()) return ZeroDynamics::Kind::none;
  bool unstable = false, marginal = false;
  for (const std::complex<double>& s : eigenvalues) {
    const double zero = real_part_tolerance(A, s);
    unstable = unstable || s.real() > zero;
    marginal = marginal || std::abs(s.real()) <= zero;
  }
  if (unstable) return ZeroDynamics::Kind::unstable;
  return marginal ? ZeroDynamics::Kind::marginal : ZeroDynamics::Kind::stable;
}

ZeroDynamics linearised(ArraySolver& solver, const Jet& rest) {
  ZeroDynamics result;
  result.states = solver.states();
  Matrix error;
  result.matrix = solver.state_matrix(rest, &error);
  // Entries that cancellation has left of larger terms are zero.
  result.matrix = (result.matrix.cwiseAbs().array() > error.array()).select(result.matrix, 0.0);
  result.eigenvalues = spectrum(result.matrix).values;
  result.kind = classify(result.matrix, result.eigenvalues);
  return result;
}

ZeroDynamics zero_dynamics(const Dae& dae, const Offsets& offsets, int k, const Jet& rest) {
  JetEvaluator evaluator(dae);
  ArraySolver solver(dae, offsets, judge_array(evaluator, offsets, dae, rest, k));
  return linearised(solver, rest);
}

}  // namespace invar
