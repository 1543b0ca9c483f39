// See newton_parts.h.
#include "invar/device/newton_parts.h"

#include <map>

#include "invar/math/markowitz.h"
#include "invar/tape/straight_line.h"

namespace invar {

namespace {

class PartElimination {
 public:
  using Value = StraightLine::Value;

  PartElimination(const Function& residual, const Pattern& pattern, const Pivots& pivots)
      : line_(residual),
        pivots_(pivots),
        rows_(pattern.rows),
        x_(pattern.cols),
        rank_of_row_(pattern.rows),
        rank_of_col_(pattern.cols) {
    const auto n = static_cast<std::size_t>(pattern.rows);
    for (std::size_t i = 0; i < n; ++i) right_.push_back(line_.negate(line_.output(i)));
    for (int j = 0; j < pattern.cols; ++j)
      for (int e = pattern.start[j]; e < pattern.start[j + 1]; ++e)
        rows_[pattern.row[e]][j] = line_.output(n + static_cast<std::size_t>(e));
    for (Value& c : x_) c = line_.more_input();
    const std::vector<EliminationOrder::Pivot>& all = pivots.order.pivots;
    for (std::size_t k = 0; k < all.size(); ++k) rank_of_row_[all[k].row] = rank_of_col_[all[k].col] = k;
  }

  // Solves for the unknowns of pivots [first, last); those of later ones are known.
  NewtonPart part(std::size_t first, std::size_t last);

 private:
  void put_right(std::size_t last);
  void eliminate(std::size_t k, std::size_t last);
  void subtract_product(Value& sum, Value a, Value b) { sum = line_.subtract(sum, line_.multiply(a, b)); }

  StraightLine line_;
  const Pivots& pivots_;
  std::vector<std::map<int, Value>> rows_;
  std::vector<Value> right_, inverse_, x_;
  std::vector<std::size_t> rank_of_row_, rank_of_col_;
};

void PartElimination::put_right(std::size_t last) {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (rank_of_row_[r] >= last) continue;
    for (auto e = rows_[r].begin(); e != rows_[r].end();) {
      if (rank_of_col_[e->first] < last) {
        ++e;
        continue;
      }
      subtract_product(right_[r], e->second, x_[e->first]);
      e = rows_[r].erase(e);
    }
  }
}

void PartElimination::eliminate(std::size_t k, std::size_t last) {
  const EliminationOrder::Pivot& pivot = pivots_.order.pivots[k];
  const std::map<int, Value>& from = rows_[pivot.row];
  const Value inverse = line_.divide(line_.number(1.0), from.at(pivot.col));
  inverse_.push_back(inverse);
  for (const int r : pivot.rows) {
    if (rank_of_row_[r] >= last) continue;
    const Value factor = line_.multiply(rows_[r].at(pivot.col), inverse);
    for (const int c : pivot.cols)
      if (rank_of_col_[c] < last)
        subtract_product(rows_[r].try_emplace(c, line_.number(0.0)).first->second, factor, from.at(c));
    subtract_product(right_[r], factor, right_[pivot.row]);
  }
}

NewtonPart PartElimination::part(std::size_t first, std::size_t last) {
  put_right(last);
  for (std::size_t k = 0; k < last; ++k) eliminate(k, last);
  Value loss = line_.number(0.0);
  std::vector<Value> out;
  std::vector<std::size_t> unknowns;
  for (std::size_t k = last; k-- > first;) {
    const EliminationOrder::Pivot& pivot = pivots_.order.pivots[k];
    Value sum = right_[pivot.row];
    for (const int c : pivot.cols)
      if (rank_of_col_[c] < last) subtract_product(sum, rows_[pivot.row].at(c), x_[c]);
    x_[pivot.col] = line_.multiply(sum, inverse_[k]);
    out.push_back(x_[pivot.col]);
    unknowns.push_back(static_cast<std::size_t>(pivot.col));
    loss = line_.add(loss, line_.multiply(line_.number(pivots_.column_size[pivot.col] * pivots_.row_size[pivot.row]),
                                          line_.abs(inverse_[k])));
  }
  out.push_back(loss);
  return {line_.result(out, "part of a Newton correction"), std::move(unknowns)};
}

}  // namespace

std::vector<NewtonPart> newton_parts(const Function& residual, const Pattern& pattern, std::span<const double> in,
                                     double most, std::size_t parts) {
  const std::optional<Pivots> pivots = pivots_at(residual, pattern, in, most);
  if (!pivots) return {};
  // Groups with about the same number of entries of the upper factor.
  const std::vector<EliminationOrder::Pivot>& all = pivots->order.pivots;
  std::size_t entries = 0, so_far = 0;
  for (const EliminationOrder::Pivot& pivot : all) entries += pivot.cols.size();
  std::vector<std::size_t> ends;
  for (std::size_t k = 0; k < all.size(); ++k) {
    so_far += all[k].cols.size();
    if (so_far * parts >= entries * (ends.size() + 1) && ends.size() + 1 < parts) ends.push_back(k + 1);
  }
  ends.push_back(all.size());
  std::vector<NewtonPart> result;
  for (std::size_t g = ends.size(); g-- > 0;) {
    const std::size_t first = g == 0 ? 0 : ends[g - 1];
    if (first < ends[g]) result.push_back(PartElimination(residual, pattern, *pivots).part(first, ends[g]));
  }
  return result;
}

}  // namespace invar
