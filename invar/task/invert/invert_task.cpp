// The row of the table of tasks for inverse dynamics.
#include "invar/task/invert/invert_task.h"

#include "invar/task/inverse_structure/inverse_structure.h"
#include "invar/task/invert/invert.h"

namespace invar {

namespace {

constexpr TaskOption options[] = {
    {"--no-verify", TaskOption::Kind::flag, "no simulation with the computed inputs"},
    {"--accept-rough-reference", TaskOption::Kind::flag, "go on though a trajectory lacks derivatives: inputs jump"},
    step_option,
    until_option};

void take(const GivenSettings& given, Problem& problem) {
  InvertSettings& settings = problem.settings.of<InvertSettings>();
  given.take("--step", settings.step);
  given.take("--until", settings.until);
  given.take_method(settings.method);
  check(settings);
  if (given.has("--no-verify")) settings.verify = false;
  if (given.has("--accept-rough-reference")) settings.accept_rough_reference = true;
}

double end(const Problem& problem) { return problem.settings.of<InvertSettings>().until; }

Outcome run(const Prepared& prepared, const Overrides& parameters, const RunOptions& how) {
  Inversion found = invert(prepared, parameters, how);
  return {std::move(found.trajectory), std::move(found.summary), {{"inputs", std::move(found.inputs)}}};
}

std::string foretell(const Problem& problem, Summary& summary) {
  if (problem.targets.empty()) return {};
  const InverseStructure structure = analyse_inverse(problem);
  summary.parts.set(inversion_summary(structure));
  return in_words(structure);
}

}  // namespace

const Task invert_task = {
    .verb = "invert",
    .help = "compute the inputs that make the outputs follow their trajectories",
    .read = model::read_invert,
    .options = options,
    .take = take,
    .end = end,
    .run = run,
    .subject = "inverse problem",
    .foretell = foretell,
    .others_may_do = true,  // a controller need not be exact
};

}  // namespace invar
