// In which order a sparse matrix is eliminated so that few entries fill in, with pivots that are large enough for the
// numbers at hand [H. M. Markowitz, Management Science 3 (1957); I. Duff, A. Erisman, J. Reid, Direct Methods for
// Sparse Matrices, sec. 7.2]: of the entries a_rc with |a_rc| ≥ ¹⁄₁₀ max_i |a_ic|, the one with the fewest other
// entries in its row times those in its column.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "invar/base/pattern.h"

namespace invar {

struct EliminationOrder {
  struct Pivot {
    int row, col;
    std::vector<int> rows;  // that have an entry in the pivot's column then
    std::vector<int> cols;  // in which the pivot's row has an entry then
  };
  std::vector<Pivot> pivots;
  double work = 0.0;  // multiplications and additions
};

// Nothing if the matrix is singular, or if the work is more than `most`.
std::optional<EliminationOrder> markowitz_order(const Pattern& pattern, std::span<const double> values, double most);

// The same pivots, each right after the last one that it has to wait for: along a chain, where the cheapest pivots stand
// here and there, memory is walked through once and not from end to end again and again. Fill and work stay.
void bring_together(EliminationOrder& order);

}  // namespace invar
