// See sparse_condition.h.
#include "invar/math/sparse_condition.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace invar {

namespace {

Pattern transposed_pattern(const Pattern& pattern) {
  Pattern other{pattern.cols, pattern.rows, {0}, {}};
  for (const std::vector<PatternEntry>& row : by_rows(pattern)) {
    for (const PatternEntry& entry : row) other.row.push_back(entry.col);
    other.start.push_back(static_cast<int>(other.row.size()));
  }
  return other;
}

double sum_of_sizes(std::span<const double> x) {
  return std::accumulate(x.begin(), x.end(), 0.0, [](double sum, double y) { return sum + std::abs(y); });
}

}  // namespace

SparseCondition::SparseCondition(const Pattern& pattern)
    : pattern_(pattern),
      v_(static_cast<std::size_t>(pattern.cols)),
      straight_(pattern, LinearSolver::Kind::sparse),
      transposed_(transposed_pattern(pattern), LinearSolver::Kind::sparse) {
  for (const std::vector<PatternEntry>& row : by_rows(pattern))
    for (const PatternEntry& entry : row) turned_.push_back(entry.place);
}

double SparseCondition::norm_of_inverse() {
  constexpr int most = 5;
  const std::size_t n = v_.size();
  std::fill(v_.begin(), v_.end(), 1.0 / static_cast<double>(n));
  straight_.solve(v_);
  double norm = sum_of_sizes(v_);
  std::size_t place = n;
  for (int k = 1; k < most && n > 1; ++k) {
    sign_.resize(n);
    std::ranges::transform(v_, sign_.begin(), [](double x) { return x < 0.0 ? -1.0 : 1.0; });
    if (k > 1 && sign_ == sign_before_) break;
    v_ = sign_;
    transposed_.solve(v_);
    const auto largest = std::ranges::max_element(v_, {}, [](double x) { return std::abs(x); });
    const auto now = static_cast<std::size_t>(largest - v_.begin());
    if (now == place) break;
    std::ranges::fill(v_, 0.0);
    v_[now] = 1.0;
    straight_.solve(v_);
    const double found = sum_of_sizes(v_);
    if (!(found > norm)) break;
    norm = found;
    place = now;
    sign_before_ = sign_;
  }
  // What such steps may miss.
  for (std::size_t i = 0; i < n; ++i)
    v_[i] = (i % 2 == 0 ? 1.0 : -1.0) * (1.0 + static_cast<double>(i) / std::max(1.0, static_cast<double>(n) - 1.0));
  straight_.solve(v_);
  return std::max(norm, 2.0 * sum_of_sizes(v_) / (3.0 * static_cast<double>(n)));
}

double SparseCondition::reciprocal(std::span<const double> values) {
  if (v_.empty() || !straight_.factor(values)) return 0.0;
  turned_values_.resize(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) turned_values_[k] = values[turned_[k]];
  if (!transposed_.factor(turned_values_)) return 0.0;
  double norm = 0.0;
  for (std::size_t j = 0; j < v_.size(); ++j) {
    const auto first = static_cast<std::size_t>(pattern_.start[j]),
               end = static_cast<std::size_t>(pattern_.start[j + 1]);
    norm = std::max(norm, sum_of_sizes(values.subspan(first, end - first)));
  }
  const double product = norm * norm_of_inverse();
  return std::isfinite(product) && product > 0.0 ? 1.0 / product : 0.0;
}

}  // namespace invar
