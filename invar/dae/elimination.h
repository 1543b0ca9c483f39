// Gaussian elimination on formulas, with pivots chosen beforehand by numbers.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "invar/expr/expr.h"
#include "invar/math/matrix.h"

namespace invar {

// Row and column of each pivot, in turn.
struct Elimination {
  std::vector<std::pair<std::size_t, std::size_t>> pivots;
};

// Pivots that are large enough in every sample and fill in little. Nothing if there are none.
std::optional<Elimination> elimination_order(std::vector<Matrix> samples);

// x with a x = b.
Exprs solve(const Elimination& order, std::vector<Exprs> a, Exprs b);

}  // namespace invar
