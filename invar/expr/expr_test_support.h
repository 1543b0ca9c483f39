// For tests: the plain value of a formula at a point, one node after the other.
#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

#include "invar/base/error.h"
#include "invar/expr/expr.h"

namespace invar::test {

// Values of f where the symbols x have the values `point`. Every symbol of f must be among x.
inline std::vector<double> values_at(std::span<const Expr> f, std::span<const Expr> x, std::span<const double> point) {
  std::unordered_map<std::uint32_t, double> known;
  const auto value = [&](const Expr& e) { return e.is_constant() ? e.value() : known.at(e.id()); };
  for (std::size_t i = 0; i < x.size(); ++i) known[x[i].id()] = point[i];
  for (const Expr& e : ordered(f)) {
    if (e.op() == Op::symbol)
      expects(known.contains(e.id()), "a value for each symbol");
    else
      known[e.id()] = evaluate(e.op(), value(e.a()), e.arity() == 2 ? value(e.b()) : 0.0);
  }
  std::vector<double> result;
  for (const Expr& e : f) result.push_back(value(e));
  return result;
}

inline double value_at(const Expr& f, std::span<const Expr> x, std::span<const double> point) {
  return values_at(std::span(&f, 1), x, point)[0];
}

}  // namespace invar::test
