// See optimal_search.h: saddles are left downhill.
#include "invar/program/saddle.h"
#include "invar/task/optimize/optimal_search.h"

namespace invar {

// Minima of the Lagrangian along what the rows and bounds leave free; a saddle is left downhill.
void OptimalSearch::leave_saddles(OptimalMotion& found) {
  constexpr int most = 8;
  for (int i = 0; i < most && solved(found) && !stopped_; ++i) {
    const std::size_t intervals = found.motion.intervals();
    const NonlinearProgram program = form_.program(intervals, task_.first_node(), task_.goal.ranges);
    const Curvature c = curvature(program, found.solution, controls(intervals));
    found.second_order = c.kind;
    if (c.kind != SecondOrder::saddle) return;
    if (falls_for_ever(program, found.solution, c)) {
      found.solution.status = SolverStatus::unbounded;
      found.solution.reason = "the cost is unbounded: along a line of motions it falls without limit";
      return;
    }
    if (!step_off(program, c, found)) return;
  }
}

bool OptimalSearch::step_off(const NonlinearProgram& program, const Curvature& c, OptimalMotion& found) {
  const std::size_t intervals = found.motion.intervals();
  for (const double part : {1.0, 0.1}) {
    std::optional<OptimalMotion> lower;
    for (const double sign : {1.0, -1.0}) {
      if (stopped_) return false;
      OptimalMotion other = attempt(form_.unpack(beside(program, found.solution, c, sign * part), intervals),
                                    found.origin.guess, task_.settings.iterations);
      if (other.solution.status == SolverStatus::unbounded) {
        examine(other);
        found = std::move(other);
        return false;
      }
      if (!solved(other) || !cheaper(other.solution.cost, found.solution.cost)) continue;
      examine(other);
      if (!other.doubt.empty() && found.doubt.empty()) continue;
      if (!lower || better(other, *lower)) lower = std::move(other);
    }
    if (!lower) continue;
    lower->origin = found.origin;
    ++lower->origin.saddles;
    found = std::move(*lower);
    return true;
  }
  return false;
}

// All other variables of a motion follow from the inputs and the horizon.
std::vector<bool> OptimalSearch::controls(std::size_t intervals) const {
  std::vector<bool> result(form_.variable_count(intervals), false);
  for (std::size_t k = 1; k <= intervals; ++k)
    for (std::size_t i = 1; i <= form_.input_count(); ++i) result[k * form_.stride() - i] = true;
  if (task_.settings.shortest < task_.settings.longest) result.back() = true;
  return result;
}

}  // namespace invar
