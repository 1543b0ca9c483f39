// See line_error.h.
#include "invar/model/flexible/line_error.h"

#include <algorithm>

#include "invar/math/linear_solver.h"

namespace invar {
namespace {

// Entries column by column, from rows that may come in any order.
class BandedRows {
 public:
  explicit BandedRows(Eigen::Index size) : columns_(static_cast<std::size_t>(size)) {}

  void add(Eigen::Index row, Eigen::Index col, double value) {
    columns_[static_cast<std::size_t>(col)].emplace_back(static_cast<int>(row), value);
  }
  // False if the matrix is singular.
  bool solve(std::span<double> b) {
    Pattern pattern;
    pattern.rows = pattern.cols = static_cast<int>(columns_.size());
    std::vector<double> values;
    for (auto& column : columns_) {
      std::ranges::sort(column);
      for (const auto& [row, value] : column) pattern.row.push_back(row), values.push_back(value);
      pattern.start.push_back(static_cast<int>(pattern.row.size()));
    }
    LinearSolver solver(pattern, LinearSolver::Kind::sparse);
    if (!solver.factor(values)) return false;
    solver.solve(b);
    return true;
  }

 private:
  std::vector<std::vector<std::pair<int, double>>> columns_;
};

// Zero where nothing says how far.
double displacement_with(const std::vector<LineSegment>& segments, bool first_held, bool last_held) {
  const Eigen::Index n = segments.front().defect.size(), half = n / 2;
  const auto count = static_cast<Eigen::Index>(segments.size());
  BandedRows rows((count + 1) * n);
  Vector x = Vector::Zero((count + 1) * n);
  for (Eigen::Index i = 0; i < half; ++i) {
    rows.add(i, first_held ? i : half + i, 1.0);
    rows.add(half + count * n + i, count * n + (last_held ? i : half + i), 1.0);
  }
  for (Eigen::Index k = 0; k < count; ++k) {
    const LineSegment& s = segments[static_cast<std::size_t>(k)];
    const Eigen::Index top = half + k * n;
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j)
        if (s.transfer(i, j) != 0.0) rows.add(top + i, k * n + j, -s.transfer(i, j));
      rows.add(top + i, (k + 1) * n + i, 1.0);
    }
    x.segment(top, n) = -s.defect;
  }
  if (!x.allFinite() || !rows.solve({x.data(), static_cast<std::size_t>(x.size())})) return 0.0;
  double largest = 0.0;
  for (Eigen::Index k = 0; k <= count; ++k) largest = std::max(largest, x.segment<3>(k * n).norm());
  return largest;
}

}  // namespace

double line_displacement(const std::vector<LineSegment>& segments, LineEnd first, LineEnd last) {
  if (segments.empty()) return 0.0;
  if (first == LineEnd::free && last == LineEnd::free) first = LineEnd::held;
  if (first == LineEnd::free) last = LineEnd::held;
  const bool first_held = first != LineEnd::free;
  double largest = 0.0;
  if (last != LineEnd::free) largest = displacement_with(segments, first_held, true);
  if (last != LineEnd::held) largest = std::max(largest, displacement_with(segments, true, false));
  return largest;
}

}  // namespace invar
