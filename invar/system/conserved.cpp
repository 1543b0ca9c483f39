// Conserved quantities by inspection of which symbols stand in which formula.
#include "invar/system/conserved.h"

#include <algorithm>
#include <set>
#include <span>

#include "invar/expr/derivative.h"
#include "invar/expr/symbol_places.h"

namespace invar {

namespace {

bool changes_by_itself(const Expr& f) {
  const Exprs found = symbols(std::span(&f, 1));
  return std::ranges::any_of(
      found, [](const Expr& s) { return s.kind() == SymbolKind::time || s.kind() == SymbolKind::reference; });
}

bool all_zero(const Exprs& f) {
  return std::ranges::all_of(f, [](const Expr& e) { return e.is_constant(0.0); });
}

// v are the velocities of the system.
std::string why_constraint_works(const SymbolPlaces& v, const Constraint& c) {
  const std::string where = "constraint \"" + c.name + "\" ";
  if (changes_by_itself(c.expr)) return where + "depends on time";
  if (c.level == Level::acceleration) return where + "stands at acceleration level";
  if (c.level == Level::position) return {};
  Exprs moving = symbols({&c.expr, 1});
  std::erase_if(moving, [&](const Expr& s) { return !v.contains(s); });
  if (!substitute(c.expr, moving, Exprs(moving.size(), 0.0)).is_constant(0.0))
    return where + "is not homogeneous in the velocities";
  return {};
}

std::string why_forces_work(const System& system) {
  const Exprs v = velocities(system);
  Expr power = 0.0;  // gyroscopic forces act but do no work
  for (std::size_t i = 0; i < v.size(); ++i) power += system.forces[i] * v[i];
  if (power.is_constant(0.0)) return {};
  const auto first = std::ranges::find_if(system.forces, [](const Expr& f) { return !f.is_constant(0.0); });
  const auto i = static_cast<std::size_t>(first - system.forces.begin());
  return "a non-conservative force acts on \"" + system.coordinates[i].name() + "\"";
}

// Numbers of the symbols on which a generalised force acts through T, V or a constraint.
std::set<std::uint32_t> acted_on(const System& system) {
  Exprs by_level[3] = {{system.kinetic, system.potential}, {}, {}};
  for (const Constraint& c : system.constraints) by_level[static_cast<std::size_t>(c.level)].push_back(c.expr);
  std::set<std::uint32_t> ids;
  for (int level = 0; level < 3; ++level)
    for (const Expr& s : symbols(by_level[level]))
      if (s.kind() == SymbolKind::variable && s.order() == level) ids.insert(s.id());
  return ids;
}

}  // namespace

bool purely_quadratic(const Expr& kinetic, const Exprs& v) {
  if (homogeneity(kinetic, SymbolPlaces(v)) == 2) return true;
  const Exprs rest(v.size(), 0.0);
  return substitute(kinetic, v, rest).is_constant(0.0) && all_zero(substitute(gradient(kinetic, v), v, rest));
}

std::string why_energy_changes(const System& system) {
  if (changes_by_itself(system.kinetic)) return "the kinetic energy depends on time";
  if (changes_by_itself(system.potential)) return "the potential energy depends on time";
  if (!purely_quadratic(system.kinetic, velocities(system)))
    return "the kinetic energy is not purely quadratic in the velocities";
  if (std::string why = why_forces_work(system); !why.empty()) return why;
  if (!system.inputs.empty()) return "input \"" + system.inputs.front().name + "\" can do work";
  const SymbolPlaces v(velocities(system));
  for (const Constraint& c : system.constraints)
    if (std::string why = why_constraint_works(v, c); !why.empty()) return why;
  return {};
}

std::vector<std::size_t> cyclic_coordinates(const System& system) {
  const std::set<std::uint32_t> ids = acted_on(system);
  const Exprs momentum = gradient(system.kinetic, velocities(system));
  std::vector<std::size_t> cyclic;
  for (std::size_t i = 0; i < system.coordinates.size(); ++i) {
    bool free = system.forces[i].is_constant(0.0) && !momentum[i].is_constant();
    for (int level = 0; level < 3; ++level) free = free && !ids.contains(at(system.coordinates[i], level).id());
    for (const Input& u : system.inputs) free = free && u.direction[i].is_constant(0.0);
    if (free) cyclic.push_back(i);
  }
  return cyclic;
}

std::vector<Conserved> conserved_quantities(const System& system) {
  const std::string why = why_energy_changes(system);
  std::vector<Conserved> list = {{"energy.total", system.kinetic + system.potential, why.empty(), why}};
  const Exprs momentum = gradient(system.kinetic, velocities(system));
  for (std::size_t i : cyclic_coordinates(system))
    list.push_back({"momentum." + system.coordinates[i].name(), momentum[i], true, {}});
  for (const Momentum& m : system.momenta) list.push_back({m.name, m.expr, m.why_not.empty(), m.why_not});
  for (const Quantity& q : system.invariants) list.push_back({q.name, q.expr, true, {}});
  return list;
}

}  // namespace invar
