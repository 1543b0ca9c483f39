// The row of the table of tasks for forward dynamics.
#include "invar/task/simulate/simulate_task.h"

#include "invar/task/simulate/simulate.h"

namespace invar {

namespace {

constexpr TaskOption options[] = {
    step_option,
    until_option,
    {"--minimal-extension", TaskOption::Kind::flag,
     "constraints at all levels, index 1; with implicit-euler, bdf2 or radau5"},
    {"--every", TaskOption::Kind::count, "record every so many steps"},
    {"--adaptive", TaskOption::Kind::number, "error of a step, by which steps are chosen"},
    {"--baumgarte", TaskOption::Kind::flag, "explicit methods: pull the motion towards the constraints, no projection"},
};

void take(const GivenSettings& given, Problem& problem) {
  SimulateSettings& settings = problem.settings.of<SimulateSettings>();
  given.take("--step", settings.step);
  given.take("--until", settings.until);
  given.take("--every", settings.every);
  given.take("--adaptive", settings.adaptive);
  given.take_method(settings.method);
  if (given.has("--baumgarte")) {
    settings.baumgarte = settings.baumgarte.value_or(Baumgarte());
    settings.project = false;
  }
  if (given.has("--minimal-extension")) settings.minimal_extension = true;
  check(settings);
}

double end(const Problem& problem) { return problem.settings.of<SimulateSettings>().until; }

Outcome run(const Prepared& prepared, const Overrides& parameters, const RunOptions& how) {
  Simulation found = simulate(prepared, parameters, how);
  return {std::move(found.trajectory), std::move(found.summary)};
}

std::optional<Outcome> run_alike(const Prepared& prepared, const Overrides& parameters, const RunOptions& how) {
  std::optional<Simulation> found = simulate_alike(prepared, parameters, how);
  if (!found) return std::nullopt;
  return Outcome{std::move(found->trajectory), std::move(found->summary)};
}

}  // namespace

const Task simulate_task = {
    .verb = "simulate",
    .help = "compute the motion of a model",
    .read = model::read_simulate,
    .options = options,
    .take = take,
    .end = end,
    .goes_on = true,
    .run = run,
    .run_alike = run_alike,
};

}  // namespace invar
