// See optimize.h.
#include "invar/task/optimize/optimize.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/record/watch.h"
#include "invar/tape/compilation.h"
#include "invar/task/check/verdict.h"
#include "invar/task/indirect/indirect.h"
#include "invar/task/optimize/first_guess.h"
#include "invar/task/optimize/hold_between_nodes.h"
#include "invar/task/optimize/joint_optimum.h"
#include "invar/task/optimize/mesh_family.h"
#include "invar/task/optimize/optimal_extremal.h"
#include "invar/task/optimize/optimal_record.h"
#include "invar/task/optimize/optimal_search.h"
#include "invar/task/optimize/optimal_verdict.h"
#include "invar/task/optimize/prepare_optimum.h"
#include "invar/task/transcription/joint_form.h"
#include "invar/task/transcription/mesh_limit.h"

namespace invar {

namespace {

constexpr const char* saddle_words =
    "this is a saddle point: there is a direction in which the cost falls, but no lower optimum was found along it; "
    "try "
    "another guess or other bounds";

void tell_status(const Solution& solution, bool other_coordinates, Summary& summary) {
  const SolverStatus status = solution.status;
  if (status == SolverStatus::solved) return;
  if (status == SolverStatus::interrupted) {
    summary.status = RunStatus::interrupted;
    summary.message = "interrupted: the motion is the best so far, and not optimal";
    return;
  }
  summary.status = RunStatus::failed;
  if (status == SolverStatus::unbounded) {
    summary.message =
        fmt::format("no optimal motion: {}; bound the inputs or coordinates, or change the cost", solution.reason);
    return;
  }
  const std::string advice =
      status == SolverStatus::infeasible || status == SolverStatus::too_many_equations
          ? "can the goal be reached in this time, with these inputs and bounds?"
          : fmt::format("try more intervals, another guess (\"line\", \"inverse\" or \"hold\"){} or looser bounds",
                        other_coordinates ? ", joint coordinates (--formulation minimal)" : "");
  summary.message = fmt::format("no optimal motion: {}; {}", solution.reason, advice);
}

// Inputs that are held in the intervals limit the order to two, and to one with schemes that carry something: they ask
// for inputs at the ends of steps only. Steps that are the same backwards in time, or far more exact than the inputs,
// leave even powers only.
ErrorPowers cost_error(const SchemeInfo& scheme, const MeshMotion& motion) {
  constexpr int held = 2, exact = 4;
  if (!motion.carried.empty()) return {1, false};
  return {std::min(scheme.order, held), scheme.symmetric || scheme.order >= exact};
}

void extrapolate(const OptimalTask& task, const MeshMotion& motion, OptimizationSummary& o) {
  constexpr double solved = 1e-8;  // relative error of a cost, where bounds are active
  std::vector<double> costs;
  for (const auto& mesh : o.meshes) costs.push_back(mesh.cost);
  MeshLimit limit = mesh_limit(costs, cost_error(task.scheme.info, motion), solved);
  o.limit = limit.value;
  o.order = limit.order;
  o.mesh.no_limit = std::move(limit.why_none);
}

// The optimum in joint coordinates, which have the fewest unknowns, written in those of the task.
class JointGuess {
 public:
  JointGuess(const OptimalTask& task, Transcription& form, const RunOptions& options)
      : task_(task), form_(form), options_(options) {}

  std::optional<Guess> operator()(std::size_t intervals) {
    if (!joints_ && !asked_) joints_ = JointForm::of(task_.problem, {task_.system, task_.start, task_.goal});
    asked_ = true;
    if (!joints_) return std::nullopt;
    constexpr std::size_t least = 20, enough = 320;
    const std::size_t mesh = std::clamp(intervals, least, enough);
    if (!found_.contains(mesh)) found_[mesh] = solved_in_joints(mesh);
    std::optional<Guess>& found = found_[mesh];
    if (!found) return std::nullopt;
    try {
      MeshMotion motion = written_in_task(remeshed(found->motion, intervals, NewNodes::cubics));
      return Guess{std::move(motion), found->saddles, std::exchange(found->iterations, 0)};
    } catch (const InputError&) {  // the equations of motion have no solution there
      return std::nullopt;
    }
  }

