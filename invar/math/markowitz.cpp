// See markowitz.h. The elimination is carried out on the way: later pivots depend on what is left of the numbers.
#include "invar/math/markowitz.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace invar {
namespace {

constexpr double least_pivot = 0.1;       // of the largest entry left in its column
constexpr std::size_t columns_tried = 4;  // those with the fewest entries

class Remainder {
 public:
  Remainder(const Pattern& pattern, std::span<const double> values)
      : rows_(static_cast<std::size_t>(pattern.rows)),
        cols_(static_cast<std::size_t>(pattern.cols)),
        place_(static_cast<std::size_t>(pattern.cols), -1) {
    for (int j = 0; j < pattern.cols; ++j) {
      for (int e = pattern.start[j]; e < pattern.start[j + 1]; ++e) {
        rows_[pattern.row[e]].push_back({j, values[e]});
        cols_[j].push_back(pattern.row[e]);
      }
      open_.emplace(cols_[j].size(), j);
    }
  }

  // Removes the row and the column of the best pivot. False if there is none.
  bool eliminate(EliminationOrder& order) {
    const auto [row, col] = best();
    if (row < 0) return false;
    EliminationOrder::Pivot pivot{row, col, {}, {}};
    const std::vector<Entry> pivot_row = rows_[row];
    const double value = at(row, col);
    for (const Entry& e : pivot_row) {
      open_.erase({cols_[e.col].size(), e.col});
      std::erase(cols_[e.col], row);
      if (e.col != col) pivot.cols.push_back(e.col);
    }
    rows_[row].clear();
    for (const int r : cols_[col]) {
      pivot.rows.push_back(r);
      subtract(r, pivot_row, col, at(r, col) / value);
    }
    for (const int c : pivot.cols) open_.emplace(cols_[c].size(), c);
    order.work += 2.0 * static_cast<double>(pivot.rows.size()) * static_cast<double>(pivot.cols.size() + 1);
    order.pivots.push_back(std::move(pivot));
    return true;
  }

 private:
  struct Entry {
    int col;
    double value;
  };
  struct Place {
    int row = -1, col = -1;
  };

  double at(int row, int col) const { return std::ranges::find(rows_[row], col, &Entry::col)->value; }

  Place best() const {
    Place result;
    std::size_t cheapest = std::numeric_limits<std::size_t>::max(), tried = 0;
    double largest_so_far = 0.0;
    for (const auto& [count, col] : open_) {
      if (tried++ == columns_tried || cheapest == 0) break;
      double largest = 0.0;
      for (const int r : cols_[col]) largest = std::max(largest, std::abs(at(r, col)));
      if (!(largest > 0.0)) return {};
      const std::size_t others = count - 1;
      for (const int r : cols_[col]) {
        const double size = std::abs(at(r, col)) / largest;
        const std::size_t cost = others * (rows_[r].size() - 1);
        if (size < least_pivot || cost > cheapest || (cost == cheapest && size <= largest_so_far)) continue;
        cheapest = cost, largest_so_far = size, result = {r, col};
      }
    }
    return result;
  }

  void subtract(int row, const std::vector<Entry>& from, int col, double factor) {
    std::vector<Entry>& to = rows_[row];
    std::erase_if(to, [col](const Entry& e) { return e.col == col; });
    for (std::size_t k = 0; k < to.size(); ++k) place_[to[k].col] = static_cast<int>(k);
    const std::size_t before = to.size();
    for (const Entry& e : from) {
      if (e.col == col) continue;
      if (place_[e.col] >= 0) {
        to[place_[e.col]].value -= factor * e.value;
      } else {
        to.push_back({e.col, -factor * e.value});
        cols_[e.col].push_back(row);
      }
    }
    for (std::size_t k = 0; k < before; ++k) place_[to[k].col] = -1;
  }

  std::vector<std::vector<Entry>> rows_;
  std::vector<std::vector<int>> cols_;
  std::set<std::pair<std::size_t, int>> open_;  // columns that are left, by their entries
  std::vector<int> place_;                      // in the row at hand, by column
};

// The steps that each step has to wait for, ascending: those that change its row or its column.
std::vector<std::vector<std::size_t>> steps_before(const EliminationOrder& order) {
  const std::size_t n = order.pivots.size();
  std::vector<std::size_t> step_of_row(n), step_of_col(n);
  for (std::size_t k = 0; k < n; ++k) {
    step_of_row[static_cast<std::size_t>(order.pivots[k].row)] = k;
    step_of_col[static_cast<std::size_t>(order.pivots[k].col)] = k;
  }
  std::vector<std::vector<std::size_t>> before(n);
  const auto note = [&before](std::size_t later, std::size_t k) {
    if (before[later].empty() || before[later].back() != k) before[later].push_back(k);
  };
  for (std::size_t k = 0; k < n; ++k) {
    for (const int r : order.pivots[k].rows) note(step_of_row[static_cast<std::size_t>(r)], k);
    for (const int c : order.pivots[k].cols) note(step_of_col[static_cast<std::size_t>(c)], k);
  }
  return before;
}

}  // namespace

void bring_together(EliminationOrder& order) {
  const std::vector<std::vector<std::size_t>> before = steps_before(order);
  std::vector<std::size_t> next(before.size(), 0), open;  // of `before`, that was not looked at yet
  std::vector<bool> done(before.size(), false);
  std::vector<EliminationOrder::Pivot> pivots;
  pivots.reserve(before.size());
  for (std::size_t root = before.size(); root-- > 0;) {
    open.push_back(root);
    while (!open.empty()) {
      const std::size_t k = open.back();
      if (!done[k] && next[k] < before[k].size()) {
        open.push_back(before[k][next[k]++]);
        continue;
      }
      open.pop_back();
      if (done[k]) continue;
      done[k] = true;
      pivots.push_back(std::move(order.pivots[k]));
    }
  }
  order.pivots = std::move(pivots);
}

std::optional<EliminationOrder> markowitz_order(const Pattern& pattern, std::span<const double> values, double most) {
  Remainder remainder(pattern, values);
  EliminationOrder order;
  for (int k = 0; k < pattern.cols; ++k)
    if (!remainder.eliminate(order) || order.work > most) return std::nullopt;
  return order;
}

}  // namespace invar
