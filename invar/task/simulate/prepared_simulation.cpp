// See prepared_simulation.h.
#include "invar/task/simulate/prepared_simulation.h"

#include "invar/task/run/problem_scheme.h"
#include "invar/task/run/simulate_settings.h"

namespace invar {

namespace {

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
                     .stabilise = settings.stabilise,
                     .minimal_extension = settings.minimal_extension},
          .newton = {.tolerance = settings.tolerance}};
}

}  // namespace

PreparedSimulation::PreparedSimulation(const Problem& problem)
    : scheme(scheme_for(problem, problem.system, problem.settings.of<SimulateSettings>().method)),
      start(problem),
      report(report_of(problem, start.point().report)),
      inputs(problem.system, problem.settings.of<SimulateSettings>().inputs, problem.signals),
      observer(problem.system, problem.signals),
      judge(problem.system, problem.signals, observer.conserved()),
      singular(system(), problem.signals),
      stabilisation_(system(), scheme.info),
      stabilised_(problem.settings.of<SimulateSettings>().stabilise),
      conserving_(is_conserving(problem)),
      stepper_(system(), scheme, options_of(problem.settings.of<SimulateSettings>()), problem.signals) {}

bool PreparedSimulation::is_conserving(const Problem& changed) const {
  return stabilised_ && stabilisation_(parameter_values(changed.system));
}

const Stepper& PreparedSimulation::stepper(const Compiler* compiler) const {
  if (!compiler) return stepper_;
  return compiled_->get([&] {
    Stepper compiled = stepper_;
    compiled.compile(*compiler);
    return compiled;
  });
}

}  // namespace invar
