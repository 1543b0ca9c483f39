// See newton_line.h.
#include "invar/math/newton_line.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "invar/math/markowitz.h"
#include "invar/tape/straight_line.h"

namespace invar {

namespace {

using Value = StraightLine::Value;

// A fraction of what LinearSolver calls noise, since the sizes of rows and columns are those of another place.
constexpr double most_loss_of_rows = 1.0 / 64;

// How many lines are tried, how long one may be, and how many solutions it may fail.
constexpr int most_lines = 3;
constexpr double most_line_work = 1e4;
constexpr int failures_at_first = 16, served_per_failure = 8;

class LineElimination {
 public:
  LineElimination(const Function& residual, const Pattern& pattern, std::size_t first_unknown)
      : line_(residual), pattern_(pattern), first_(first_unknown), rows_(pattern.rows), x_(pattern.cols) {
    const auto n = static_cast<std::size_t>(pattern.rows);
    for (std::size_t i = 0; i < n; ++i) right_.push_back(line_.negate(line_.output(i)));
    for (int j = 0; j < pattern.cols; ++j)
      for (int e = pattern.start[j]; e < pattern.start[j + 1]; ++e)
        rows_[pattern.row[e]][j] = line_.output(n + static_cast<std::size_t>(e));
    jacobian_ = rows_;
  }

  Function result(const EliminationOrder& order, std::span<const double> column_size, std::span<const double> row_size);
  Function correction(const EliminationOrder& order, std::span<const double> column_size,
                      std::span<const double> row_size);

 private:
  Value solve(const EliminationOrder& order, std::span<const double> column_size, std::span<const double> row_size);
  void eliminate(const EliminationOrder::Pivot& pivot);
  void add_product(Value& sum, Value a, Value b) { sum = line_.add(sum, line_.multiply(a, b)); }
  void subtract_product(Value& sum, Value a, Value b) { sum = line_.subtract(sum, line_.multiply(a, b)); }

