// See integrated.h.
#include "invar/task/invert/integrated.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "invar/base/error.h"
#include "invar/dae/project.h"
#include "invar/scheme/choose.h"
#include "invar/scheme/dae/servo_integration.h"

namespace invar {

namespace {

ReducedDae form_of(const Problem& problem, const InverseStructure& s, InverseMethod method) {
  if (method == InverseMethod::direct) return {s.dae, {}, {}};
  if (method == InverseMethod::projection)
    return project(s.dae, problem.system.constraints.empty() ? ProjectionForm::redundant : ProjectionForm::dependent,
                   s.start);
  if (method == InverseMethod::minimal_extension_1 && s.hidden) return extend(s.dae, s.array->square_part(s.start));
  return extend(s.dae, s.formal, method == InverseMethod::minimal_extension ? 3 : 1, s.start, s.extra_orders);
}

// What speaks against a scheme that is made for equations of motion, not for equations in general; or nothing.
std::string objection(const InverseStructure& s, InverseMethod method, const SchemeInfo& scheme) {
  constexpr std::string_view others = "use implicit-euler, bdf2 or radau5";
  if (scheme.inverse_index == 0)
    return fmt::format("moves rigid bodies in coordinates of its own, in which inputs cannot be sought; {}", others);
  if (s.index > scheme.inverse_index)
    return fmt::format("steps through inverse problems up to index {}, but this one has index {}; {}",
                       scheme.inverse_index, s.index,
                       s.index <= 5 ? "use energy-momentum, or method = \"taylor\"" : "use method = \"taylor\"");
  if (method != InverseMethod::direct)
    return "steps through the equations of motion as they are; use method = \"direct\", or with this method "
           "implicit-euler, bdf2 or radau5";
  return {};
}

}  // namespace

DaeMotion integrated(const Problem& problem, const InverseStructure& s, InverseMethod method) {
  const InvertSettings& settings = problem.settings.of<InvertSettings>();
  const Scheme& scheme = scheme_called(settings.integrator, "integrator");
  const NewtonOptions newton{.tolerance = settings.tolerance};
  if (scheme.rule == nullptr) {
    if (const std::string words = objection(s, method, scheme.info); !words.empty())
      throw InputError(fmt::format("{}: {}", scheme.info.name, words));
    constexpr int direct_action = 3;  // the index of inputs that accelerate the outputs themselves
    const Level level = s.index > direct_action ? Level::velocity : Level::position;
    return integrate(ServoSystem{problem.system, problem.targets, problem.signals, level}, scheme, 0.0, settings.until,
                     settings.step, s.start, newton);
  }
  const ReducedDae reduced = form_of(problem, s, method);
  if (!reduced.regular())
    throw InputError(fmt::format("{}: the derivatives of {} depend on each other; use method = \"taylor\"",
                                 name_in(inverse_methods, method), fmt::join(reduced.dependent, ", ")));
  return integrate(reduced, scheme, 0.0, settings.until, settings.step, s.start, newton);
}

}  // namespace invar
