// See prepare_optimum.h.
#include "invar/task/optimize/prepare_optimum.h"

#include <algorithm>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/scheme/choose.h"
#include "invar/system/conserved.h"
#include "invar/system/start.h"
#include "invar/task/optimize/start_limits.h"
#include "invar/task/run/problem_start.h"
#include "invar/task/simulate/simulate.h"

namespace invar {

namespace {

void refuse_unfit(const Problem& problem) {
  if (!problem.settings.has<OptimizeSettings>())
    throw InputError("the model has no [optimize]: nothing says what to reach");
  if (problem.formulation == Formulation::lie)
    throw InputError("formulation \"lie\" cannot be used for optimal control; use \"director\" or \"minimal\"");
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

}  // namespace

std::vector<double> OptimalTask::first_node() const {
  std::vector<double> x = start.q;
  x.insert(x.end(), start.v.begin(), start.v.end());
  return x;
}

OptimalTask prepare_optimum(const Problem& problem) {
  const OptimizeSettings& settings = problem.settings.of<OptimizeSettings>();
  check(settings);
  refuse_unfit(problem);
  Start start = open_start(problem);
  System system = without(problem.system, start.redundant);
  refuse_redundant_multipliers(settings, problem.system, system);
  State state =
      start.redundant.empty() ? start.state : consistent_start(system, start.state, {}, problem.signals).state;
  const Scheme& scheme = choose_scheme(system, settings.scheme);
  Goal goal = find_goal(system, settings, state.q, problem.signals);
  OptimalTask task{problem, settings, std::move(start), std::move(system), std::move(state), scheme, std::move(goal)};
  check_start_within_limits(task);
  return task;
}

}  // namespace invar
