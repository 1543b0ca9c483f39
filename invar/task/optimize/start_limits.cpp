// See start_limits.h.
#include "invar/task/optimize/start_limits.h"

#include <fmt/format.h>

#include <cmath>

#include "invar/base/error.h"
#include "invar/expr/lists.h"
#include "invar/task/optimize/between_nodes.h"

namespace invar {

namespace {

std::string asked_for(const Limit& limit) {
  if (!std::isfinite(limit.lower)) return fmt::format("at most {:.6g}", limit.upper);
  if (!std::isfinite(limit.upper)) return fmt::format("at least {:.6g}", limit.lower);
  if (limit.lower == limit.upper) return fmt::format("{:.6g}", limit.lower);
  return fmt::format("between {:.6g} and {:.6g}", limit.lower, limit.upper);
}

}  // namespace

void check_start_within_limits(const OptimalTask& task) {
  constexpr double rounding = 1e-8, nothing = 1e-12;  // of a start that was made consistent: relative, and of zeros
  Exprs others = inputs(task.system);
  append(others, multipliers(task.system));
  for (std::size_t i = 0; i < task.settings.bounds.size(); ++i) {
    const Limit& limit = task.settings.bounds[i];
    if (depends(limit.formula, others)) continue;
    StateFunction formula(task.system, {&limit.formula, 1}, task.problem.signals);
    State goal = task.start;
    goal.q = task.goal.q;
    const double value = formula(task.start).front(), there = formula(goal).front();
    if (!std::isfinite(value))
      throw InputError(
          fmt::format("[optimize]: {} has no finite value at the start ({})", name_of_limit(task, i), value));
    const double bound = value < limit.lower ? limit.lower : limit.upper;
    const double size = std::max({std::abs(value), std::abs(bound), std::isfinite(there) ? std::abs(there) : 0.0});
    const double error = rounding * size + nothing;
    if (value >= limit.lower - error && value <= limit.upper + error) continue;
    throw InputError(
        fmt::format("[optimize]: the start is outside {}: it must be {}, but [initial] makes it {:.6g}; change the "
                    "start or the limit",
                    name_of_limit(task, i), asked_for(limit), value));
  }
}

}  // namespace invar