 private:
  MeshMotion written_in_task(const MeshMotion& joints) {
    const std::size_t intervals = joints.intervals();
    MeshMotion guess = *first_guess(task_, form_, intervals, GuessKind::hold);
    guess.horizon = joints.horizon;
    guess.x = joints_->nodes(joints);
    guess.x.front() = task_.first_node();
    for (std::size_t k = 0; k < intervals; ++k)
      std::copy_n(joints.w[k].end() - std::ssize(task_.system.inputs), task_.system.inputs.size(),
                  guess.w[k].begin() + static_cast<std::ptrdiff_t>(form_.first_input()));
    set_multipliers(guess);
    form_.solve_steps(guess);
    return guess;
  }

  // Means of those at both ends of an interval.
  void set_multipliers(MeshMotion& guess) const {
    if (form_.in_joints() || form_.multiplier_count() == 0) return;
    for (std::size_t k = 0; k < guess.intervals(); ++k) {
      const std::vector<double> first = multipliers_at(guess, k, k), last = multipliers_at(guess, k + 1, k);
      for (std::size_t i = 0; i < form_.multiplier_count(); ++i) guess.w[k][i] = 0.5 * (first[i] + last[i]);
    }
  }

  std::vector<double> multipliers_at(const MeshMotion& guess, std::size_t node, std::size_t interval) const {
    State state = task_.start;
    const auto middle = guess.x[node].begin() + std::ssize(state.q);
    state.t = guess.horizon / static_cast<double>(guess.intervals()) * static_cast<double>(node);
    state.q.assign(guess.x[node].begin(), middle);
    state.v.assign(middle, guess.x[node].end());
    return task_.starts.consistent(state, std::span(guess.w[interval]).subspan(form_.first_input())).lambda;
  }

