// See servo.h.
#include "invar/scheme/servo.h"

#include <fmt/format.h>

#include <algorithm>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"

namespace invar {

namespace {

// The inputs that the equations of the step contain become unknowns.
SoughtInputs make_unknown(StepSymbols& setup, const Residual& r, std::size_t& sets) {
  SoughtInputs sought{setup.inputs_before(), {}, 0.0};
  sought.mean.assign(sought.before.size(), 0.0);
  sets = 0;
  for (std::size_t k = 0; k < setup.fractions.size(); ++k) {
    if (!depends(r.equations, setup.inputs[k])) continue;
    ++sets;
    sought.at += setup.fractions[k];
    setup.sought(Kind::input, setup.inputs[k], sought.before);
    for (std::size_t i = 0; i < sought.mean.size(); ++i) sought.mean[i] += setup.inputs[k][i];
  }
  expects(sets == 1 || sets == 2, "inputs at one or two instants of a step");
  sought.at /= static_cast<double>(sets);
  for (Expr& u : sought.mean) u = u / static_cast<double>(sets);
  setup.fractions.clear();
  setup.inputs.clear();
  return sought;
}

// ṡ = γ' at the end. When everything comes to rest the terms of this equation vanish, and rounding has nothing to be
// compared with; so it is written as y = s(q1) and y = s(q1) + h (ṡ - γ'), with terms of the size of positions.
void prescribe_rate(const std::string& name, const Expr& position, const Expr& rate, const Equations& e, Interval& step,
                    Residual& r) {
  const Point end = {step.n1.t, step.n1.q, step.n1.v, {}, {}, {}};
  const Expr s = at(e, {&position, 1}, end).front();
  const Expr first = at(e, {&position, 1}, {step.n0.t, step.n0.q, {}, {}, {}, {}}).front();
  const Expr y = step.unknowns(Kind::position, {first}).front();
  r.add(name, y - s);
  r.add("velocity of " + name, y - s - step.h * at(e, {&rate, 1}, end).front());
}

}  // namespace

SoughtInputs seek_inputs(const Servo& servo, const Equations& e, const Scheme& scheme, StepSymbols& setup,
                         Residual& r) {
  std::size_t sets = 0;
  SoughtInputs sought = make_unknown(setup, r, sets);
  Interval& step = setup.step;
  const Node &n0 = step.n0, &n1 = step.n1;
  for (const ServoTarget& target : servo.targets) {
    const std::string name = fmt::format("output \"{}\"", target.output);
    const Expr wish = target.follow.empty() ? target.expr : target.expr - at(target.follow.front().value);
    if (depends(wish, e.a))
      throw InputError(fmt::format("{}: cannot prescribe the acceleration of {}; implicit-euler, bdf2 and radau5 can",
                                   scheme.info.name, name));
    const Point end = {n1.t, n1.q, n1.v, {}, {}, {}};
    const bool positions = !depends(wish, e.v);
    if (positions && (sets == 2 || servo.level == Level::position)) r.add(name, at(e, {&wish, 1}, end).front());
    if (positions && (sets == 2 || servo.level == Level::velocity))
      prescribe_rate(name, target.expr, ddt(wish), e, step, r);
    if (positions) continue;
    const Exprs rate = scaled(1.0 / step.h, difference(n1.q, n0.q));
    if (sets == 2) r.add(name, at(e, {&wish, 1}, {step.t(0.5), mean(n0.q, n1.q), rate, {}, {}, {}}).front());
    r.add(name, at(e, {&wish, 1}, end).front());
  }
  return sought;
}

}  // namespace invar
