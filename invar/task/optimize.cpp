// See optimize.h.
#include "invar/task/optimize.h"

#include <fmt/format.h>

#include <chrono>

#include "invar/task/hold_between_nodes.h"
#include "invar/task/indirect.h"
#include "invar/task/mesh_limit.h"
#include "invar/task/optimal_extremal.h"
#include "invar/task/optimal_record.h"
#include "invar/task/optimal_search.h"
#include "invar/task/optimal_verdict.h"
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

void extrapolate(const OptimalTask& task, Summary::Optimization& o) {
  constexpr double solved = 1e-8;  // relative error of a cost, where bounds are active
  std::vector<double> costs;
  for (const auto& mesh : o.meshes) costs.push_back(mesh.cost);
  MeshLimit limit = mesh_limit(costs, task.scheme.info.order, solved);
  o.limit = limit.value;
  o.order = limit.order;
  o.mesh.no_limit = std::move(limit.why_none);
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
    if (!indirect) {
      direct = hold_between_nodes(task, std::move(direct), options, iterations);
      found = direct;
    } else {
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
    extrapolate(task, *summary.optimization);
    if (!found.doubt.empty()) summary.warnings.push_back(found.doubt);
  }
  if (found.solution.status == SolverStatus::solved) judge(task, found, summary);
  if (summary.status == "failed") name_what_is_not_finite(task, form, found, summary);
  result.trajectory = motion_table(task, found);
  result.inputs = input_table(task, found);
  result.costates = costate_table(found);
  summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace invar
