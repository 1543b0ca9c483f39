// See straight_lu.h. Places: the pivots by step, then the rows of U by step, then the columns of L by step.
#include "invar/math/straight_lu.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "invar/math/markowitz.h"
#include "invar/math/matrix.h"

namespace invar {
namespace {

constexpr double largest_factor = 1e5;  // leaves ten digits of a correction, which the next one brings in

// Right-hand sides that are solved for together: the list is read once for all of them.
template <int Width>
using Some = Eigen::Array<double, Width, 1>;
template <int Width>
Eigen::Map<Some<Width>> some(double* at) {
  return Eigen::Map<Some<Width>>(at);
}
constexpr int widest = 8;

// Calls visit with the first right-hand side of a group and its width as a constant.
template <class Visit>
void for_groups(int count, Visit visit) {
  int first = 0;
  for (; first + widest <= count; first += widest) visit(first, std::integral_constant<int, widest>());
  for (; first + 4 <= count; first += 4) visit(first, std::integral_constant<int, 4>());
  for (; first + 2 <= count; first += 2) visit(first, std::integral_constant<int, 2>());
  for (; first < count; ++first) visit(first, std::integral_constant<int, 1>());
}

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
  std::optional<EliminationOrder> order = markowitz_order(pattern, values, most);
  if (!order) return std::nullopt;
  bring_together(*order);
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

template <int Width>
void StraightLu::solve_some(double* b, int count, double* x) const {
  const List& list = *list_;
  const double* const a = value_.data();
  const auto right = [&](int r) { return some<Width>(b + static_cast<std::ptrdiff_t>(r) * count); };
  const auto found = [&](int c) { return some<Width>(x + static_cast<std::ptrdiff_t>(c) * Width); };
  const std::size_t n = inverse_.size();
  const int* row = list.lower_row.data();
  for (std::size_t k = 0; k < n; ++k) {
    const Some<Width> y = right(list.row[k]);
    for (int e = list.lower[k]; e < list.lower[k + 1]; ++e) right(*row++) -= a[e] * y;
  }
  const int* col = list.upper_col.data() + list.upper_col.size();
  for (std::size_t k = n; k-- > 0;) {
    Some<Width> sum = right(list.row[k]);
    for (int e = list.upper[k + 1]; e-- > list.upper[k];) sum -= a[e] * found(*--col);
    found(list.col[k]) = sum * inverse_[k];
  }
  for (int c = 0; c < static_cast<int>(n); ++c) right(c) = found(c);
}

// By the rows of Uᵀ and Lᵀ: right-hand sides stand by column of A, solutions by row.
template <int Width>
void StraightLu::solve_some_transposed(double* b, int count, double* x) const {
  const List& list = *list_;
  const double* const a = value_.data();
  const auto right = [&](int c) { return some<Width>(b + static_cast<std::ptrdiff_t>(c) * count); };
  const auto found = [&](int r) { return some<Width>(x + static_cast<std::ptrdiff_t>(r) * Width); };
  const std::size_t n = inverse_.size();
  const int* col = list.upper_col.data();
  for (std::size_t k = 0; k < n; ++k) {
    const Some<Width> y = right(list.col[k]) * inverse_[k];
    found(list.row[k]) = y;
    for (int e = list.upper[k]; e < list.upper[k + 1]; ++e) right(*col++) -= a[e] * y;
  }
  const int* row = list.lower_row.data() + list.lower_row.size();
  for (std::size_t k = n; k-- > 0;) {
    Some<Width> sum = found(list.row[k]);
    for (int e = list.lower[k + 1]; e-- > list.lower[k];) sum -= a[e] * found(*--row);
    found(list.row[k]) = sum;
  }
  for (int r = 0; r < static_cast<int>(n); ++r) right(r) = found(r);
}

void StraightLu::solve(std::span<double> b, int count, std::vector<double>& memory) const {
  memory.resize(std::max(memory.size(), inverse_.size() * widest));
  for_groups(count, [&](int first, auto width) { solve_some<width()>(b.data() + first, count, memory.data()); });
}

void StraightLu::solve_transposed(std::span<double> b, int count, std::vector<double>& memory) const {
  memory.resize(std::max(memory.size(), inverse_.size() * widest));
  for_groups(count,
             [&](int first, auto width) { solve_some_transposed<width()>(b.data() + first, count, memory.data()); });
}

double StraightLu::pivot(int column) const { return value_[list_->step_of_col[column]]; }
std::size_t StraightLu::entries() const { return value_.size(); }
double StraightLu::work() const { return list_->work; }

}  // namespace invar
