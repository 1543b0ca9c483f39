// Truncated power series whose coefficients are formulas again.
//
// Evaluating a tape in series gives numbers (Function::taylor). Here the recurrences are written out as formulas, so
// that what is computed from series can itself become one tape, with lanes and machine code.
#pragma once

#include <span>

#include "invar/expr/expr.h"

namespace invar {

// Coefficients 0 … order of each f: [i * (order + 1) + m]. Symbol s[k] has the coefficients series[k], zero beyond its
// end; symbols that are not listed are constants.
Exprs power_series(std::span<const Expr> f, std::span<const Expr> s, std::span<const Exprs> series, int order);

}  // namespace invar