  StraightLine line_;
  const Pattern& pattern_;
  std::size_t first_;
  std::vector<std::map<int, Value>> rows_, jacobian_;
  std::vector<Value> right_, inverse_, x_;
};

void LineElimination::eliminate(const EliminationOrder::Pivot& pivot) {
  const std::map<int, Value>& from = rows_[pivot.row];
  const Value inverse = line_.divide(line_.number(1.0), from.at(pivot.col));
  inverse_.push_back(inverse);
  for (const int r : pivot.rows) {
    const Value factor = line_.multiply(rows_[r].at(pivot.col), inverse);
    for (const int c : pivot.cols)
      subtract_product(rows_[r].try_emplace(c, line_.number(0.0)).first->second, factor, from.at(c));
    subtract_product(right_[r], factor, right_[pivot.row]);
  }
}

// The unknowns; the loss.
Value LineElimination::solve(const EliminationOrder& order, std::span<const double> column_size,
                             std::span<const double> row_size) {
  for (const EliminationOrder::Pivot& pivot : order.pivots) eliminate(pivot);
  Value loss = line_.number(0.0);
  for (std::size_t k = order.pivots.size(); k-- > 0;) {
    const EliminationOrder::Pivot& pivot = order.pivots[k];
    Value sum = right_[pivot.row];
    for (const int c : pivot.cols) subtract_product(sum, rows_[pivot.row].at(c), x_[c]);
    x_[pivot.col] = line_.multiply(sum, inverse_[k]);
    add_product(loss, line_.number(column_size[pivot.col] * row_size[pivot.row]), line_.abs(inverse_[k]));
  }
  return loss;
}

Function LineElimination::correction(const EliminationOrder& order, std::span<const double> column_size,
                                     std::span<const double> row_size) {
  const Value loss = solve(order, column_size, row_size);
  std::vector<Value> out = x_;
  out.push_back(loss);
  return line_.result(out, "Newton correction");
}

Function LineElimination::result(const EliminationOrder& order, std::span<const double> column_size,
                                 std::span<const double> row_size) {
  const Value loss = solve(order, column_size, row_size);
  std::vector<Value> out, sizes, rests, together;
  for (std::size_t j = 0; j < x_.size(); ++j)
    together.push_back(line_.add(line_.abs(line_.input(first_ + j)), line_.abs(x_[j])));
  for (std::size_t i = 0; i < right_.size(); ++i) {
    out.push_back(line_.output(i));
    Value size = line_.number(0.0), rest = line_.output(i);
    for (const auto& [j, value] : jacobian_[i]) {
      add_product(size, line_.abs(value), together[j]);
      add_product(rest, value, x_[j]);
    }
    sizes.push_back(size);
    rests.push_back(rest);
  }
  for (const std::vector<Value>* part : {&sizes, &x_, &rests}) out.insert(out.end(), part->begin(), part->end());
  out.push_back(loss);
  return line_.result(out, "Newton iteration");
}

}  // namespace

std::optional<Function> newton_line(const Function& residual, const Pattern& pattern, std::size_t first_unknown,
                                    std::span<const double> in, double most) {
  const std::optional<Pivots> p = pivots_at(residual, pattern, in, most);
  if (!p) return std::nullopt;
  return LineElimination(residual, pattern, first_unknown).result(p->order, p->column_size, p->row_size);
}

std::optional<Function> newton_correction(const Function& residual, const Pattern& pattern, std::size_t first_unknown,
                                          std::span<const double> in, double most) {
  const std::optional<Pivots> p = pivots_at(residual, pattern, in, most);
  if (!p) return std::nullopt;
  return LineElimination(residual, pattern, first_unknown).correction(p->order, p->column_size, p->row_size);
}

Function newton_sizes(const Function& residual, const Pattern& pattern, std::size_t first_unknown) {
  StraightLine line(residual);
  const auto n = static_cast<std::size_t>(pattern.rows);
  std::vector<Value> c, g;
  for (std::size_t j = 0; j < n; ++j) c.push_back(line.more_input());
  for (std::size_t j = 0; j < n; ++j) g.push_back(line.more_input());
  std::vector<std::map<std::size_t, Value>> rows(n);
  for (std::size_t j = 0; j < n; ++j)
    for (int e = pattern.start[j]; e < pattern.start[j + 1]; ++e)
      rows[static_cast<std::size_t>(pattern.row[e])].emplace(j, line.output(n + static_cast<std::size_t>(e)));
  std::vector<Value> out;
  const auto add_product = [&](Value& sum, Value a, Value b) { sum = line.add(sum, line.multiply(a, b)); };
  for (std::size_t i = 0; i < n; ++i) {
    Value size = line.number(0.0), typical = line.number(0.0), rest = line.output(i);
    for (const auto& [j, value] : rows[i]) {
      const Value together = line.add(line.abs(line.input(first_unknown + j)), line.abs(c[j]));
      add_product(size, line.abs(value), together);
      add_product(typical, line.abs(value), g[j]);
      add_product(rest, value, c[j]);
    }
    for (const Value v : {line.output(i), size, typical, rest}) out.push_back(v);
  }
  return line.result(out, "sizes of a Newton iteration");
}

bool NewtonLine::serves(double tolerance, std::span<const double> typical) const {
  const double n = static_cast<double>(residual.size());
  if (!(loss <= most_loss_of_rows / (n * std::numeric_limits<double>::epsilon()))) return false;
  bool well = true;
  for (std::size_t i = 0; i < rest.size(); ++i) well = well && std::abs(rest[i]) <= tolerance * (size[i] + typical[i]);
  return well;
}

NewtonLine LearnedLine::at(std::span<double> in, std::span<const double> x) {
  std::copy(x.begin(), x.end(), in.begin() + static_cast<std::ptrdiff_t>(first_));
  (*line_)(in, out_, scratch_);
  return NewtonLine(out_);
}

void LearnedLine::learn(std::span<const double> in, std::span<const double> typical, bool served) {
  if (line_) {
    ++(served ? served_ : failed_);
    if (failed_ > failures_at_first + served_ / served_per_failure) line_.reset();
    return;
  }
  if (lines_ == most_lines || ++solutions_ < after_) return;
  ++lines_;
  solutions_ = served_ = failed_ = 0;
  line_ = newton_line(residual_, pattern_, first_, in, most_line_work);
  if (!line_) return;
  out_.resize(residual_.output_count());
  residual_(in, out_, scratch_);
  typical_rows_.assign(static_cast<std::size_t>(pattern_.rows), 0.0);
  for (int j = 0; j < pattern_.cols; ++j)
    for (int e = pattern_.start[j]; e < pattern_.start[j + 1]; ++e)
      typical_rows_[pattern_.row[e]] += std::abs(out_[static_cast<std::size_t>(pattern_.rows + e)]) * typical[j];
  out_.resize(line_->output_count());
  if (compiler_) line_ = line_->compiled(*compiler_);
}

void LearnedLine::forget() {
  line_.reset();
  solutions_ = lines_ = served_ = failed_ = 0;
}

void LearnedLine::compile(const Compiler& compiler) {
  compiler_ = compiler;
  if (line_) line_ = line_->compiled(compiler);
}

}  // namespace invar
