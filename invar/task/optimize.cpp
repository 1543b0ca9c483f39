// See optimize.h.
#include "invar/task/optimize.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "invar/task/indirect.h"
#include "invar/task/optimal_extremal.h"
#include "invar/task/optimal_record.h"
#include "invar/task/optimal_search.h"
#include "invar/task/verdict.h"

namespace invar {

namespace {

void tell_status(const Solution& solution, Summary& summary) {
  const SolverStatus status = solution.status;
  if (status == SolverStatus::solved) return;
  if (status == SolverStatus::interrupted) {
    summary.status = "interrupted";
    summary.message = "interrupted: the motion is the best so far, and not optimal";
    return;
  }
  summary.status = "failed";
  const std::string advice =
      status == SolverStatus::infeasible || status == SolverStatus::too_many_equations
          ? "can the goal be reached in this time, with these inputs and bounds?"
          : "try more intervals, another guess (\"line\", \"inverse\" or \"hold\") or looser bounds";
  summary.message = fmt::format("no optimal motion: {}; {}", solution.reason, advice);
}

// Costs c of meshes that are halved each time behave as c + a hᵖ.
void extrapolate(int order, Summary::Optimization& o) {
  const std::size_t count = o.meshes.size();
  if (count < 2) return;
  const double last = o.meshes[count - 1].cost, before = o.meshes[count - 2].cost;
  o.limit = last + (last - before) / (std::pow(2.0, order) - 1.0);
  if (count < 3) return;
  const double ratio = (before - o.meshes[count - 3].cost) / (last - before);
  if (ratio > 0.0) o.order = std::log2(ratio);
}

// The meshes one after the other, each from the motion on the one before. The indirect method begins with the motion of the direct one.
OptimalMotion on_all_meshes(const OptimalTask& task, Transcription& form, const RunOptions& options,
                            std::vector<Summary::Optimization::Mesh>& meshes) {
  const bool indirect = task.settings.method == "indirect";
  if (indirect) check_fits_indirect(task.system, task.settings);
  OptimalSearch search(task, form, options);
  int iterations = 0;
  OptimalMotion found, direct;
  for (int mesh = 0; mesh < task.settings.refine; ++mesh) {
    const std::size_t intervals = static_cast<std::size_t>(task.settings.intervals) << mesh;
    direct = mesh == 0 ? search.run(intervals) : search.improve(direct.motion, intervals);
    found = direct;
    if (direct.solution.status != SolverStatus::solved) break;
    if (indirect) {
      found = to_extremal(task, form, direct, options);
      iterations += found.solution.iterations;
    }
    if (found.solution.status != SolverStatus::solved) break;
    if (task.settings.refine > 1) meshes.push_back({intervals, found.solution.cost, measures(task, found).hamiltonian});
  }
  found.solution.iterations = search.iterations() + iterations;
  return found;
}

}  // namespace

Optimum optimize(const Problem& problem, const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const OptimalTask task = prepare_optimum(problem);
  Optimum result;
  Summary& summary = result.summary;
  describe_start(problem, task.start_report, summary);
  summary.task = "optimize";
  summary.method = task.scheme.info.name;
  Transcription form(task.system, task.scheme, task.settings, problem.signals);
  std::vector<Summary::Optimization::Mesh> meshes;
  const OptimalMotion found = on_all_meshes(task, form, options, meshes);
  tell_status(found.solution, summary);
  summary.until = found.motion.horizon;
  summary.steps = found.motion.intervals();
  summary.step = found.motion.horizon / static_cast<double>(std::max<std::size_t>(1, found.motion.intervals()));
  if (!found.solution.x.empty()) {
    summary.optimization = measures(task, found);
    summary.optimization->meshes = std::move(meshes);
    extrapolate(task.scheme.info.order, *summary.optimization);
    if (!found.doubt.empty()) summary.warnings.push_back(found.doubt);
  }
  result.trajectory = motion_table(task, found);
  summary.accuracy = measure_accuracy(result.trajectory, conserved_quantities(task.system));
  result.inputs = input_table(task, found);
  result.costates = costate_table(found);
  summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace invar
