// Jacobians of long chains of formulas as Schur complements of sparse matrices.
//
// Formulas that a recursion along a chain of n bodies leaves contain n symbols each: ∂r/∂x has n² entries. With parts
// w = f(x, w) of the formulas r = g(x, w), so many that every g and f contains few x and w, it is
//
//   ∂r/∂x = ∂g/∂x + ∂g/∂w (1 - ∂f/∂w)⁻¹ ∂f/∂x,      [ ∂g/∂x   ∂g/∂w    ] [Δx]   [-r]
//                                                   [-∂f/∂x   1 - ∂f/∂w] [Δw] = [ 0]
//
// and the larger matrix, with as many entries as the formulas are long, gives the same Newton step Δx
// [J. Albersmeyer, M. Diehl, SIAM J. Optim. 20 (2010) 1655-1684].
#pragma once

#include <span>

#include "invar/expr/derivative.h"
#include "invar/expr/expr.h"

namespace invar {

struct LiftedJacobian {
  SparseExprs matrix;  // rows r and w, columns x and w; its entries are formulas in x
  Exprs parts;         // w as formulas in x
};

// Every formula contains about `most` of x and the parts, at most. As many formulas as symbols.
LiftedJacobian lifted_jacobian(std::span<const Expr> f, std::span<const Expr> x, std::size_t most);

}  // namespace invar
