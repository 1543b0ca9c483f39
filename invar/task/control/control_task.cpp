// The row of the table of tasks for closed-loop control.
#include "invar/task/control/control_task.h"

#include <fmt/format.h>

#include "invar/task/control/control.h"

namespace invar {

namespace {

constexpr TaskOption options[] = {step_option, until_option};

void take(const GivenSettings& given, Problem& problem) {
  if (!problem.settings.has<ControlSettings>()) return;
  ControlSettings& settings = problem.settings.of<ControlSettings>();
  given.take("--step", settings.period);
  given.take("--until", settings.until);
  given.take_method(settings.controller);
  check(settings);
}

double end(const Problem& problem) { return problem.settings.of<ControlSettings>().until; }

Outcome run(const Prepared& prepared, const Overrides& parameters, const RunOptions& how) {
  ControlRun found = control(prepared, parameters, how);
  return {std::move(found.trajectory), std::move(found.summary), {{"inputs", std::move(found.inputs)}}};
}

std::string foretell(const Problem& problem, Summary& summary) {
  if (!problem.settings.has<ControlSettings>()) return {};
  if (problem.settings.of<ControlSettings>().law) return {};
  const std::optional<double> radius = summary.parts.set(check_loop(problem, summary.warnings)).spectral_radius;
  const ControlSettings& settings = problem.settings.of<ControlSettings>();
  return fmt::format("{} every {:.6g} s{}", settings.controller, settings.period,
                     radius ? fmt::format(", spectral radius at rest {:.6g}", *radius) : "");
}

}  // namespace

const Task control_task = {
    .verb = "control",
    .help = "simulate a plant together with a controller that follows the trajectories",
    .read = model::read_control,
    .options = options,
    .take = take,
    .end = end,
    .run = run,
    .subject = "closed loop",
    .foretell = foretell,
};

}  // namespace invar
