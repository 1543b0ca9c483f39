// See prepared_simulation.h.
#include "invar/task/simulate/prepared_simulation.h"

#include <fmt/format.h>

#include "invar/base/error.h"
#include "invar/system/massless.h"
#include "invar/system/start/start_evaluation.h"
#include "invar/task/run/problem_scheme.h"
#include "invar/task/run/simulate_settings.h"

namespace invar {

namespace {

// Explicit schemes solve for accelerations: of a coordinate without mass a constraint must tell it.
void expect_mass(const Scheme& scheme, const Problem& problem, const System& system, const StartPoint& start) {
  if (!scheme.explicit_method || !start.report.has_massless_motions) return;
  StartEvaluation at(system, problem.signals);
  const Matrix free = MasslessBalance::directions(at.mass(start.state), at.gradient(start.state));
  if (free.cols() == 0) return;
  Eigen::Index most = 0;
  free.col(0).cwiseAbs().maxCoeff(&most);
  throw InputError(fmt::format(
      "{}: coordinate \"{}\" has no mass and no constraint moves it, so that nothing tells its acceleration; use an "
      "implicit method such as radau5 or energy-momentum",
      scheme.info.name, system.coordinates[static_cast<std::size_t>(most)].name()));
}

// Formulas must have values at the start before anything else is said about them.
StartReport report_of(const Problem& problem, const Start& start) {
  StartReport report(problem);
  report.expect_finite(problem, start);
  return report;
}

StepperOptions options_of(const SimulateSettings& settings) {
  return {.scheme = {.rho = settings.rho,
                     .map = settings.map,
                     .project = settings.project,
                     .baumgarte = settings.baumgarte,
                     .stabilise = settings.stabilise,
                     .minimal_extension = settings.minimal_extension},
          .newton = {.tolerance = settings.tolerance, .keep_factors = true}};
}

std::optional<ConservingStabilisation> stabilisation_of(const Problem& problem, const System& system,
                                                        const Scheme& scheme) {
  if (!problem.settings.of<SimulateSettings>().stabilise) return std::nullopt;
  return ConservingStabilisation(system, scheme.info);
}

}  // namespace

PreparedSimulation::PreparedSimulation(const Problem& problem)
    : scheme(simulation_scheme(problem)),
      start(problem),
      report(report_of(problem, start.point().report)),
      inputs(problem.system, problem.settings.of<SimulateSettings>().inputs, problem.signals),
      observer(problem.system, problem.signals),
      judge(problem.system, problem.signals, observer.conserved()),
      singular(system(), problem.signals),
      stabilisation_(stabilisation_of(problem, system(), scheme)),
      conserving_(is_conserving(problem)),
      stepper_(system(), scheme, options_of(problem.settings.of<SimulateSettings>()), problem.signals) {
  expect_mass(scheme, problem, system(), start.point());
}

bool PreparedSimulation::is_conserving(const Problem& changed) const {
  return stabilisation_ && (*stabilisation_)(parameter_values(changed.system));
}

}  // namespace invar
