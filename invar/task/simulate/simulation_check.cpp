// See simulation_check.h.
#include "invar/task/simulate/simulation_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

// A scheme that solves for the constraints leaves Newton's tolerance of them, which row sizes may enlarge by some orders; a thousandth is visible.
Bounds promised(double tolerance) {
  return {std::clamp(1e4 * tolerance, 1e-7, 1e-2), std::clamp(1e6 * tolerance, 1e-3, 0.1)};
}
// Otherwise they drift with the error of the scheme.
constexpr Bounds drifting = {1e-3, 0.1};
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

void judge_constraints(const Motion& m, const MotionRows& rows, const Promise& promise, Judgement& j) {
  const Violations worst = measure_violations(m.system, m.signals, rows);
  if (worst.position.relative > 0.0)
    weigh(
        worst.position.relative, promise.positions ? promised(promise.tolerance) : drifting,
        fmt::format("constraint \"{}\" is violated by {:.2g} at t = {:.6g}, {:.1e} of its terms; try a smaller --step "
                    "or another --method",
                    worst.position.constraint, worst.position.value, worst.position.t, worst.position.relative),
        j);
  const auto rate = [&](const Violation& v, bool kept, const char* what) {
    if (v.relative > 0.0)
      weigh(
          v.relative, kept ? promised(promise.tolerance) : oscillating,
          fmt::format("velocities violate {} \"{}\" by {:.2g} at t = {:.6g}, {:.1e} of its terms{}", what, v.constraint,
                      v.value, v.t, v.relative,
                      kept ? "; try a smaller --step or another --method"
                           : ", since this method keeps only positions on it: trust no single velocity; try a smaller "
                             "--step or stabilise = true"),
          j);
  };
  rate(worst.velocity, promise.velocities, "constraint");
  rate(worst.rolling, promise.rolling, "constraint");
}

void judge_energy(const Motion& m, const MotionRows& rows, const Promise& promise, Judgement& j) {
  const EnergyChange change = measure_energy(m, rows);
  if (change.scale <= 0.0) return;
  constexpr double from_nowhere = 0.9;  // of all energy met: a motion that consists of it
  const double grown = change.unexplained / change.scale;
  if (grown >= from_nowhere && j.failure.empty()) {
    j.failure = fmt::format(
        "the motion has diverged: by t = {:.6g} its energy has grown by {:.3g} J, which no force has supplied; try a "
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

void judge_momenta(const Motion& m, const MotionRows& rows, const Promise& promise, Judgement& j) {
  for (const Conserved& c : m.conserved) {
    if (!c.expected || c.column == "energy.total") continue;
    const bool declared =
        std::ranges::find(m.system.invariants, c.column, &Quantity::name) != m.system.invariants.end();
    const double change = largest_change(m, rows, c);
    weigh(change, promise.momentum && !declared ? conserved_exactly : conserved_roughly,
          fmt::format("{} changes by {:.1e} of its terms, though {}; try a smaller --step", c.column, change,
                      declared ? "it is declared constant" : "the system conserves it"),
          j);
  }
}

void judge_balance(const Motion& m, const MotionRows& rows, Judgement& j) {
  const Unbalanced found = measure_balance(m.system, m.signals, rows);
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

Judgement judge(const Motion& motion, const Promise& promise) {
  Judgement j;
  if (motion.trajectory.rows() < 2) return j;
  const MotionRows rows(motion.system, motion.trajectory);
  judge_constraints(motion, rows, promise, j);
  judge_energy(motion, rows, promise, j);
  judge_momenta(motion, rows, promise, j);
  if (motion.massless) judge_balance(motion, rows, j);
  return j;
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
