// See optimize.h.
#include "invar/task/optimize.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "invar/task/indirect.h"
#include "invar/task/mesh_family.h"
#include "invar/task/optimal_extremal.h"
#include "invar/task/optimal_record.h"
#include "invar/task/optimal_search.h"
#include "invar/task/verdict.h"

namespace invar {

namespace {

constexpr const char* saddle_words =
    "this is a saddle point: there is a direction in which the cost falls, but no lower optimum was found along it; "
    "try "
    "another guess or other bounds";

void tell_status(const Solution& solution, Summary& summary) {
  const SolverStatus status = solution.status;
  if (status == SolverStatus::solved) return;
  if (status == SolverStatus::interrupted) {
    summary.status = "interrupted";
    summary.message = "interrupted: the motion is the best so far, and not optimal";
    return;
  }
  summary.status = "failed";
  if (status == SolverStatus::unbounded) {
    summary.message =
        fmt::format("no optimal motion: {}; bound the inputs or coordinates, or change the cost", solution.reason);
    return;
  }
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

// The direct method on all meshes; the indirect one begins with its motions.
OptimalMotion on_all_meshes(const OptimalTask& task, Transcription& form, const RunOptions& options,
                            std::vector<Summary::Optimization::Mesh>& meshes, std::vector<std::string>& notes) {
  const bool indirect = task.settings.method == "indirect";
  if (indirect) check_fits_indirect(task.system, task.settings);
  OptimalSearch search(task, form, options);
  MeshFamily family = refined(search, task.settings);
  notes = std::move(family.notes);
  int iterations = 0;
  OptimalMotion found;
  for (OptimalMotion& direct : family.members) {
    const bool solved = direct.solution.status == SolverStatus::solved;
    found = indirect && solved ? to_extremal(task, form, direct, options) : std::move(direct);
    if (indirect && solved) iterations += found.solution.iterations;
    if (found.solution.status != SolverStatus::solved) break;
    if (task.settings.refine > 1)
      meshes.push_back({found.motion.intervals(), found.solution.cost, measures(task, found).hamiltonian});
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
  const OptimalMotion found = on_all_meshes(task, form, options, meshes, summary.warnings);
  tell_status(found.solution, summary);
  summary.until = found.motion.horizon;
  summary.steps = found.motion.intervals();
  summary.step = found.motion.horizon / static_cast<double>(std::max<std::size_t>(1, found.motion.intervals()));
  if (!found.solution.x.empty()) {
    summary.optimization = measures(task, found);
    summary.optimization->meshes = std::move(meshes);
    extrapolate(task.scheme.info.order, *summary.optimization);
    if (!found.doubt.empty()) summary.warnings.push_back(found.doubt);
    if (!found.origin.remark.empty()) summary.warnings.push_back(found.origin.remark);
    if (found.second_order == SecondOrder::saddle && summary.status == "done") summary.warnings.push_back(saddle_words);
  }
  result.trajectory = motion_table(task, found);
  result.inputs = input_table(task, found);
  result.costates = costate_table(found);
  summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace invar