  std::optional<Guess> solved_in_joints(std::size_t intervals) const {
    try {
      Problem problem = joints_->problem();
      OptimizeSettings& s = problem.settings.of<OptimizeSettings>();
      s.scheme = "midpoint";
      s.guess = GuessKind::line;
      const Prepared prepared(std::move(problem));
      const OptimalTask task = prepare_optimum(prepared);
      Transcription form(task.system, task.scheme, task.settings, prepared.problem().signals);
      OptimalSearch search(task, form, options_);
      OptimalMotion found = search.run(intervals);
      if (!solved(found) || !found.doubt.empty()) return std::nullopt;
      return Guess{std::move(found.motion), found.origin.saddles, search.iterations()};
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

  const OptimalTask& task_;
  Transcription& form_;
  const RunOptions& options_;
  bool asked_ = false;
  std::optional<JointForm> joints_;
  std::map<std::size_t, std::optional<Guess>> found_;  // by intervals
};

// The direct method on all meshes; the indirect one begins with its motions.
OptimalMotion on_all_meshes(const OptimalTask& task, Transcription& form, const RunOptions& options,
                            OptimalSearch& search, std::vector<OptimizationSummary::Mesh>& meshes,
                            std::vector<std::string>& warnings) {
  const bool indirect = task.settings.method == OptimalMethod::indirect;
  MeshFamily family = refined(search, task.settings);
  warnings.insert(warnings.end(), family.notes.begin(), family.notes.end());
  int iterations = 0;
  OptimalMotion found;
  for (OptimalMotion& direct : family.members) {
    found = std::move(direct);
    if (found.solution.status == SolverStatus::solved && indirect) {
      found = to_extremal(task, form, found, options);
      iterations += found.solution.iterations;
    } else if (found.solution.status == SolverStatus::solved) {
      found = hold_between_nodes(task, std::move(found), options, iterations);
    }
    if (found.solution.status != SolverStatus::solved) break;
    if (task.settings.refine > 1)
      meshes.push_back({found.motion.intervals(), found.solution.cost, measures(task, found).hamiltonian});
  }
  found.solution.iterations = search.iterations() + iterations;
  return found;
}

// All of it, or the best so far if it is interrupted.
OptimalMotion as_far_as_wanted(const OptimalTask& task, Transcription& form, const RunOptions& options,
                               std::vector<OptimizationSummary::Mesh>& meshes, std::vector<std::string>& warnings) {
  if (task.settings.method == OptimalMethod::indirect) check_fits_indirect(task.system, task.settings);
  // A program of joint coordinates and their rates is as easy to solve as the one that would give the guess.
  const bool needed = task.settings.guess == GuessKind::joints || !form.in_joint_rates();
  OptimalSearch search(task, form, options, needed ? JointGuess(task, form, options) : CostlyGuess());
  try {
    return on_all_meshes(task, form, options, search, meshes, warnings);
  } catch (const Interrupted&) {
    std::optional<OptimalMotion> best = search.so_far();
    if (!best) throw;
    return std::move(*best);
  }
}

// In the coordinates and with the scheme that are asked for.
Optimum optimum_as_asked(const OptimalTask& task, const RunOptions& options) {
  const Problem& problem = task.problem;
  Optimum result;
  Summary& summary = result.summary;
  describe_start(problem, task.start_report, summary);
  summary.task = "optimize";
  summary.method = task.scheme.info.name;
  Transcription form(task.system, task.scheme, task.settings, problem.signals, {}, task.joints);
  std::vector<OptimizationSummary::Mesh> meshes;
  const OptimalMotion found = as_far_as_wanted(task, form, options, meshes, summary.warnings);
  tell_status(found.solution, problem.mechanism && problem.formulation != Formulation::minimal, summary);
  summary.until = found.motion.horizon;
  summary.steps = found.motion.intervals();
  summary.step = found.motion.horizon / static_cast<double>(std::max<std::size_t>(1, found.motion.intervals()));
  if (!found.solution.x.empty()) {
    OptimizationSummary& o = summary.parts.set(measures(task, found));
    o.meshes = std::move(meshes);
    extrapolate(task, found.motion, o);
    if (!found.doubt.empty()) summary.warnings.push_back(found.doubt);
    if (!found.origin.remark.empty()) summary.warnings.push_back(found.origin.remark);
    if (found.second_order == SecondOrder::saddle && summary.status == RunStatus::done)
      summary.warnings.push_back(saddle_words);
  }
  if (found.solution.status == SolverStatus::solved) try {
      judge(task, found, summary);
    } catch (const Interrupted&) {
      summary.status = RunStatus::interrupted;
      summary.message = "interrupted before the optimum was judged";
    }
  if (summary.status == RunStatus::failed) name_what_is_not_finite(task, form, found, summary);
  result.trajectory = motion_table(task, found);
  summary.accuracy = measure_accuracy(result.trajectory, conserved_quantities(task.system));
  for (const std::string& words : watch(task.system, {}, result.trajectory)) summary.warnings.push_back(words);
  result.inputs = input_table(task, found);
  result.costates = costate_table(found);
  return result;
}

}  // namespace

Optimum optimize(const Problem& problem, const RunOptions& options) { return optimize(Prepared(problem), {}, options); }

Optimum optimize(const Prepared& given, const Overrides& parameters, const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const Compilation compilation(options.compiler);
  const Prepared prepared = with_parameters(given, parameters);
  const OptimalTask task = prepare_optimum(prepared);
  std::optional<Optimum> in_joints =
      optimum_in_joints(task, [&](const Prepared& joints) { return optimize(joints, {}, options); });
  Optimum result = in_joints ? std::move(*in_joints) : optimum_as_asked(task, options);
  if (!in_joints) result.summary.machine_code = compilation.report();
  result.summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace invar
