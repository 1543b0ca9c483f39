// See simulation_check.h.
#include "invar/task/simulate/simulation_check.h"
#include "invar/record/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/once.h"
#include "invar/expr/derivative.h"
#include "invar/task/simulate/energy_check.h"
#include "invar/task/simulate/motion_rows.h"
#include "invar/task/simulate/violation.h"

namespace invar {

namespace {

// Bounds on a relative deviation: beyond the first it is worth a warning, beyond the second the result is wrong.
struct Bounds {
  double warning, failure;
};

// A scheme that solves for the constraints leaves Newton's tolerance of them, which row sizes may enlarge by some
// orders; a thousandth is visible.
Bounds promised(double tolerance) {
  return {std::clamp(1e4 * tolerance, 1e-7, 1e-2), std::clamp(1e6 * tolerance, 1e-3, 0.1)};
}
// Otherwise they drift with the error of the scheme.
constexpr Bounds drifting = {1e-3, 0.1};
// Parts of a coordinate that do not count: round-off, or where constraints drift what is small for any motion. A
// constraint all of whose terms vanish has nothing else that it could be compared with.
constexpr double round_off = 1e-12, accurate = 1e-7;
// Velocities that no equation keeps on the constraints go back and forth about them; positions stay right.
constexpr Bounds oscillating = {0.1, 1e300};
// Conserved exactly but for Newton's tolerance, in every one of perhaps a million steps.
constexpr Bounds conserved_exactly = {1e-6, 1e-3};
// Conserved to the order of the scheme; a declared invariant is only a claim.
constexpr Bounds conserved_roughly = {0.05, 1e300};
// Of the forces on a coordinate without mass.
constexpr Bounds balance = {0.02, 0.1};

void weigh(double deviation, const Bounds& bounds, const std::string& words, Judgement& j) {
  if (!(deviation > bounds.warning)) return;
  if (deviation > bounds.failure && j.failure.empty())
    j.failure = words;
  else
    j.warnings.push_back(words);
}

void judge_constraints(const Violations& worst, const Promise& promise, Judgement& j) {
  if (worst.position.relative > 0.0)
    weigh(worst.position.relative, promise.positions ? promised(promise.tolerance) : drifting,
          fmt::format(
              "constraint \"{}\" is violated by {:.2g} at t = {:.6g} s, {:.1e} of its terms; try a smaller --step "
              "or another --method",
              worst.position.constraint, worst.position.value, worst.position.t, worst.position.relative),
          j);
  const auto rate = [&](const Violation& v, bool kept, const char* what) {
    if (v.relative > 0.0)
      weigh(
          v.relative, kept ? promised(promise.tolerance) : oscillating,
          fmt::format("velocities violate {} \"{}\" by {:.2g} at t = {:.6g} s, {:.1e} of its terms{}", what,
                      v.constraint, v.value, v.t, v.relative,
                      kept ? "; try a smaller --step or another --method"
                           : ", since this method keeps only positions on it: trust no single velocity; try a smaller "
                             "--step or stabilise = true"),
          j);
  };
  rate(worst.velocity, promise.velocities, "constraint");
  rate(worst.rolling, promise.rolling, "constraint");
}

void judge_energy(const EnergyChange& change, const Promise& promise, Judgement& j) {
  if (change.scale <= 0.0) return;
  const double grown = change.unexplained / change.scale;
  if (grown >= energy_from_nowhere && j.failure.empty()) {
    j.failure = fmt::format(
        "the motion has diverged: by t = {:.6g} s its energy has grown by {:.3g} J, which no force has supplied; try a "
        "smaller --step or an implicit method such as energy-momentum",
        change.t, change.unexplained);
    return;
  }
  if (change.is_conserved)
    weigh(change.largest / change.scale, promise.energy ? conserved_exactly : conserved_roughly,
          fmt::format("the energy changes by {:.2g} J, {:.1e} of all energy met, though the system conserves it; try a "
                      "smaller --step{}",
                      change.largest, change.largest / change.scale,
                      promise.energy ? "" : " or a method that keeps it, such as energy-momentum"),
          j);
}

void judge_momentum(const std::string& column, double change, bool declared, const Promise& promise, Judgement& j) {
  weigh(change, promise.momentum && !declared ? conserved_exactly : conserved_roughly,
        fmt::format("{} changes by {:.1e} of its terms, though {}; try a smaller --step", column, change,
                    declared ? "it is declared constant" : "the system conserves it"),
        j);
}

void judge_balance(const Unbalanced& found, Judgement& j) {
  weigh(
      found.relative, balance,
      fmt::format("coordinate \"{}\" has no mass, but the forces on it do not balance ({:.1e} of them is left in most "
                  "rows): it oscillates about its balance from step to step; try radau5, bdf2 or generalized-alpha",
                  found.coordinate, found.relative),
      j);
}

}  // namespace

Promise promise_of(const SchemeInfo& info, double tolerance) {
  return {.positions = true,
          .velocities = info.velocity_at_nodes,
          .rolling = info.rolling_at_nodes,
          .energy = info.energy,
          .momentum = info.momentum,
          .tolerance = tolerance};
}

std::optional<std::string> find_not_finite(const System& system, const std::vector<std::string>& columns,
                                           std::span<const double> row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (std::isfinite(row[i])) continue;
    const bool reaction =
        columns[i].starts_with("lambda.") || std::ranges::any_of(system.shown, [&](const Quantity& y) {
          return y.name == columns[i] && depends(y.expr, multipliers(system));
        });
    if (!reaction || !std::isnan(row[i])) return columns[i];
  }
  return std::nullopt;
}

