// See optimal_task.h.
#include "invar/task/optimal_task.h"

#include "invar/expr/error.h"
#include "invar/system/conserved.h"
#include "invar/task/problem_start.h"
#include "invar/task/simulate.h"

namespace invar {

namespace {

void refuse_unfit(const Problem& problem) {
  if (!problem.optimize.asked) throw InputError("the model has no [optimize]: nothing says what to reach");
  if (problem.formulation == "lie")
    throw InputError("formulation \"lie\" cannot be used for optimal control; use \"director\" or \"minimal\"");
  if (problem.system.inputs.empty()) throw InputError("[optimize]: the model has no inputs");
}

}  // namespace

std::vector<double> OptimalTask::first_node() const {
  std::vector<double> x = start.q;
  x.insert(x.end(), start.v.begin(), start.v.end());
  return x;
}

OptimalTask prepare_optimum(const Problem& problem) {
  const OptimizeSettings& settings = problem.optimize;
  check(settings);
  refuse_unfit(problem);
  Start start = open_start(problem);
  System system = without(problem.system, start.redundant);
  State state =
      start.redundant.empty() ? start.state : consistent_start(system, start.state, {}, problem.signals).state;
  const Scheme& scheme = choose_scheme(system, settings.scheme);
  Goal goal = find_goal(system, settings, state.q, problem.signals);
  return {problem, settings, std::move(start), std::move(system), std::move(state), scheme, std::move(goal)};
}

}  // namespace invar
