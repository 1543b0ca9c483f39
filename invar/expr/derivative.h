// Derivatives of formulas, again as formulas.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>

#include "invar/base/pattern.h"
#include "invar/expr/expr.h"

namespace invar {

// A matrix of formulas that stores only the entries that are not identically zero.
struct SparseExprs {
  Pattern pattern;
  Exprs value;  // parallel to pattern.row

  Expr at(int row, int col) const;  // 0 where nothing is stored
};

// ∂f/∂x with exact pattern. The x are symbols.
SparseExprs jacobian(std::span<const Expr> f, std::span<const Expr> x);
// ∂f/∂x of one formula, by one backward sweep.
Exprs gradient(const Expr& f, std::span<const Expr> x);
// Lower triangle (row ≥ column) of ∂²(w·f)/∂x². The weights may be symbols or numbers.
SparseExprs hessian(std::span<const Expr> f, std::span<const Expr> weight, std::span<const Expr> x);
// Σ_j ∂f/∂x_j d_j.
Exprs directional(std::span<const Expr> f, std::span<const Expr> x, std::span<const Expr> direction);

// Σ_i weight_i ∂f_i/∂x_j by one backward sweep; the weights are not differentiated.
Exprs pulled_back(std::span<const Expr> f, std::span<const Expr> x, std::span<const Expr> weight);

// Total time derivative: ẋ of x is x', t gives 1, parameters give 0.
Expr ddt(const Expr& f);
Exprs ddt(std::span<const Expr> f);

// f with every `from` symbol replaced by its partner in `to`, all at once.
Exprs substitute(std::span<const Expr> f, std::span<const Expr> from, std::span<const Expr> to);
Expr substitute(const Expr& f, std::span<const Expr> from, std::span<const Expr> to);

// Degree of f as a polynomial in x (0 if it does not contain them); nothing if f is no polynomial in x.
std::optional<int> degree(const Expr& f, std::span<const Expr> x);
// The symbols that f contains, in order of creation.
Exprs symbols(std::span<const Expr> f);
bool depends(const Expr& f, std::span<const Expr> x);
bool depends(std::span<const Expr> f, std::span<const Expr> x);  // one of the formulas on one of the symbols
// Highest order of a derivative of `x` that f contains; nothing if it contains none.
std::optional<int> highest_order(const Expr& f, const Variable& x);
// Summands of f, with the signs taken in: a - (b + c) gives a, -b, -c.
Exprs terms(const Expr& f);

}  // namespace invar
