// See integrated.h.
#include "invar/task/invert/integrated.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "invar/base/error.h"
#include "invar/dae/project.h"
#include "invar/scheme/choose.h"
#include "invar/scheme/dae/servo_integration.h"
#include "invar/task/inverse_structure/held_start.h"

namespace invar {

namespace {

// What stands in the message if the reduction fails.
[[noreturn]] void refuse(InverseMethod method, const std::vector<std::string>& dependent) {
  const bool further = method == InverseMethod::minimal_extension;
  throw InputError(fmt::format("{}: the derivatives of {} depend on each other; use method = {}\"taylor\"",
                               name_in(inverse_methods, method), fmt::join(dependent, ", "),
                               further ? "\"minimal-extension-1\" or " : ""));
}

int target_index(InverseMethod method) { return method == InverseMethod::minimal_extension_1 ? 1 : 3; }

ReducedDae form_of(const InverseStructure& s, InverseMethod method) {
  if (method == InverseMethod::direct) return {s.dae, {}, {}};
  if (method == InverseMethod::projection) return project(s.dae, projection_form(s.dae, s.near), s.near);
  if (method == InverseMethod::minimal_extension_1 && s.hidden) return extend(s.dae, s.array->square_part(s.near));
  return extend(s.dae, s.formal, target_index(method), s.near, s.extra_orders);
}

// The last node of the grid that is not later.
double node_before(const std::vector<double>& grid, double t) {
  return *std::prev(std::upper_bound(grid.begin(), grid.end(), t));
}

// From a singular start: with the open unknowns held at first, by minimal extension unless the method is direct, then
// as usual.
DaeMotion from_singular_start(const InverseStructure& s, InverseMethod method, const ReducedDae& usual,
                              const Scheme& scheme, const InvertSettings& settings, const NewtonOptions& newton) {
  const HeldStart held = hold_open_unknowns(s);
  const double end = node_before(step_grid(s.dae.references, 0.0, settings.until, settings.step), held.until);
  if (end == 0.0) return integrate(usual, scheme, 0.0, settings.until, settings.step, s.start, newton);
  ReducedDae first{held.dae, {}, {}};
  if (method != InverseMethod::direct)
    first = extend(held.dae, offsets(signature(held.dae)), target_index(method), s.start);
  if (!first.regular()) refuse(method, first.dependent);
  DaeMotion beginning = integrate(first, scheme, 0.0, end, settings.step, s.start, newton);
  if (!beginning.complete) return beginning;
  return go_on(beginning, usual, scheme, settings.until, settings.step, s.near, newton);
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
  const ReducedDae reduced = form_of(s, method);
  if (!reduced.regular()) refuse(method, reduced.dependent);
  const auto plain = [&] { return integrate(reduced, scheme, 0.0, settings.until, settings.step, s.start, newton); };
  if (!s.singular_start) return plain();
  // Steps may stride over the singular point, as the literature's do.
  const bool extension = method == InverseMethod::minimal_extension || method == InverseMethod::minimal_extension_1;
  if (!extension)
    if (DaeMotion motion = plain(); motion.complete) return motion;
  return from_singular_start(s, method, reduced, scheme, settings, newton);
}

}  // namespace invar
