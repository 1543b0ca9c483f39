// See large_descent.h.
#include "invar/statics/large_descent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/interrupt.h"
#include "invar/expr/lists.h"
#include "invar/math/newton.h"
#include "invar/system/equations.h"

namespace invar {

namespace {

constexpr int most_steps_down = 400;
constexpr double faster = 4.0, slower = 0.125;
constexpr double widest_step = 0.5;     // in sizes of the system
constexpr double shortest_end = 1e-20;  // in units of the first step
constexpr double last_growth = 1e6;     // times the time in which the steps still moved: then the end is tried
constexpr double stands = 1e-6;         // of the size of the system: how far a step moves that hardly moves

class SparseDescent {
 public:
  SparseDescent(const System& system, const State& start, const Vector& unit)
      : e_(equations(system)),
        n_(e_.q.size()),
        m_(e_.lambda.size()),
        unit_(unit),
        potential_(system, {&e_.potential, 1}) {
    const Exprs zero(n_, 0.0);
    const auto resting = [&](const Exprs& f) { return at(e_, f, {e_.t, e_.q, zero, zero, e_.lambda, {}}); };
    const Exprs rows = joined(resting(e_.dynamics), resting(e_.constraint)), unknowns = joined(e_.q, e_.lambda);
    const SparseExprs slope = jacobian(rows, unknowns);
    add_diagonal(slope.pattern);
    function_.emplace(joined(unknowns, parameters(system)), joined(rows, slope.value));
    in_.resize(function_->input_count());
    out_.resize(function_->output_count());
    std::ranges::copy(parameter_values(system), in_.end() - std::ssize(system.parameters));
    z_ = start.q;
    z_.resize(n_ + m_, 0.0);
    size_ = distance(std::vector<double>(n_, 0.0));
    if (size_ == 0.0) size_ = unit_.norm();
  }

  LargeDescent run() {
    LargeDescent result;
    Newton newton(pattern_, {.tolerance = 1e-11, .max_iterations = 12});
    const double first = natural_time();
    double h = first, moved_in = first;
    std::vector<double> next;
    while (result.steps < most_steps_down && h > shortest_end * first) {
      poll_interrupt();
      const bool last = h > last_growth * moved_in;
      next = z_;
      const NewtonResult r = solve(newton, next, last ? 0.0 : 1.0 / h);
      ++result.steps;
      const double way = distance(next);
      if (r.status != NewtonStatus::converged || !is_downhill(next) || way > widest_step * size_) {
        if (last) break;
        h *= slower;
        continue;
      }
      z_ = next;
      if (last) {
        result.settled = true;
        break;
      }
      if (way > stands * size_) moved_in = h;
      h *= faster;
    }
    if (!result.settled) result.reason = fmt::format("no equilibrium was found after {} steps downhill", result.steps);
    result.end = state();
    return result;
  }

 private:
  void add_diagonal(const Pattern& rows) {
    pattern_.rows = pattern_.cols = rows.rows;
    for (int j = 0; j < rows.cols; ++j) {
      bool missing = j < static_cast<int>(n_);
      const auto add_missing = [&](int before) {
        if (!missing || before < j) return;
        if (before > j) pattern_.row.push_back(j), from_.push_back(-1), resistance_.push_back(j);
        missing = false;
      };
      for (int e = rows.start[static_cast<std::size_t>(j)]; e < rows.start[static_cast<std::size_t>(j) + 1]; ++e) {
        const int row = rows.row[static_cast<std::size_t>(e)];
        add_missing(row);
        pattern_.row.push_back(row);
        from_.push_back(e);
        resistance_.push_back(row == j && j < static_cast<int>(n_) ? j : -1);
      }
      add_missing(rows.rows);
      pattern_.start.push_back(static_cast<int>(pattern_.row.size()));
    }
  }

  NewtonResult solve(Newton& newton, std::vector<double>& z, double rate) {
    const std::vector<double> from = z;
    const auto evaluate = [&](std::span<const double> x, std::span<double> f, std::span<double> j) {
      evaluate_at(x);
      std::copy_n(out_.begin(), n_ + m_, f.begin());
      for (std::size_t i = 0; i < n_; ++i) f[i] += weight(i) * rate * (x[i] - from[i]);
      for (std::size_t e = 0; e < j.size(); ++e) {
        j[e] = from_[e] < 0 ? 0.0 : out_[n_ + m_ + static_cast<std::size_t>(from_[e])];
        if (resistance_[e] >= 0) j[e] += weight(static_cast<std::size_t>(resistance_[e])) * rate;
      }
    };
    return newton.solve(evaluate, z);
  }
  void evaluate_at(std::span<const double> x) {
    std::ranges::copy(x, in_.begin());
    (*function_)(in_, out_, scratch_);
  }
  double weight(std::size_t i) const {
    const double unit = unit_[static_cast<Eigen::Index>(i)];
    return unit * unit;
  }

  // In which the forces at hand change.
  double natural_time() {
    evaluate_at(z_);
    double rate = 0.0;
    for (std::size_t e = 0; e < from_.size(); ++e)
      if (resistance_[e] >= 0 && from_[e] >= 0)
        rate = std::max(rate, std::abs(out_[n_ + m_ + static_cast<std::size_t>(from_[e])]) /
                                  weight(static_cast<std::size_t>(resistance_[e])));
    return rate > 0.0 ? 1.0 / rate : 1.0;
  }

  double distance(const std::vector<double>& next) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < n_; ++i) sum += weight(i) * (next[i] - z_[i]) * (next[i] - z_[i]);
    return std::sqrt(sum);
  }
  bool is_downhill(const std::vector<double>& next) {
    constexpr double rounding = 1e-12;
    const auto height = [&](const std::vector<double>& z) { return potential_(state_at(z)).front(); };
    const double before = height(z_);
    return height(next) <= before + rounding * std::abs(before);
  }
  State state_at(const std::vector<double>& z) const {
    State s;
    s.q.assign(z.begin(), z.begin() + static_cast<std::ptrdiff_t>(n_));
    s.v.assign(n_, 0.0);
    s.a.assign(n_, 0.0);
    s.lambda.assign(z.begin() + static_cast<std::ptrdiff_t>(n_), z.end());
    return s;
  }
  State state() const { return state_at(z_); }

  Equations e_;
  std::size_t n_, m_;
  Vector unit_;
  StateFunction potential_;
  Pattern pattern_;
  std::vector<int> from_, resistance_;  // of each entry: that of the equations, the coordinate it resists
  std::optional<Function> function_;
  Scratch scratch_;
  std::vector<double> in_, out_, z_;
  double size_ = 0.0;
};

}  // namespace

LargeDescent descend_sparsely(const System& system, const State& start, const Vector& unit) {
  return SparseDescent(system, start, unit).run();
}

}  // namespace invar
