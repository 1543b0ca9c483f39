// See problem_scheme.h.
#include "invar/task/run/problem_scheme.h"

#include <fmt/format.h>

#include "invar/base/error.h"
#include "invar/scheme/choose.h"
#include "invar/scheme/difference_rule.h"
#include "invar/task/run/baumgarte_setting.h"
#include "invar/task/run/simulate_settings.h"

namespace invar {

const Scheme& scheme_for(const Problem& problem, const System& system, const std::string& name) {
  const bool lie = problem.formulation == Formulation::lie;
  const Scheme& scheme = choose_scheme(system, lie && name == "auto" ? "lie-rk4" : name);
  if (lie && !scheme.info.on_rotations)
    throw InputError(fmt::format(
        "formulation \"lie\" needs a method on the rotation group, such as lie-rk4, and not {}", scheme.info.name));
  return scheme;
}

const Scheme& simulation_scheme(const Problem& problem) {
  const SimulateSettings& s = problem.settings.of<SimulateSettings>();
  const Scheme& scheme = scheme_for(problem, problem.system, s.method);
  require_stable(s.baumgarte, scheme, s.adaptive > 0.0 ? 0.0 : s.step);
  if (s.minimal_extension) require_extendable(scheme, {.stabilise = s.stabilise});
  return scheme;
}

}  // namespace invar
