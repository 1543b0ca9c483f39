// See held.h.
#include "invar/statics/held.h"

#include <algorithm>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"

namespace invar {

namespace {

// The formulas that make up the equations of motion, one after another.
Exprs all_formulas(const System& system) {
  Exprs all = {system.kinetic, system.potential, system.weight};
  all.insert(all.end(), system.forces.begin(), system.forces.end());
  for (const Constraint& c : system.constraints) all.push_back(c.expr);
  return all;
}

bool is_given_in_time(const Expr& symbol) {
  return symbol.kind() == SymbolKind::time || symbol.kind() == SymbolKind::reference;
}

double value_at_rest(const Expr& symbol, std::span<const Reference> signals) {
  if (symbol.kind() == SymbolKind::time || symbol.order() > 0) return 0.0;
  const auto signal = std::ranges::find_if(signals, [&](const Reference& r) { return at(r.value) == symbol; });
  expects(signal != signals.end(), "a known function of time");
  double value = 0.0;
  signal->function->series(0.0, Side::right, {&value, 1});
  return value;
}

}  // namespace

System held(const System& system, std::span<const Reference> signals, std::span<const double> u) {
  expects(u.size() == system.inputs.size(), "one value per input");
  System rest = system;
  for (std::size_t k = 0; k < u.size(); ++k)
    for (std::size_t i = 0; i < rest.forces.size(); ++i) rest.forces[i] += system.inputs[k].direction[i] * u[k];
  rest.inputs.clear();
  rest.outputs.clear();
  rest.invariants.clear();
  rest.momenta.clear();
  rest.shown.clear();
  rest.watched.clear();
  rest.estimated.clear();
  const Exprs formulas = all_formulas(rest);
  Exprs from = symbols(formulas), to;
  std::erase_if(from, [](const Expr& s) { return !is_given_in_time(s); });
  for (const Expr& symbol : from) to.push_back(value_at_rest(symbol, signals));
  const Exprs fixed = substitute(formulas, from, to);
  rest.kinetic = fixed[0];
  rest.potential = fixed[1];
  rest.weight = fixed[2];
  std::size_t place = 3;
  for (Expr& f : rest.forces) f = fixed[place++];
  for (Constraint& c : rest.constraints) c.expr = fixed[place++];
  return rest;
}

bool changes_in_time(const System& system) {
  Exprs formulas = all_formulas(system);
  for (const Input& input : system.inputs)
    formulas.insert(formulas.end(), input.direction.begin(), input.direction.end());
  return std::ranges::any_of(symbols(formulas), is_given_in_time);
}

}  // namespace invar
