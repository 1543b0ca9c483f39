// See prepare_optimum.h.
#include "invar/task/optimize/prepare_optimum.h"

#include <algorithm>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/system/conserved.h"
#include "invar/system/start/start.h"
#include "invar/task/optimize/start_limits.h"
#include "invar/task/run/problem_scheme.h"
#include "invar/task/simulate/simulate.h"
#include "invar/task/transcription/end_equations.h"

namespace invar {

namespace {

void refuse_unfit(const Problem& problem) {
  if (!problem.settings.has<OptimizeSettings>())
    throw InputError("the model has no [optimize]: nothing says what to reach");
  if (problem.system.inputs.empty()) throw InputError("[optimize]: the model has no inputs");
}

// A limit may contain the multiplier of a constraint that follows from others, which has no value of its own.
void refuse_redundant_multipliers(const OptimizeSettings& settings, const System& whole, const System& kept) {
  Exprs known = multipliers(kept);
  for (const Constraint& c : whole.constraints) {
    if (std::find(known.begin(), known.end(), at(c.multiplier)) != known.end()) continue;
    for (const Limit& limit : settings.bounds)
      if (depends(limit.formula, Exprs{at(c.multiplier)}))
        throw InputError("[optimize]: path: \"" + limit.name + "\" contains the multiplier of constraint \"" + c.name +
                         "\", which is redundant and has none");
  }
}

// Schemes that leave velocities across the constraints need all that is asked.
void say_once(OptimalTask& task) {
  if (!task.scheme.info.velocity_at_nodes) return;
  State end = task.start;
  end.t = task.settings.horizon;
  end.q = task.goal.q;
  FinalValues values = without_followers(task.system, task.settings.final, task.start, end);
  if (values.followers.empty()) return;
  task.settings.final = std::move(values.independent);
  task.followers = std::move(values.followers);
  task.goal = find_goal(task.system, task.settings, task.start.q, task.problem.signals);
}

}  // namespace

std::vector<double> OptimalTask::first_node() const {
  std::vector<double> x = start.q;
  x.insert(x.end(), start.v.begin(), start.v.end());
  return x;
}

// Reactions do not appear in the reduced scheme, but what rounding leaves of them does.
OptimalTask::QuickSteps OptimalTask::quick_steps() const {
  constexpr double as_far_as_it_goes = 1e-13, rounding = 1e-10;
  const bool open_tree = joints && scheme.info.name == "energy-momentum";
  return open_tree ? QuickSteps{*find_scheme("reduced-energy-momentum"), rounding}
                   : QuickSteps{scheme, as_far_as_it_goes};
}

// Accelerations matter to schemes that carry something, of which they are the beginning.
std::optional<State> OptimalTask::node(const OptimalMotion& found, std::size_t k) const {
  const MeshMotion& motion = found.motion;
  const auto middle = motion.x[k].begin() + static_cast<std::ptrdiff_t>(start.q.size());
  State state = start;
  state.t = motion.horizon / static_cast<double>(motion.intervals()) * static_cast<double>(k);
  state.q.assign(motion.x[k].begin(), middle);
  state.v.assign(middle, motion.x[k].end());
  std::copy_n(motion.w[k].begin(), found.multipliers, state.lambda.begin());
  if (motion.carried.empty()) return state;
  try {
    State moving = starts.consistent(state, std::span(motion.w[k]).subspan(found.first_input));
    state.a = std::move(moving.a);
    state.lambda = std::move(moving.lambda);
    return state;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

OptimalTask prepare_optimum(const Prepared& prepared) {
  const Problem& problem = prepared.problem();
  const OptimizeSettings& settings = problem.settings.of<OptimizeSettings>();
  check(settings);
  refuse_unfit(problem);
  const OpenStart& start = prepared.part<OpenStart>();
  const System& system = start.system();
  refuse_redundant_multipliers(settings, problem.system, system);
  const auto& [report, state] = start.point();
  OptimalTask task{problem,
                   settings,
                   report,
                   start,
                   system,
                   state,
                   scheme_for(problem, system, settings.scheme),
                   find_goal(system, settings, state.q, problem.signals),
                   {},
                   JointNodes::of(problem, system, state.q)};
  say_once(task);
  check_start_within_limits(task);
  return task;
}

}  // namespace invar
