// See dae.h.
#include "invar/dae/dae.h"

#include <fmt/format.h>

#include "invar/base/error.h"
#include "invar/system/equations.h"

namespace invar {

namespace {

template <class List, class Name>
std::string counted(const List& list, const char* noun, Name name) {
  std::string text = fmt::format("{} {}{}", list.size(), noun, list.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < list.size(); ++i) text += fmt::format("{}\"{}\"", i == 0 ? " (" : ", ", name(list[i]));
  return text + (list.empty() ? "" : ")");
}

[[noreturn]] void refuse_counts(const System& system, const std::vector<ServoTarget>& targets) {
  const std::string outputs = counted(targets, "output", [](const ServoTarget& t) { return t.output; }),
                    inputs = counted(system.inputs, "input", [](const Input& u) { return u.name; });
  throw InputError(fmt::format("{} {} prescribed but there {} {}; inversion needs as many: {}", outputs,
                               targets.size() == 1 ? "is" : "are", system.inputs.size() == 1 ? "is" : "are", inputs,
                               targets.size() < system.inputs.size() ? "add a trajectory or take away an input"
                                                                     : "add an input or take away a trajectory"));
}

}  // namespace

Dae servo(const System& system, const std::vector<ServoTarget>& targets, const std::vector<Reference>& signals) {
  if (targets.size() != system.inputs.size()) refuse_counts(system, targets);
  const Equations e = equations(system);
  Dae dae{system.graph, {}, {}, signals, system.parameters};
  for (std::size_t i = 0; i < e.dynamics.size(); ++i) {
    const std::string& name = system.coordinates[i].name();
    dae.equations.push_back({fmt::format("dynamics of \"{}\"", name), e.dynamics[i], EquationKind::dynamics});
    dae.unknowns.push_back({name, system.coordinates[i], UnknownKind::coordinate});
  }
  for (const Constraint& c : system.constraints) {
    dae.equations.push_back({fmt::format("constraint \"{}\"", c.name), c.expr, EquationKind::constraint});
    dae.unknowns.push_back({"lambda." + c.name, c.multiplier, UnknownKind::multiplier});
  }
  for (const Input& u : system.inputs) dae.unknowns.push_back({u.name, u.value, UnknownKind::input});
  for (const ServoTarget& target : targets) {
    Expr residual = target.expr;
    for (const Reference& r : target.follow) {
      residual -= at(r.value);
      dae.references.push_back(r);
    }
    dae.equations.push_back({fmt::format("output \"{}\"", target.output), residual, EquationKind::servo});
  }
  return dae;
}

}  // namespace invar
