// Discrete gradient of a formula between two points, by a chain rule that is exact for finite differences.
//
// For every operation the difference of its value is a sum of operand differences with finite-difference partials, e.g.
//   Δ(ab) = b_m Δa + a_m Δb,   Δ√a = Δa/(√a0 + √a1),   Δ sin a = cos(a_m) c_1((Δa/2)²) Δa,
// (m: mean of the two values). Chained through the graph these give D with D·(x1 - x0) = f(x1) - f(x0) exactly,
// symmetric in the two points, equal to the mid-point gradient for quadratic f, zero for every symbol that f does not
// contain, and regular for x1 → x0. For f = ψ(π(x)) with quadratic invariants π this is Σ Δψ/Δπ ∇π(x_m), the form that
// keeps momentum maps
// [O. Gonzalez, J. Nonlinear Sci. 6 (1996) 449-467].
#pragma once

#include <span>

#include "invar/expr/expr.h"
#include "invar/expr/symbol_places.h"

namespace invar {

// Between x = x0 and x = x1. For many short formulas of many symbols: what a formula costs depends on its length only.
class DiscreteGradient {
 public:
  struct Partial {
    std::size_t place;  // in x
    Expr value;
  };

  DiscreteGradient(std::span<const Expr> x, std::span<const Expr> x0, std::span<const Expr> x1);

  // With respect to the symbols of x that f contains, in their order in x. Throws InputError for an operation that has
  // none (sign).
  std::vector<Partial> operator()(const Expr& f) const;

 private:
  SymbolPlaces places_;
  Exprs x0_, x1_;
};

// Partials of f with respect to all of `x`.
Exprs discrete_gradient(const Expr& f, std::span<const Expr> x, std::span<const Expr> x0, std::span<const Expr> x1);

}  // namespace invar
