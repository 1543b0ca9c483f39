// See optimal_verdict.h.
#include "invar/task/optimize/optimal_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/system/state_function.h"
#include "invar/task/optimize/hold_between_nodes.h"
#include "invar/task/optimize/mesh_error.h"
#include "invar/task/optimize/optimization_summary.h"

namespace invar {

namespace {

void fail(Summary& summary, std::string message) {
  summary.status = RunStatus::failed;
  summary.message = std::move(message);
}

// The first number of the motion that is none, by time.
std::optional<std::string> not_finite(const OptimalTask& task, const OptimalMotion& found) {
  const MeshMotion& motion = found.motion;
  const double h = motion.horizon / static_cast<double>(motion.intervals());
  const std::size_t n = task.start.q.size();
  const auto first = [](std::span<const double> values) {
    return static_cast<std::size_t>(
        std::find_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x); }) - values.begin());
  };
  for (std::size_t k = 0; k < motion.x.size(); ++k) {
    const double t = h * static_cast<double>(k);
    if (const std::size_t i = first(motion.x[k]); i < 2 * n)
      return fmt::format("{}{} at t = {:.6g} s", task.system.coordinates[i % n].name(), i < n ? "" : "'", t);
    if (k == motion.intervals()) break;
    const auto u = std::span(motion.w[k]).subspan(found.first_input);
    if (const std::size_t i = first(u); i < u.size())
      return fmt::format("input {} at t = {:.6g} s", task.system.inputs[i].name, t + 0.5 * h);
    if (k < found.energy.size() && !std::isfinite(found.energy[k])) return fmt::format("the energy at t = {:.6g} s", t);
  }
  return std::isfinite(found.solution.cost) ? std::nullopt : std::optional<std::string>("the cost");
}

std::string more_intervals(const OptimalMotion& found) {
  return fmt::format("use more intervals, such as --intervals {}", 2 * found.motion.intervals());
}

// Limits between the nodes, on the cubic of the mesh.
void judge_limits(const OptimalTask& task, const OptimalMotion& found, Summary& summary) {
  const Breach* w = worst(found.peaks);
  if (w == nullptr) return;
  summary.part<OptimizationSummary>()->mesh.between =
      MeshQuality::Between{task.settings.bounds[w->limit].name, std::max(0.0, w->amount), w->t};
  summary.part<OptimizationSummary>()->mesh.inner_places = found.inner_places;
  if (w->size() <= 1.0) return;
  constexpr double material = 10.0;  // times the tolerance: a hundredth of the limit
  std::string message = fmt::format("the motion between the nodes breaks {} by {:.2g} at t = {:.4g} s; {}",
                                    name_of_limit(task, w->limit), w->amount, w->t, more_intervals(found));
  if (w->size() > material)
    fail(summary, std::move(message));
  else
    summary.warnings.push_back(std::move(message));
}

std::string words(const MeshQuality::Error& e) {
  if (e.grows) return fmt::format("the steps of this mesh together leave out {:.1f} % of the way", 100.0 * e.steps);
  return fmt::format(
      "the motion of this mesh ends {:.1e} in {} away from what its inputs do on finer steps, {:.1f} % of "
      "its way",
      e.end.value_or(0.0), e.coordinate, 100.0 * e.relative);
}

void judge_mesh(const OptimalTask& task, const OptimalMotion& found, Summary& summary) {
  constexpr double coarse = 0.1;     // of the way
  constexpr double visible = 100.0;  // times its tolerance: a tenth of a limit
  BetweenNodes between(task);
  between.peaks(found.motion);
  const FineSteps fine = on_finer_steps(task, found, between);
  if (!fine.possible) return;  // the doubts about the motion say so
  const auto& e = fine.error;
  summary.part<OptimizationSummary>()->mesh.error = e;
  if ((e.grows ? e.steps : e.relative) > coarse) summary.warnings.push_back(words(e) + "; " + more_intervals(found));
  if (fine.worst && fine.worst->size() > visible)
    summary.warnings.push_back(fmt::format("on finer steps the motion breaks {} by {:.2g} at t = {:.4g} s; {}",
                                           name_of_limit(task, fine.worst->limit), fine.worst->amount, fine.worst->t,
                                           more_intervals(found)));
}

// Final values that were not asked for since they follow from others, exactly on ever finer meshes.
void judge_followers(const OptimalTask& task, const OptimalMotion& found, Summary& summary) {
  if (task.followers.empty()) return;
  constexpr double coarse = 1e-3, rounding = 1e-9;  // of the largest value on the way; of none
  Exprs formulas;
  for (const Limit& limit : task.followers) formulas.push_back(limit.formula);
  StateFunction values(task.system, formulas, task.problem.signals);
  std::vector<double> largest(formulas.size(), 0.0), last;
  const std::size_t n = task.start.q.size(), N = found.motion.intervals();
  for (std::size_t k = 0; k <= N; ++k) {
    const auto& x = found.motion.x[k];
    State state;
    state.t = found.motion.horizon / static_cast<double>(N) * static_cast<double>(k);
    state.q.assign(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
    state.v.assign(x.begin() + static_cast<std::ptrdiff_t>(n), x.end());
    last = values(state);
    for (std::size_t i = 0; i < last.size(); ++i) largest[i] = std::max(largest[i], std::abs(last[i]));
  }
  for (std::size_t i = 0; i < last.size(); ++i) {
    const Limit& limit = task.followers[i];
    if (const double missed = std::abs(last[i] - limit.lower); missed > std::max(coarse * largest[i], rounding))
      summary.warnings.push_back(
          fmt::format("final: {} follows from other values and kept momenta only on finer meshes and misses its value "
                      "by {:.2g}; {}",
                      limit.name, missed, more_intervals(found)));
  }
}

}  // namespace

void judge(const OptimalTask& task, const OptimalMotion& found, Summary& summary) {
  if (const std::optional<std::string> what = not_finite(task, found)) {
    fail(summary, fmt::format("no optimal motion: {} is not finite", *what));
    return;
  }
  judge_limits(task, found, summary);
  judge_mesh(task, found, summary);
  judge_followers(task, found, summary);
}

void name_what_is_not_finite(const OptimalTask& task, Transcription& form, const OptimalMotion& found,
                             Summary& summary) {
  const std::size_t N = found.motion.intervals();
  if (N == 0) return;
  const NonlinearProgram program = form.program(N, task.first_node(), task.goal.ranges);
  const std::vector<double> x = form.pack(found.motion);
  std::vector<double> rows(program.row_lower.size()), slopes(program.jacobian.size());
  program.rows(x, rows);
  program.jacobian_values(x, slopes);
  std::optional<std::size_t> first, first_slope;
  const auto consider = [&](std::optional<std::size_t>& best, std::size_t row) {
    if (!best || form.interval_of(row, N) < form.interval_of(*best, N)) best = row;
  };
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!std::isfinite(rows[i])) consider(first, i);
  for (std::size_t i = 0; i < slopes.size(); ++i)
    if (!std::isfinite(slopes[i])) consider(first_slope, static_cast<std::size_t>(program.jacobian[i].row));
  const double h = found.motion.horizon / static_cast<double>(N);
  const auto name = [&](std::size_t row) {
    return fmt::format("{} (t = {:.4g} s)", form.row_name(row, N), h * static_cast<double>(form.interval_of(row, N)));
  };
  if (first)
    summary.message += "; not finite: " + name(*first);
  else if (first_slope)
    summary.message += "; the slope of this formula is not finite: " + name(*first_slope);
  else if (!std::isfinite(program.cost(x)))
    summary.message += "; not finite: the cost";
}

}  // namespace invar
