// See violation.h.
#include "invar/task/simulate/violation.h"

#include <algorithm>
#include <cmath>

#include "invar/base/once.h"
#include "invar/system/massless.h"
#include "invar/tape/term_size.h"

namespace invar {

namespace {

constexpr std::size_t sampled_rows = 400;  // rows
constexpr std::size_t balanced_rows = 60;  // of dense matrices
// One equation over the motion.
struct Followed {
  double value = 0.0, t = 0.0, size = 0.0, slope = 0.0;

  void see(double time, double f, double terms, double steepness) {
    if (std::abs(f) > std::abs(value)) value = f, t = time;
    size = std::max(size, terms);
    slope = std::max(slope, steepness);
  }
  Violation violation(const std::string& name, double noise) const {
    const bool counts = std::abs(value) > slope * noise && size > 0.0;
    return {name, value, t, counts ? std::abs(value) / size : 0.0};
  }
};

Exprs steepness(const Equations& e) {
  Exprs sums(e.level.size(), 0.0);
  for (std::size_t j = 0; j < e.q.size(); ++j)
    for (int k = e.gradient.pattern.start[j]; k < e.gradient.pattern.start[j + 1]; ++k)
      sums[static_cast<std::size_t>(e.gradient.pattern.row[static_cast<std::size_t>(k)])] +=
          abs(e.gradient.value[static_cast<std::size_t>(k)]);
  return sums;
}

void keep_worse(Violation& worst, const Violation& other) {
  if (other.relative > worst.relative) worst = other;
}

}  // namespace

ConstraintCheck::ConstraintCheck(const System& system, std::span<const Reference> signals) {
  const Equations e = equations(system);
  level_ = e.level;
  for (const Constraint& c : system.constraints) names_.push_back(c.name);
  if (names_.empty()) return;
  Exprs all = e.constraint;
  for (const Exprs& further :
       {term_sizes(e.constraint), e.constraint_rate, term_sizes(e.constraint_rate), steepness(e)})
    all.insert(all.end(), further.begin(), further.end());
  values_.emplace(system, all, signals);
}

Violations ConstraintCheck::measure(const MotionRows& rows, std::span<const double> parameters,
                                    double negligible) const {
  if (!values_) return {};
  StateFunction values = *values_;
  values.set_parameters(parameters);
  const std::size_t m = names_.size();
  std::vector<Followed> position(m), rate(m);
  for (const std::size_t r : rows.sample(sampled_rows)) {
    const State s = rows.state(r);
    const std::vector<double> x = values(s);
    for (std::size_t c = 0; c < m; ++c) {
      position[c].see(s.t, x[c], x[m + c], x[4 * m + c]);
      rate[c].see(s.t, x[2 * m + c], x[3 * m + c], x[4 * m + c]);
    }
  }
  const double noise = negligible * rows.largest_position();
  const double noisy_rate =
      negligible * rows.largest_velocity() + (rows.interval() > 0.0 ? noise / rows.interval() : 0.0);
  Violations worst;
  for (std::size_t c = 0; c < m; ++c) {
    if (level_[c] == Level::position) {
      keep_worse(worst.position, position[c].violation(names_[c], noise));
      keep_worse(worst.velocity, rate[c].violation(names_[c], noisy_rate));
    } else if (level_[c] == Level::velocity) {
      keep_worse(worst.rolling, rate[c].violation(names_[c], noisy_rate));
    }
  }
  return worst;
}

namespace {

Exprs mass_and_gradients(const Equations& e) {
  Exprs all;
  for (const SparseExprs* matrix : {&e.mass(), &e.gradient})
    for (int i = 0; i < matrix->pattern.rows; ++i)
      for (int j = 0; j < matrix->pattern.cols; ++j) all.push_back(matrix->at(i, j));
  return all;
}

}  // namespace

struct BalanceCheck::Formulas {
  System system;
  std::vector<Reference> signals;
  Equations e = equations(system);
  StateFunction both = {system, mass_and_gradients(e), signals};
  Once<MasslessBalance> balance;  // for motions that nothing but a balance determines
};

BalanceCheck::BalanceCheck(const System& system, std::span<const Reference> signals)
    : formulas_(new Formulas{.system = system, .signals = {signals.begin(), signals.end()}, .balance = {}}) {}

Unbalanced BalanceCheck::measure(const MotionRows& rows, std::span<const double> parameters) const {
  Formulas& f = *formulas_;
  StateFunction both = f.both;
  both.set_parameters(parameters);
  const Eigen::Index n = f.e.mass().pattern.rows, m = f.e.gradient.pattern.rows;
  const auto directions = [&](const State& s) {
    const std::vector<double> x = both(s);
    const Matrix matrix =
        Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(x.data(), n + m, n);
    return MasslessBalance::directions(matrix.topRows(n), matrix.bottomRows(m));
  };
  if (directions(rows.state(0)).cols() == 0) return {};
  MasslessBalance balance = f.balance.get([&] { return MasslessBalance(f.system, f.e, f.signals); });
  balance.set_parameters(parameters);
  std::vector<Unbalanced> all;
  for (const std::size_t r : rows.sample(balanced_rows)) {
    State s = rows.state(r);
    s.lambda.clear();  // reactions do no work along these directions
    const MasslessBalance::Imbalance found = balance.imbalance(s, rows.inputs(r), directions(s));
    all.push_back({found.coordinate, found.relative});
  }
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end(),
                   [](const Unbalanced& x, const Unbalanced& y) { return x.relative < y.relative; });
  return *middle;
}

}  // namespace invar
