// See step_symbols.h.
#include "invar/scheme/step_symbols.h"

#include <algorithm>

namespace invar {

StepSymbols::StepSymbols(const System& system, const Equations& e, const Scheme& scheme, const Expr& t0, const Expr& h,
                         bool held)
    : graph_(system.graph) {
  for (const Variable& x : system.coordinates) step.coordinates.push_back(x.name());
  for (const Constraint& c : system.constraints) step.constraints.push_back(c.name);
  for (const Input& input : system.inputs) input_names_.push_back(input.name);
  step.h = h;
  step.pace = h;
  step.part = graph_.parameter("part of the step");
  step.n0.t = t0;
  step.n1.t = step.t(1.0);
  step.n0.q = fresh("", step.coordinates);
  step.n0.v = fresh("velocity of ", step.coordinates);
  step.n0.lambda = fresh("multiplier of ", step.constraints);
  const std::size_t carried = scheme.start(e, step.h).size();
  for (std::size_t i = 0; i < carried; ++i) step.n0.carried.push_back(graph_.parameter("carried " + std::to_string(i)));
  if (!scheme.info.own_unknowns) {
    Exprs ahead;
    for (std::size_t i = 0; i < step.n0.q.size(); ++i) ahead.push_back(step.n0.q[i] + step.h * step.n0.v[i]);
    step.n1.q = sought(Kind::position, fresh("", step.coordinates), ahead);
    step.n1.v = sought(Kind::velocity, fresh("velocity of ", step.coordinates), step.n0.v);
    step.n1.lambda = sought(Kind::multiplier, fresh("multiplier of ", step.constraints), step.n0.lambda);
  }
  step.unknowns = [this](Kind kind, const Exprs& first) {
    return sought(kind, fresh("", std::vector<std::string>(first.size(), "an unknown inside the step")), first);
  };
  step.input = [this, held](double fraction) { return input_at(held ? 0.5 : fraction); };
}

Expr StepSymbols::reference_at(const Expr& symbol, const Expr& t) {
  for (const Given& g : given)
    if (g.symbol == symbol && g.t == t) return g.value;
  given.push_back({symbol, t, graph_.parameter(symbol.name())});
  return given.back().value;
}

Exprs StepSymbols::fresh(const std::string& stem, const std::vector<std::string>& names) const {
  Exprs symbols;
  for (const std::string& name : names) symbols.push_back(graph_.parameter(stem + name));
  return symbols;
}

Exprs StepSymbols::sought(Kind kind, const Exprs& symbols, const Exprs& first) {
  unknowns.insert(unknowns.end(), symbols.begin(), symbols.end());
  kinds.insert(kinds.end(), symbols.size(), static_cast<int>(kind));
  guess.insert(guess.end(), first.begin(), first.end());
  return symbols;
}

Exprs StepSymbols::input_at(double fraction) {
  const auto found = std::find(fractions.begin(), fractions.end(), fraction);
  if (found != fractions.end()) return inputs[static_cast<std::size_t>(found - fractions.begin())];
  fractions.push_back(fraction);
  inputs.push_back(fresh("", input_names_));
  return inputs.back();
}

}  // namespace invar
