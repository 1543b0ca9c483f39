// See interval_symbols.h.
#include "invar/task/transcription/interval_symbols.h"

#include <fmt/format.h>

#include "invar/base/error.h"

namespace invar {

namespace {

[[noreturn]] void refuse(const Scheme& scheme) {
  throw InputError(fmt::format(
      "scheme {}: a step begins with the multipliers of the one before, so it cannot be used for optimal control; try "
      "energy-momentum or midpoint",
      scheme.info.name));
}

Exprs part(const Exprs& list, std::size_t first, std::size_t count) {
  const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

IntervalSymbols::IntervalSymbols(const System& system, const Scheme& scheme)
    : info(scheme.info),
      graph(system.graph),
      horizon(graph.parameter("horizon")),
      index(graph.parameter("interval")),
      fraction(graph.parameter("fraction")),
      e(equations(system)),
      symbols(system, e, scheme, index * (fraction * horizon), fraction * horizon, true) {
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
  // What a step takes from the multipliers of the one before, an interval takes from its own.
  const Exprs before = multipliers.empty() ? Exprs(step.n0.lambda.size(), 0.0) : multipliers;
  guess = substitute(part(symbols.guess, named, symbols.guess.size() - named), step.n0.lambda, before);
  x0 = step.n0.q;
  append(x0, step.n0.v);
  x1 = q1;
  append(x1, v1);
  carry(scheme);
  for (const Expr& equation : residual.equations)
    if (depends(equation, step.n0.lambda)) refuse(scheme);
}

// What nodes carry are variables of their own, so that the equations of an interval contain no other one.
void IntervalSymbols::carry(const Scheme& scheme) {
  carried0 = step.n0.carried;
  if (carried0.empty()) return;
  carried_by = scheme.start(e, step.h);
  std::vector<std::string> places;
  for (std::size_t i = 0; i < carried0.size(); ++i) places.push_back(std::to_string(i + 1));
  for (const std::string& place : places) carried1.push_back(graph.parameter("carried " + place));
  residual.add("what the step carries on", places, difference(carried1, step.n1.carried));
  Point p = first();
  for (const std::string& name : step.coordinates) p.a.push_back(graph.parameter("acceleration of " + name));
  for (const std::string& name : step.constraints) p.lambda.push_back(graph.parameter("multiplier of " + name));
  start_unknowns = joined(p.a, p.lambda);
  start.add("what the start carries", places, difference(carried0, invar::at(e, carried_by, p)));
  start.add("dynamics at the start of", step.coordinates, invar::at(e, e.dynamics, p));
  start.add("acceleration at the start of constraint", step.constraints, invar::at(e, e.constraint_acceleration, p));
}

Exprs IntervalSymbols::inside() const {
  Exprs all = multipliers;
  append(all, further);
  append(all, u);
  return all;
}

Exprs IntervalSymbols::carried_guess() const {
  Point a = first(), b = last();
  a.a = b.a = scaled(1.0 / step.h, difference(b.v, a.v));
  a.lambda = b.lambda = Exprs(step.constraints.size(), 0.0);
  return joined(invar::at(e, carried_by, a), invar::at(e, carried_by, b));
}

Point IntervalSymbols::node(const Expr& t, const Exprs& x) const {
  const std::size_t n = x.size() / 2;
  return {t, part(x, 0, n), part(x, n, n), {}, {}, u};
}

Point IntervalSymbols::middle() const {
  const Point a = first(), b = last();
  return {step.t(0.5), mean(a.q, b.q), mean(a.v, b.v), {}, multipliers, u};
}

Point IntervalSymbols::inside_at(const Expr& s) const {
  const Point a = first(), b = last();
  Point p{step.n0.t + s * step.h, {}, {}, {}, {}, u};
  for (std::size_t i = 0; i < a.q.size(); ++i) {
    const Expr way = b.q[i] - a.q[i], first = step.h * a.v[i], last = step.h * b.v[i];
    const Expr bend = 3.0 * way - 2.0 * first - last, twist = first + last - 2.0 * way;
    p.q.push_back(a.q[i] + s * (first + s * (bend + s * twist)));
    p.v.push_back((first + s * (2.0 * bend + s * (3.0 * twist))) / step.h);
  }
  return p;
}

void IntervalSymbols::expect_multipliers(const std::string& formula) const {
  const bool one_per_interval = info.symmetric && !info.velocity_at_nodes && !multipliers.empty();
  if (!one_per_interval)
    throw InputError(fmt::format(
        "[optimize]: path: \"{}\" contains a multiplier, and scheme {} has none in the middle of the intervals; use "
        "energy-momentum or midpoint",
        formula, info.name));
}

bool belongs_to_intervals(const Expr& formula, const Equations& e) {
  return depends(formula, e.u) || depends(formula, e.lambda);
}

Expr IntervalSymbols::at(const Expr& formula, const Point& point) const {
  return invar::at(e, {&formula, 1}, point).front();
}

}  // namespace invar
