// What schemes share.
#include "invar/scheme/scheme.h"

#include "invar/base/error.h"

namespace invar {

void Residual::add(const std::string& name, const Expr& equation) {
  equations.push_back(equation);
  names.push_back(name);
}

void Residual::add(const std::string& name, const std::vector<std::string>& of, std::span<const Expr> list) {
  expects(of.size() == list.size(), "one name per equation");
  for (std::size_t i = 0; i < list.size(); ++i) add(name + " \"" + of[i] + "\"", list[i]);
}

Exprs mean(const Exprs& x, const Exprs& y) {
  Exprs result;
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back(0.5 * (x[i] + y[i]));
  return result;
}

Exprs difference(const Exprs& x, const Exprs& y) {
  Exprs result;
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back(x[i] - y[i]);
  return result;
}

Exprs scaled(const Expr& factor, const Exprs& x) {
  Exprs result;
  for (const Expr& e : x) result.push_back(factor * e);
  return result;
}

Exprs carries_nothing(const Equations&, const Expr&) { return {}; }

void add_constraints(Residual& r, const Equations& e, const Interval& step, const Point& point) {
  Exprs equations = at(e, e.constraint, point);
  const Exprs end = at(e, e.constraint, {step.n1.t, step.n1.q, {}, {}, {}, {}});
  for (std::size_t c = 0; c < equations.size(); ++c)
    if (e.level[c] == Level::position) equations[c] = end[c];
  r.add("constraint", step.constraints, equations);
}

}  // namespace invar
