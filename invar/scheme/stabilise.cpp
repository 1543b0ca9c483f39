// See stabilise.h.
#include "invar/scheme/stabilise.h"

#include <algorithm>

#include "invar/base/error.h"
#include "invar/expr/discrete.h"
#include "invar/math/rank.h"
#include "invar/system/start/start_evaluation.h"

namespace invar {

namespace {

// Which coordinates have mass.
std::vector<bool> with_mass(const Equations& e) {
  std::vector<bool> result(e.q.size(), false);
  for (const int row : e.mass().pattern.row) result[static_cast<std::size_t>(row)] = true;
  return result;
}

// Each constraint, with its μ.
struct Correction {
  Expr rate, factor;
};

void add_along_gradients(const Equations& e, const Interval& step, const Exprs& factors, Residual& r) {
  const Exprs along = at(e, e.reaction, {step.n1.t, step.n1.q, step.n1.v, {}, factors, {}});
  for (std::size_t i = 0; i < along.size(); ++i) r.equations[*r.kinematics + i] += step.h * along[i];
}

void add_conserving(const Equations& e, const Interval& step, const std::vector<Correction>& corrections, Residual& r) {
  const std::size_t n = e.q.size(), first = *r.kinematics;
  Exprs x = e.q, x0 = step.n0.q, x1 = step.n1.q;
  const auto also = [&](const Exprs& symbols, const Exprs& from, const Exprs& to) {
    x.insert(x.end(), symbols.begin(), symbols.end());
    x0.insert(x0.end(), from.begin(), from.end());
    x1.insert(x1.end(), to.begin(), to.end());
  };
  also(e.v, step.n0.v, step.n1.v);
  also({e.t}, {step.n0.t}, {step.n1.t});
  Exprs rates;
  for (const Correction& c : corrections) rates.push_back(c.rate);
  for (const Expr& symbol : e.reference_at ? reference_symbols(rates) : Exprs())
    also({symbol}, {e.reference_at(symbol, step.n0.t)}, {e.reference_at(symbol, step.n1.t)});

  Exprs kinematics(n, 0.0);
  for (std::size_t j = 0; j < n; ++j)
    for (int k = e.mass().pattern.start[j]; k < e.mass().pattern.start[j + 1]; ++k)
      kinematics[static_cast<std::size_t>(e.mass().pattern.row[static_cast<std::size_t>(k)])] +=
          e.mass().value[static_cast<std::size_t>(k)] * r.equations[first + j];
  const std::vector<bool> massive = with_mass(e);
  const SymbolPlaces constrained(symbols(rates));
  for (std::size_t i = 0; i < n; ++i)
    if (!massive[i] && !constrained.contains(e.v[i])) kinematics[i] = r.equations[first + i];
  const DiscreteGradient slope(x, x0, x1);
  for (const Correction& c : corrections)
    for (const auto& [place, value] : slope(c.rate)) {
      if (place < n)
        r.equations[first + n + place] -= step.h * c.factor * value;  // dynamics follow kinematics
      else if (place < 2 * n)
        kinematics[place - n] += step.h * c.factor * value;
    }
  std::ranges::copy(kinematics, r.equations.begin() + static_cast<std::ptrdiff_t>(first));
}

}  // namespace

ConservingStabilisation::ConservingStabilisation(const System& system, const SchemeInfo& info) {
  const Equations e = equations(system);
  if (!info.energy || !has_constant_mass(e)) return;
  pattern_ = e.mass().pattern;
  mass_.emplace(system, e.mass().value);
  with_mass_ = std::ranges::count(with_mass(e), true);
}

bool ConservingStabilisation::operator()(std::span<const double> parameters) const {
  if (!mass_) return false;
  StateFunction mass = *mass_;
  mass.set_parameters(parameters);
  const std::vector<double> values = mass({});
  Matrix M = Matrix::Zero(pattern_.rows, pattern_.cols);
  for (int j = 0; j < pattern_.cols; ++j)
    for (int k = pattern_.start[static_cast<std::size_t>(j)]; k < pattern_.start[static_cast<std::size_t>(j) + 1]; ++k)
      M(pattern_.row[static_cast<std::size_t>(k)], j) = values[static_cast<std::size_t>(k)];
  return rank(M, rank_tolerance, Scaling::rows_and_columns) == with_mass_;
}

bool keeps_invariants_stabilised(const System& system, const SchemeInfo& info) {
  return ConservingStabilisation(system, info)(parameter_values(system));
}

void stabilise(const System& system, const Equations& e, const Scheme& scheme, StepSymbols& setup, Residual& r) {
  if (!r.kinematics)
    throw InputError(std::string(scheme.info.name) +
                     ": has no velocity stabilisation; try energy-momentum, midpoint, generalized-alpha or bdf2");
  const Interval& step = setup.step;
  Exprs factors, rates;
  std::vector<std::string> names;
  std::vector<Correction> corrections;
  for (std::size_t c = 0; c < e.level.size(); ++c) {
    const bool position = e.level[c] == Level::position;
    factors.push_back(position ? setup.step.unknowns(Kind::correction, {0.0}).front() : Expr(0.0));
    if (!position) continue;
    corrections.push_back({e.constraint_rate[c], factors.back()});
    rates.push_back(e.constraint_rate[c]);
    names.push_back(step.constraints[c]);
  }
  if (keeps_invariants_stabilised(system, scheme.info))
    add_conserving(e, step, corrections, r);
  else
    add_along_gradients(e, step, factors, r);
  r.add("velocity of", names, at(e, rates, {step.n1.t, step.n1.q, step.n1.v, {}, {}, {}}));
}

}  // namespace invar