struct MotionJudge::Formulas {
  struct Momentum {
    std::string column;
    bool declared;
    QuantityNoise noise;
  };
  System system;
  std::vector<Reference> signals;
  ConstraintCheck constraints;
  EnergyCheck energy;
  std::vector<Momentum> momenta;
  Once<BalanceCheck> balance;  // for systems with coordinates without mass

  Formulas(const System& s, std::span<const Reference> references, const std::vector<Conserved>& conserved)
      : system(s), signals(references.begin(), references.end()), constraints(s, references), energy(s, references) {
    for (const Conserved& c : conserved) {
      if (!c.expected || c.column == "energy.total") continue;
      const bool declared = std::ranges::find(s.invariants, c.column, &Quantity::name) != s.invariants.end();
      momenta.push_back({c.column, declared, QuantityNoise(s, references, c.expr)});
    }
  }
};

MotionJudge::MotionJudge(const System& system, std::span<const Reference> signals,
                         const std::vector<Conserved>& conserved)
    : formulas_(std::make_shared<Formulas>(system, signals, conserved)) {}

Judgement MotionJudge::operator()(const Motion& motion, const Promise& promise) const {
  Judgement j;
  if (motion.trajectory.rows() < 2) return j;
  Formulas& f = *formulas_;
  const MotionRows rows(motion.system, motion.trajectory);
  const std::vector<double> parameters = parameter_values(motion.system);
  judge_constraints(f.constraints.measure(rows, parameters, promise.positions ? round_off : accurate), promise, j);
  judge_energy(f.energy.measure(motion, rows), promise, j);
  for (const Formulas::Momentum& m : f.momenta)
    judge_momentum(m.column, largest_change(rows, m.column, m.noise, parameters), m.declared, promise, j);
  for (std::string& words : watch(motion.system, motion.signals, motion.trajectory))
    j.warnings.push_back(std::move(words));
  if (motion.massless)
    judge_balance(f.balance.get([&] { return BalanceCheck(f.system, f.signals); }).measure(rows, parameters), j);
  return j;
}

Judgement judge(const Motion& motion, const Promise& promise) {
  if (motion.trajectory.rows() < 2) return {};
  return MotionJudge(motion.system, motion.signals, motion.conserved)(motion, promise);
}

void take(Judgement judgement, Summary& summary) {
  for (std::string& w : judgement.warnings) summary.warnings.push_back(std::move(w));
  if (judgement.failure.empty() || summary.status == RunStatus::failed) return;
  if (summary.status == RunStatus::interrupted) {
    summary.warnings.push_back(std::move(judgement.failure));
    return;
  }
  summary.status = RunStatus::failed;
  summary.message = std::move(judgement.failure);
}

}  // namespace invar
