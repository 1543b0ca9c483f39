// See formula_text.h.
#include "invar/system/formula_text.h"

#include <optional>
#include <string>
#include <vector>

#include "invar/expr/derivative.h"
#include "invar/expr/parse.h"

namespace invar {

namespace {

std::optional<Expr> find(const System& system, std::string_view name, int order) {
  for (const Variable& x : system.coordinates)
    if (x.name() == name && order <= 2) return at(x, order);
  for (const Quantity& y : system.outputs)
    if (y.name == name && order <= 1) return order == 0 ? y.expr : ddt(y.expr);
  if (order > 0) return std::nullopt;
  if (name == "t") return system.graph.time();
  for (const Parameter& p : system.parameters)
    if (p.name == name) return p.symbol;
  for (const Input& u : system.inputs)
    if (u.name == name) return at(u.value);
  for (const Constraint& c : system.constraints)
    if (c.multiplier.name() == name) return at(c.multiplier);
  return std::nullopt;
}

std::vector<std::string> names_of(const System& system) {
  std::vector<std::string> names = {"t"};
  for (const Variable& x : system.coordinates) names.push_back(x.name());
  for (const Parameter& p : system.parameters) names.push_back(p.name);
  for (const Input& u : system.inputs) names.push_back(u.name);
  for (const Constraint& c : system.constraints) names.push_back(c.multiplier.name());
  for (const Quantity& y : system.outputs) names.push_back(y.name);
  return names;
}

}  // namespace

Expr formula(const System& system, std::string_view text) {
  return parse(text, {[&](std::string_view name, int order) { return find(system, name, order); }, names_of(system)});
}

}  // namespace invar
