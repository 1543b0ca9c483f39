// See straight_lu.h. Places: the pivots by step, then the rows of U by step, then the columns of L by step.
#include "invar/math/straight_lu.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "invar/math/markowitz.h"

namespace invar {
namespace {

constexpr double largest_factor = 1e5;  // leaves ten digits of a correction, which the next one brings in

}  // namespace

struct StraightLu::List {
  std::vector<int> row, col, step_of_col;  // of the pivots by step, and back
  std::vector<int> upper, lower;           // where the rows of U and the columns of L begin, by step
  std::vector<int> upper_col;              // of the entries of U
  std::vector<int> lower_row;              // of the entries of L
  std::vector<int> target;                 // in the order of the operations
  std::vector<int> place;                  // of the entries of the matrix
  double work = 0.0;

  List(const Pattern& pattern, const EliminationOrder& order);

 private:
  using Row = std::vector<std::pair<int, int>>;  // column and place
  static int find(const Row& in, int column) {
    return std::ranges::lower_bound(in, column, {}, &Row::value_type::first)->second;
  }
};

StraightLu::List::List(const Pattern& pattern, const EliminationOrder& order)
    : step_of_col(order.pivots.size()), work(order.work) {
  const int n = static_cast<int>(order.pivots.size());
  std::vector<Row> rows(order.pivots.size());
  int next = n;
  for (const EliminationOrder::Pivot& pivot : order.pivots) {
    const int step = static_cast<int>(row.size());
    row.push_back(pivot.row);
    col.push_back(pivot.col);
    step_of_col[pivot.col] = step;
    upper.push_back(next);
    rows[pivot.row].emplace_back(pivot.col, step);
    for (const int c : pivot.cols) {
      upper_col.push_back(c);
      rows[pivot.row].emplace_back(c, next++);
    }
  }
  upper.push_back(next);
  for (const EliminationOrder::Pivot& pivot : order.pivots) {
    lower.push_back(next);
    for (const int r : pivot.rows) {
      lower_row.push_back(r);
      rows[r].emplace_back(pivot.col, next++);
    }
  }
  lower.push_back(next);
  for (Row& entries : rows) std::ranges::sort(entries);
  for (const EliminationOrder::Pivot& pivot : order.pivots)
    for (const int r : pivot.rows)
      for (const int c : pivot.cols) target.push_back(find(rows[r], c));
  for (int j = 0; j < pattern.cols; ++j)
    for (int e = pattern.start[j]; e < pattern.start[j + 1]; ++e) place.push_back(find(rows[pattern.row[e]], j));
}

std::optional<StraightLu> StraightLu::make(const Pattern& pattern, std::span<const double> values, double most) {
  const std::optional<EliminationOrder> order = markowitz_order(pattern, values, most);
  if (!order) return std::nullopt;
  return StraightLu(std::make_shared<const List>(pattern, *order));
}

StraightLu::StraightLu(std::shared_ptr<const List> list)
    : list_(std::move(list)),
      value_(static_cast<std::size_t>(list_->lower.back())),
      inverse_(list_->row.size()),
      solution_(list_->row.size()) {}

bool StraightLu::factor(std::span<const double> values, std::span<const double> smallest_pivot) {
  const List& list = *list_;
  double* const a = value_.data();
  std::ranges::fill(value_, 0.0);
  for (std::size_t e = 0; e < values.size(); ++e) a[list.place[e]] = values[e];
  const int* target = list.target.data();
  double largest = 0.0;
  for (std::size_t k = 0; k < inverse_.size(); ++k) {
    if (!(std::abs(a[k]) > smallest_pivot[list.col[k]])) return false;
    const double inverse = inverse_[k] = 1.0 / a[k];
    const double* const u = a + list.upper[k];
    const int count = list.upper[k + 1] - list.upper[k];
    for (int e = list.lower[k]; e < list.lower[k + 1]; ++e, target += count) {
      const double factor = a[e] *= inverse;
      largest = std::max(largest, std::abs(factor));
      for (int c = 0; c < count; ++c) a[target[c]] -= factor * u[c];
    }
  }
  return largest <= largest_factor;
}

void StraightLu::solve(std::span<double> b) const {
  const List& list = *list_;
  const double* const a = value_.data();
  const std::size_t n = inverse_.size();
  const int* row = list.lower_row.data();
  for (std::size_t k = 0; k < n; ++k) {
    const double y = b[list.row[k]];
    for (int e = list.lower[k]; e < list.lower[k + 1]; ++e) b[*row++] -= a[e] * y;
  }
  const int* col = list.upper_col.data() + list.upper_col.size();
  for (std::size_t k = n; k-- > 0;) {
    double sum = b[list.row[k]];
    for (int e = list.upper[k + 1]; e-- > list.upper[k];) sum -= a[e] * solution_[*--col];
    solution_[list.col[k]] = sum * inverse_[k];
  }
  std::ranges::copy(solution_, b.begin());
}

double StraightLu::pivot(int column) const { return value_[list_->step_of_col[column]]; }
std::size_t StraightLu::entries() const { return value_.size(); }
double StraightLu::work() const { return list_->work; }

}  // namespace invar
