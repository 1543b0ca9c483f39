// The row of the table of tasks for optimal control.
#include "invar/task/optimize/optimize_task.h"

#include "invar/task/optimize/optimize.h"

namespace invar {

namespace {

constexpr TaskOption options[] = {
    {"--intervals", TaskOption::Kind::count, "number of time steps"},
    {"--refine", TaskOption::Kind::count,
     "so many meshes, each twice as fine as the one before, and the limit of their costs"},
};

void take(const GivenSettings& given, Problem& problem) {
  if (!problem.settings.has<OptimizeSettings>()) return;
  OptimizeSettings& settings = problem.settings.of<OptimizeSettings>();
  given.take("--intervals", settings.intervals);
  given.take("--refine", settings.refine);
  // --method is that of optimal control or, within it, the scheme.
  if (const auto method = kind_in(optimal_methods, given.method))
    settings.method = *method;
  else
    given.take_method(settings.scheme);
  check(settings);
}

double end(const Problem& problem) { return problem.settings.of<OptimizeSettings>().longest; }

Outcome run(const Prepared& prepared, const Overrides& parameters, const RunOptions& how) {
  Optimum found = optimize(prepared, parameters, how);
  return {std::move(found.trajectory),
          std::move(found.summary),
          {{"inputs", std::move(found.inputs)}, {"costates", std::move(found.costates)}}};
}

}  // namespace

const Task optimize_task = {
    .verb = "optimize",
    .help = "compute the inputs that reach a goal at the least cost",
    .read = model::read_optimize,
    .options = options,
    .take = take,
    .end = end,
    .tells_fraction = true,
    .run = run,
};

}  // namespace invar
