// See rest_point.h.
#include "invar/dae/rest_point.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

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

// ∂f^(m)/∂x^(n) for rows and columns of such a shape, by entries: their places are found once.
class RestArray {
 public:
  RestArray(const JetEvaluator& evaluator, const ArrayShape& shape) : shape_(shape) {
    const auto places = [](const std::vector<Derivative>& list, std::size_t count) {
      std::vector<std::array<Eigen::Index, orders>> place(count, {-1, -1});
      for (std::size_t z = 0; z < list.size(); ++z)
        place[at_index(list[z].index)][at_index(list[z].order)] = static_cast<Eigen::Index>(z);
      return place;
    };
    for (const Derivative& row : shape.rows) highest_ = std::max(highest_, row.order);
    const auto row = places(shape.rows, evaluator.size()), column = places(shape.columns, evaluator.size());
    for (std::size_t k = 0; k < evaluator.partial_list().size(); ++k) {
      const Partial& p = evaluator.partial_list()[k];
      const auto r = at_index(p.order);
      for (std::size_t m = 0; m < orders; ++m)
        for (std::size_t n = r; n < orders && n - r <= m; ++n)  // binomial coefficients of orders below two are one
          if (const auto i = row[at_index(p.equation)][m], j = column[at_index(p.unknown)][n]; i >= 0 && j >= 0)
            terms_.push_back({i, j, k, static_cast<Eigen::Index>(m - n + r)});
    }
    std::ranges::sort(terms_, {}, [](const Term& t) { return std::pair(t.column, t.row); });
    for (const Term& t : terms_) {
      const bool next = entries_.empty() || entries_.back().row != t.row || entries_.back().column != t.column;
      if (next) entries_.push_back({t.row, t.column, 0.0});
      entry_.push_back(entries_.size() - 1);
    }
    pattern_.rows = static_cast<int>(shape.rows.size());
    pattern_.cols = static_cast<int>(shape.columns.size());
    pattern_.start.assign(shape.columns.size() + 1, 0);
    for (const ArrayEntry& e : entries_) {
      pattern_.row.push_back(static_cast<int>(e.row));
      ++pattern_.start[static_cast<std::size_t>(e.column + 1)];
    }
    std::partial_sum(pattern_.start.begin(), pattern_.start.end(), pattern_.start.begin());
  }

  // In balanced units, without noise; false if something is not finite.
  bool evaluate(JetEvaluator& evaluator, const Jet& jet) {
    for (ArrayEntry& e : entries_) e.value = 0.0;
    evaluator.partials(jet, highest_, partials_);
    for (std::size_t t = 0; t < terms_.size(); ++t)
      entries_[entry_[t]].value += partials_(static_cast<Eigen::Index>(terms_[t].partial), terms_[t].order);
    if (!std::ranges::all_of(entries_, [](const ArrayEntry& e) { return std::isfinite(e.value); })) return false;
    scale_ = array_scale(entries_, shape_, 1.0);
    Vector largest = Vector::Zero(pattern_.rows);
    for (ArrayEntry& e : entries_) {
      e.value *= scale_.row[e.row] * scale_.column[e.column];
      largest[e.row] = std::max(largest[e.row], std::abs(e.value));
    }
    for (ArrayEntry& e : entries_)
      if (std::abs(e.value) < entry_noise * largest[e.row]) e.value = 0.0;
    return true;
  }

  const ArrayScale& scale() const { return scale_; }

  // Of the sizes of the terms of a row with such unknowns, the largest sum.
  double largest_terms(const Vector& x) const {
    Vector sum = Vector::Zero(pattern_.rows);
    for (const ArrayEntry& e : entries_) sum[e.row] += std::abs(e.value * x[e.column]);
    return sum.maxCoeff();
  }

  // The shortest y with B y = b: where B is large and clearly regular, there is but one, found by sparse elimination.
  Vector shortest(const Vector& b) {
    constexpr int large = 40;
    constexpr double regular = 1e-7, solved = 1e-9;
    if (pattern_.rows != pattern_.cols || pattern_.rows < large) return shortest_of_many(b);
    if (!solver_) solver_.emplace(pattern_, LinearSolver::Kind::any_pivots);
    values_.clear();
    for (const ArrayEntry& e : entries_) values_.push_back(e.value);
    if (!solver_->factor(values_) || solver_->reciprocal_condition() < regular) return shortest_of_many(b);
    Vector y = b, left = b;
    solver_->solve({y.data(), static_cast<std::size_t>(y.size())});
    for (const ArrayEntry& e : entries_) left[e.row] -= e.value * y[e.column];
    return left.norm() <= solved * b.norm() ? y : shortest_of_many(b);
  }

 private:
  static constexpr std::size_t orders = 2;
  struct Term {
    Eigen::Index row, column;
    std::size_t partial;
    Eigen::Index order;  // of its time derivative
  };

  Vector shortest_of_many(const Vector& b) const {
    Matrix B = Matrix::Zero(pattern_.rows, pattern_.cols);
    for (const ArrayEntry& e : entries_) B(e.row, e.column) = e.value;
    return least_norm(B, b, array_rank_tolerance);
  }

  const ArrayShape& shape_;
  int highest_ = 0;  // order of a row
  std::vector<Term> terms_;
  std::vector<std::size_t> entry_;  // of each term
  std::vector<ArrayEntry> entries_;
  Pattern pattern_;
  Matrix partials_;
  ArrayScale scale_;
  std::optional<LinearSolver> solver_;
  std::vector<double> values_;
};

// An iteration of its own, not math/newton.h: at rest equations may depend on each other and leave unknowns open, and
// the shortest step is taken.
JetResult solve(JetEvaluator& evaluator, Jet& jet, bool steady) {
  constexpr int max_iterations = 50, halvings = 8;
  constexpr double converged = 1e-12;
  // A start is kept if what is left of its equations is rounding; later steps that no longer shrink are rounding too.
  constexpr double rounding = 1e-13, small_step = 1e-7, shrinks = 0.5;
  const ArrayShape shape = unknowns_and_rows(evaluator, steady);
  RestArray array(evaluator, shape);
  Vector x = values(jet, shape);
  const auto at = [&](const Vector& place) {
    put(place, shape, jet);
    return residual_rows(evaluator, jet, shape.rows);
  };
  JetResult result;
  double before = 1e300;
  for (result.iterations = 1; result.iterations <= max_iterations; ++result.iterations) {
    Vector r = at(x);
    if (!array.evaluate(evaluator, jet) || !r.allFinite()) return result;
    const ArrayScale& scale = array.scale();
    r = r.cwiseProduct(scale.row);
    const double terms = array.largest_terms(x.cwiseQuotient(scale.column));
    Eigen::Index worst = 0;
    const double largest = r.cwiseAbs().maxCoeff(&worst);
    result.worst_equation = shape.rows[static_cast<std::size_t>(worst)].index;
    if (result.iterations == 1 && largest <= rounding * terms) return {JetResult::Status::converged, 0, 0.0, -1};
    const Vector y = array.shortest(-r);
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
