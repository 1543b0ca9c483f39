// Building and checking a System.
#include "invar/system/system.h"

#include <array>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"

namespace invar {

namespace {

Exprs of_order(const System& system, int order) {
  Exprs symbols;
  for (const Variable& x : system.coordinates) symbols.push_back(at(x, order));
  return symbols;
}

}  // namespace

void System::add_coordinate(const std::string& name) {
  coordinates.push_back(graph.variable(name));
  forces.emplace_back(0.0);
}

void System::add_constraint(const std::string& name, const Expr& expr, Level level) {
  constraints.push_back({name, expr, level, graph.variable("lambda." + name), 0.0});
}

void System::add_input(const std::string& name, Exprs direction) {
  expects(direction.size() == coordinates.size(), "one direction entry per coordinate");
  inputs.push_back({name, graph.variable(name), std::move(direction)});
}

Expr System::add_parameter(const std::string& name, double value) {
  parameters.push_back({name, graph.parameter(name), value});
  return parameters.back().symbol;
}

Exprs positions(const System& system) { return of_order(system, 0); }
Exprs velocities(const System& system) { return of_order(system, 1); }
Exprs accelerations(const System& system) { return of_order(system, 2); }

Exprs multipliers(const System& system) {
  Exprs symbols;
  for (const Constraint& c : system.constraints) symbols.push_back(at(c.multiplier));
  return symbols;
}

Exprs inputs(const System& system) {
  Exprs symbols;
  for (const Input& u : system.inputs) symbols.push_back(at(u.value));
  return symbols;
}

Exprs parameters(const System& system) {
  Exprs symbols;
  for (const Parameter& p : system.parameters) symbols.push_back(p.symbol);
  return symbols;
}

std::vector<double> parameter_values(const System& system) {
  std::vector<double> values;
  for (const Parameter& p : system.parameters) values.push_back(p.value);
  return values;
}

void check_kinetic(const System& system) {
  const auto d = degree(system.kinetic, velocities(system));
  if (!d || *d > 2) throw InputError("kinetic energy: not quadratic in the velocities");
  if (depends(system.kinetic, accelerations(system))) throw InputError("kinetic energy: contains an acceleration");
}

void check_potential(const System& system) {
  if (depends(system.potential, velocities(system))) throw InputError("potential energy: contains a velocity");
}

// The constraint is linear in its own derivatives of q, contains at least one, and none of higher order.
void check_constraint(const System& system, const Constraint& c) {
  constexpr std::array<const char*, 3> unknowns = {"coordinate", "velocity", "acceleration"};
  constexpr std::array<const char*, 3> levels = {"position", "velocity", "acceleration"};
  const auto level = static_cast<std::size_t>(c.level);
  const std::string where = "constraint \"" + c.name + "\": ";
  for (std::size_t above = level + 1; above <= 2; ++above)
    if (depends(c.expr, of_order(system, static_cast<int>(above))))
      throw InputError(where + "contains a " + unknowns[above] + "; say level = \"" + levels[above] + "\"");
  const Exprs own = of_order(system, static_cast<int>(level));
  if (!depends(c.expr, own)) throw InputError(where + "contains no " + unknowns[level]);
  if (c.level != Level::position && degree(c.expr, own) != 1)
    throw InputError(where + "must be linear in the " + (c.level == Level::velocity ? "velocities" : "accelerations"));
}

void check_coordinate(const System& system, std::size_t i) {
  const Exprs own = {at(system.coordinates[i]), at(system.coordinates[i], 1), at(system.coordinates[i], 2)};
  bool used = depends(system.kinetic, own) || depends(system.potential, own) || !system.forces[i].is_constant(0.0);
  for (const Constraint& c : system.constraints) used = used || depends(c.expr, own);
  for (const Input& u : system.inputs) used = used || !u.direction[i].is_constant(0.0);
  if (!used) throw InputError("coordinate \"" + system.coordinates[i].name() + "\" appears in no equation");
}

void check(const System& system) {
  expects(system.forces.size() == system.coordinates.size(), "one force per coordinate");
  check_kinetic(system);
  check_potential(system);
  for (const Constraint& c : system.constraints) check_constraint(system, c);
  for (std::size_t i = 0; i < system.coordinates.size(); ++i) check_coordinate(system, i);
}

}  // namespace invar
