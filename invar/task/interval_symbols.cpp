// See interval_symbols.h.
#include "invar/task/interval_symbols.h"

#include <fmt/format.h>

#include "invar/expr/error.h"

namespace invar {

namespace {

[[noreturn]] void refuse(const Scheme& scheme) {
  throw InputError(fmt::format(
      "scheme {}: remembers more than positions and velocities from step to step, so it cannot be used for optimal "
      "control; try energy-momentum or midpoint",
      scheme.info.name));
}

Exprs part(const Exprs& list, std::size_t first, std::size_t count) {
  const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

IntervalSymbols::IntervalSymbols(const System& system, const Scheme& scheme)
    : graph(system.graph),
      horizon(graph.parameter("horizon")),
      index(graph.parameter("interval")),
      fraction(graph.parameter("fraction")),
      e(equations(system)),
      symbols(system, e, scheme, index * (fraction * horizon), fraction * horizon, true) {
  if (!step.n0.carried.empty()) refuse(scheme);
  e.reference_at = [this](const Expr& symbol, const Expr& t) { return symbols.reference_at(symbol, t); };
  residual = scheme.residual(e, symbols.step, {});
  u = symbols.step.input(0.5);
  const std::size_t n = system.coordinates.size(), m = system.constraints.size();
  Exprs q1, v1;
  std::size_t named = 0;  // unknowns that are not further ones
  if (scheme.info.own_unknowns) {
    for (const std::string& name : step.coordinates) q1.push_back(graph.parameter(name));
    for (const std::string& name : step.coordinates) v1.push_back(graph.parameter(name));
    residual.add("end of", step.coordinates, difference(q1, step.n1.q));
    residual.add("velocity at the end of", step.coordinates, difference(v1, step.n1.v));
  } else {
    q1 = step.n1.q;
    v1 = step.n1.v;
    multipliers = step.n1.lambda;
    named = 2 * n + m;
  }
  further = part(symbols.unknowns, named, symbols.unknowns.size() - named);
  guess = part(symbols.guess, named, symbols.guess.size() - named);
  x0 = step.n0.q;
  append(x0, step.n0.v);
  x1 = q1;
  append(x1, v1);
  for (const Expr& equation : residual.equations)
    if (depends(equation, step.n0.lambda)) refuse(scheme);
}

Exprs IntervalSymbols::inside() const {
  Exprs all = multipliers;
  append(all, further);
  append(all, u);
  return all;
}

Point IntervalSymbols::node(const Expr& t, const Exprs& x) const {
  const std::size_t n = x.size() / 2;
  return {t, part(x, 0, n), part(x, n, n), {}, {}, u};
}

Point IntervalSymbols::middle() const {
  const Point a = start(), b = end();
  return {step.t(0.5), mean(a.q, b.q), mean(a.v, b.v), {}, {}, u};
}

Expr IntervalSymbols::at(const Expr& formula, const Point& point) const {
  return invar::at(e, {&formula, 1}, point).front();
}

}  // namespace invar
