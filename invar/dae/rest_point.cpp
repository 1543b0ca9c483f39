// See rest_point.h.
#include "invar/dae/rest_point.h"

#include <algorithm>
#include <cmath>

#include "invar/dae/array_rank.h"
#include "invar/math/linear_solver.h"
#include "invar/math/rank.h"

namespace invar {

namespace {

constexpr double holds_to = 1e-8;  // of the largest sum of terms in an equation, all in balanced units

// By unknown: may it move steadily?
std::vector<bool> drifting(const JetEvaluator& evaluator) {
  std::vector<bool> drifts(evaluator.size(), false);
  for (std::size_t j = 0; j < drifts.size(); ++j) drifts[j] = evaluator.highest(j) > 0;
  for (const Partial& p : evaluator.partial_list())
    if (p.order == 0 && evaluator.kind(at_index(p.equation)) != EquationKind::servo)
      drifts[at_index(p.unknown)] = false;
  return drifts;
}

ArrayShape unknowns_and_rows(const JetEvaluator& evaluator, bool steady) {
  ArrayShape shape{{}, {}, evaluator.units()};
  const std::vector<bool> drifts = drifting(evaluator);
  const bool any = std::find(drifts.begin(), drifts.end(), true) != drifts.end();
  for (std::size_t i = 0; i < evaluator.size(); ++i) {
    const int index = static_cast<int>(i);
    shape.rows.push_back({index, 0});
    if (steady && any && evaluator.kind(i) == EquationKind::servo) shape.rows.push_back({index, 1});
    shape.columns.push_back({index, 0});
    if (steady && drifts[i]) shape.columns.push_back({index, 1});
  }
  return shape;
}

Vector values(const Jet& jet, const ArrayShape& shape) {
  Vector x(static_cast<Eigen::Index>(shape.columns.size()));
  for (std::size_t z = 0; z < shape.columns.size(); ++z) {
    const Derivatives& given = jet.x[at_index(shape.columns[z].index)];
    const std::size_t order = at_index(shape.columns[z].order);
    x[static_cast<Eigen::Index>(z)] = order < given.size() ? given[order] : 0.0;
  }
  return x;
}

void put(const Vector& x, const ArrayShape& shape, Jet& jet) {
  for (std::size_t z = 0; z < shape.columns.size(); ++z) {
    const auto [j, order] = shape.columns[z];
    jet.x[at_index(j)].resize(at_index(order) + 1);
    jet.x[at_index(j)][at_index(order)] = x[static_cast<Eigen::Index>(z)];
  }
}

// The shortest y with B y = b: where B is large and clearly regular, there is but one, found by sparse elimination.
Vector shortest(const Matrix& B, const Vector& b) {
  constexpr Eigen::Index large = 40;
  constexpr double regular = 1e-7, solved = 1e-9;
  if (B.rows() != B.cols() || B.rows() < large) return least_norm(B, b, array_rank_tolerance);
  Pattern pattern;
  pattern.rows = pattern.cols = static_cast<int>(B.rows());
  std::vector<double> values;
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    for (Eigen::Index i = 0; i < B.rows(); ++i)
      if (B(i, j) != 0.0) {
        pattern.row.push_back(static_cast<int>(i));
        values.push_back(B(i, j));
      }
    pattern.start.push_back(static_cast<int>(pattern.row.size()));
  }
  LinearSolver solver(pattern, LinearSolver::Kind::any_pivots);
  if (!solver.factor(values) || solver.reciprocal_condition() < regular) return least_norm(B, b, array_rank_tolerance);
  Vector y = b;
  solver.solve({y.data(), static_cast<std::size_t>(y.size())});
  return (B * y - b).norm() <= solved * b.norm() ? y : least_norm(B, b, array_rank_tolerance);
}

// An iteration of its own, not math/newton.h: at rest equations may depend on each other and leave unknowns open, and
// the shortest step is taken.
JetResult solve(JetEvaluator& evaluator, Jet& jet, bool steady) {
  constexpr int max_iterations = 50, halvings = 8;
  constexpr double converged = 1e-12;
  // A start is kept if what is left of its equations is rounding; later steps that no longer shrink are rounding too.
  constexpr double rounding = 1e-13, small_step = 1e-7, shrinks = 0.5;
  const ArrayShape shape = unknowns_and_rows(evaluator, steady);
  Vector x = values(jet, shape);
  const auto at = [&](const Vector& place) {
    put(place, shape, jet);
    return residual_rows(evaluator, jet, shape.rows);
  };
  JetResult result;
  double before = 1e300;
  for (result.iterations = 1; result.iterations <= max_iterations; ++result.iterations) {
    Vector r = at(x);
    const Matrix A = evaluator.array(jet, shape.rows, shape.columns);
    if (!A.allFinite() || !r.allFinite()) return result;
    const ArrayScale scale = array_scale(A, shape, 1.0);
    r = r.cwiseProduct(scale.row);
    const Matrix B = scaled(A, scale);
    const double terms = (B.cwiseAbs() * x.cwiseQuotient(scale.column).cwiseAbs()).maxCoeff();
    Eigen::Index worst = 0;
    const double largest = r.cwiseAbs().maxCoeff(&worst);
    result.worst_equation = shape.rows[static_cast<std::size_t>(worst)].index;
    if (result.iterations == 1 && largest <= rounding * terms) return {JetResult::Status::converged, 0, 0.0, -1};
    const Vector y = shortest(B, -r);
    result.error = y.norm() / std::max(x.cwiseQuotient(scale.column).norm(), 1e-30);
    Vector step = scale.column.cwiseProduct(y);
    const bool stays = result.error < small_step && result.error > shrinks * before;
    before = result.error;
    if (y.norm() == 0.0 || result.error < converged || stays) {
      x += step;
      at(x);
      if (largest <= holds_to * terms) result = {JetResult::Status::converged, result.iterations, result.error, -1};
      return result;
    }
    for (int k = 0; k < halvings && !(at(x + step).cwiseProduct(scale.row).norm() <= 2.0 * r.norm()); ++k) step *= 0.5;
    x += step;
  }
  return result;
}

}  // namespace

JetResult frozen_point(JetEvaluator& evaluator, Jet& jet) { return solve(evaluator, jet, false); }

JetResult rest_point(JetEvaluator& evaluator, Jet& jet) {
  Jet trial = jet;
  const JetResult result = solve(evaluator, trial, true);
  if (result.status != JetResult::Status::converged) return frozen_point(evaluator, jet);
  jet = std::move(trial);
  return result;
}

bool is_steady(JetEvaluator& evaluator, const Jet& rest, double from, double to) {
  constexpr int orders = 4, samples = 32;
  constexpr double still = 1e-6;  // of what the references do to an equation in the whole span
  Matrix f, at_rest;
  evaluator.residuals(rest, orders, at_rest);
  Vector range = Vector::Zero(at_rest.rows());
  Jet later = rest;
  for (int k = 0; k <= samples; ++k) {
    later.t = from + (to - from) * k / samples;
    evaluator.residuals(later, 0, f);
    range = range.cwiseMax((f.col(0) - at_rest.col(0)).cwiseAbs());
  }
  double factor = 1.0;
  for (int m = 1; m <= orders; ++m) {
    factor *= (to - from) / m;
    for (Eigen::Index i = 0; i < range.size(); ++i)
      if (factor * std::abs(at_rest(i, m)) > still * range[i]) return false;
  }
  return true;
}

}  // namespace invar
