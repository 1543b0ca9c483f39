// How large the terms of a formula are, as a formula: what is left of f = 0 is small or large compared with it,
// whatever the units.
//
//   size(a ± b) = size(a) + size(b),   size(a b) = size(a) size(b),   size(a/b) = size(a)/|b|,
//   size(aⁿ) = size(a)ⁿ for n > 0,   size(√a) = √size(a),   size(f) = |f| for everything else
#pragma once

#include <span>

#include "invar/expr/expr.h"

namespace invar {

Exprs term_sizes(std::span<const Expr> f);

}  // namespace invar
