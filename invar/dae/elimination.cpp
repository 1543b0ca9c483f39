// See elimination.h. Pivots by the rule of Markowitz: of those that are not small, the one with the fewest other
// entries in its row times those in its column.
#include "invar/dae/elimination.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace invar {

namespace {

constexpr double least_pivot = 0.05;  // of the largest entry of its row, where rows are brought to one first
constexpr double zero = 1e-13;        // likewise; what is smaller is an entry that has cancelled

struct Remaining {
  std::vector<std::size_t> rows, columns;
};

double largest_in_row(const Matrix& a, std::size_t row, const std::vector<std::size_t>& columns) {
  double largest = 0.0;
  for (std::size_t c : columns)
    largest = std::max(largest, std::abs(a(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(c))));
  return largest;
}

// How good is this pivot in its worst sample, relative to its row?
double quality(const std::vector<Matrix>& samples, std::size_t row, std::size_t column,
               const std::vector<std::size_t>& columns) {
  double worst = std::numeric_limits<double>::infinity();
  for (const Matrix& a : samples) {
    const double largest = largest_in_row(a, row, columns);
    if (!(largest > zero)) return 0.0;
    worst = std::min(worst, std::abs(a(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column))) / largest);
  }
  return worst;
}

}  // namespace

std::optional<Elimination> elimination_order(std::vector<Matrix> samples) {
  const auto n = static_cast<std::size_t>(samples.front().rows());
  for (Matrix& a : samples)
    for (Eigen::Index i = 0; i < a.rows(); ++i)
      if (const double largest = a.row(i).cwiseAbs().maxCoeff(); largest > 0.0) a.row(i) /= largest;
  Remaining left;
  for (std::size_t i = 0; i < n; ++i) left.rows.push_back(i), left.columns.push_back(i);
  auto is_entry = [&](std::size_t r, std::size_t c) {
    return std::any_of(samples.begin(), samples.end(), [&](const Matrix& a) {
      return std::abs(a(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c))) > zero;
    });
  };
  Elimination result;
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t best_row = n, best_column = n;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t r : left.rows)
      for (std::size_t c : left.columns) {
        const double q = quality(samples, r, c, left.columns);
        if (q < least_pivot) continue;
        const auto in_row =
            std::count_if(left.columns.begin(), left.columns.end(), [&](auto k) { return is_entry(r, k); });
        const auto in_column =
            std::count_if(left.rows.begin(), left.rows.end(), [&](auto k) { return is_entry(k, c); });
        const double cost = static_cast<double>((in_row - 1) * (in_column - 1)) + 0.5 * (1.0 - q);
        if (cost < best) best = cost, best_row = r, best_column = c;
      }
    if (best_row == n) return std::nullopt;
    result.pivots.emplace_back(best_row, best_column);
    std::erase(left.rows, best_row);
    std::erase(left.columns, best_column);
    const auto pr = static_cast<Eigen::Index>(best_row), pc = static_cast<Eigen::Index>(best_column);
    for (Matrix& a : samples)
      for (std::size_t r : left.rows) {
        const auto i = static_cast<Eigen::Index>(r);
        const double factor = a(i, pc) / a(pr, pc);
        for (std::size_t c : left.columns) {
          const auto k = static_cast<Eigen::Index>(c);
          const double removed = factor * a(pr, k);
          const bool cancelled = std::abs(a(i, k) - removed) < zero * (std::abs(a(i, k)) + std::abs(removed));
          a(i, k) = cancelled ? 0.0 : a(i, k) - removed;
        }
      }
  }
  return result;
}

Exprs solve(const Elimination& order, std::vector<Exprs> a, Exprs b) {
  const std::size_t n = b.size();
  for (std::size_t step = 0; step < n; ++step) {
    const auto [pr, pc] = order.pivots[step];
    for (std::size_t later = step + 1; later < n; ++later) {
      const std::size_t r = order.pivots[later].first;
      if (a[r][pc].is_constant(0.0)) continue;
      const Expr factor = a[r][pc] / a[pr][pc];
      for (std::size_t k = step + 1; k < n; ++k) {
        const std::size_t c = order.pivots[k].second;
        if (!a[pr][c].is_constant(0.0)) a[r][c] -= factor * a[pr][c];
      }
      b[r] -= factor * b[pr];
    }
  }
  Exprs x(n, 0.0);
  for (std::size_t step = n; step-- > 0;) {
    const auto [pr, pc] = order.pivots[step];
    Expr sum = b[pr];
    for (std::size_t k = step + 1; k < n; ++k) {
      const std::size_t c = order.pivots[k].second;
      if (!a[pr][c].is_constant(0.0)) sum -= a[pr][c] * x[c];
    }
    x[pc] = sum / a[pr][pc];
  }
  return x;
}

}  // namespace invar
