// See violation.h.
#include "invar/task/simulate/violation.h"

#include <algorithm>
#include <cmath>

#include "invar/base/once.h"
#include "invar/expr/lists.h"
#include "invar/system/massless.h"
#include "invar/tape/term_size.h"

namespace invar {

namespace {

constexpr std::size_t sampled_rows = 400;  // rows
constexpr std::size_t balanced_rows = 60;  // of dense matrices
// One equation over the motion.
struct Followed {
  double value = 0.0, t = 0.0, size = 0.0, slope = 0.0;

  void see(double time, double f, double steepness) {
    if (std::abs(f) > std::abs(value)) value = f, t = time;
    slope = std::max(slope, steepness);
  }
  bool counts(double noise) const { return std::abs(value) > slope * noise; }
  Violation violation(const std::string& name, double noise) const {
    return {name, value, t, counts(noise) && size > 0.0 ? std::abs(value) / size : 0.0};
  }
};

void keep_worse(Violation& worst, const Violation& other) {
  if (other.relative > worst.relative) worst = other;
}

}  // namespace

struct ConstraintCheck::Formulas {
  System system;
  std::vector<Reference> signals;
  Equations e;
  StateFunction values;       // Φ, its rate, entries of the gradient
  Once<StateFunction> sizes;  // of the terms of Φ and its rate, for motions that violate any of them visibly
};

ConstraintCheck::ConstraintCheck(const System& system, std::span<const Reference> signals) {
  if (system.constraints.empty()) return;
  const Equations e = equations(system);
  const Exprs all = joined(joined(e.constraint, e.constraint_rate), e.gradient.value);
  formulas_.reset(new Formulas{system, {signals.begin(), signals.end()}, e, StateFunction(system, all, signals), {}});
}

Violations ConstraintCheck::measure(const MotionRows& rows, std::span<const double> parameters,
                                    double negligible) const {
  if (!formulas_) return {};
  Formulas& f = *formulas_;
  StateFunction values = f.values;
  values.set_parameters(parameters);
  const std::size_t m = f.e.level.size();
  std::vector<Followed> position(m), rate(m);
  const std::vector<std::size_t> sample = rows.sample(sampled_rows);
  std::vector<double> slope;  // of each constraint in each row: the sum of the sizes of its derivatives
  rows.evaluate(values, sample, [&](std::span<const std::size_t> some, const StateBlock& x) {
    slope.assign(m * some.size(), 0.0);
    const Pattern& pattern = f.e.gradient.pattern;
    for (std::size_t k = 0; k < pattern.size(); ++k) {
      const std::span<const double> g = x.values(2 * m + k);
      double* const sum = slope.data() + static_cast<std::size_t>(pattern.row[k]) * some.size();
      for (std::size_t p = 0; p < some.size(); ++p) sum[p] += std::abs(g[p]);
    }
    for (std::size_t c = 0; c < m; ++c) {
      const std::span<const double> value = x.values(c), change = x.values(m + c);
      for (std::size_t p = 0; p < some.size(); ++p) {
        const double t = rows.t(some[p]), steep = slope[c * some.size() + p];
        position[c].see(t, value[p], steep);
        rate[c].see(t, change[p], steep);
      }
    }
  });
  const double noise = negligible * rows.largest_position();
  const double noisy_rate =
      negligible * rows.largest_velocity() + (rows.interval() > 0.0 ? noise / rows.interval() : 0.0);
  const auto counts = [](double level) { return [=](const Followed& x) { return x.counts(level); }; };
  if (std::ranges::none_of(position, counts(noise)) && std::ranges::none_of(rate, counts(noisy_rate))) return {};
  StateFunction sizes = f.sizes.get(
      [&] { return StateFunction(f.system, term_sizes(joined(f.e.constraint, f.e.constraint_rate)), f.signals); });
  sizes.set_parameters(parameters);
  const auto largest = [](double before, std::span<const double> of_rows) {
    for (const double x : of_rows) before = std::max(before, x);
    return before;
  };
  rows.evaluate(sizes, sample, [&](std::span<const std::size_t>, const StateBlock& x) {
    for (std::size_t c = 0; c < m; ++c) {
      position[c].size = largest(position[c].size, x.values(c));
      rate[c].size = largest(rate[c].size, x.values(m + c));
    }
  });
  Violations worst;
  for (std::size_t c = 0; c < m; ++c) {
    if (f.e.level[c] == Level::position) {
      keep_worse(worst.position, position[c].violation(f.system.constraints[c].name, noise));
      keep_worse(worst.velocity, rate[c].violation(f.system.constraints[c].name, noisy_rate));
    } else if (f.e.level[c] == Level::velocity) {
      keep_worse(worst.rolling, rate[c].violation(f.system.constraints[c].name, noisy_rate));
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
