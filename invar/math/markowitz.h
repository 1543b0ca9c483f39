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
#include "invar/tape/function.h"

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

// An order of pivots and the sizes of rows and columns where it was chosen.
struct Pivots {
  EliminationOrder order;
  std::vector<double> column_size, row_size;
};

// Of a function that gives a residual and then the Jacobian in the places of the pattern. Nothing if it is singular
// there, or if the elimination takes more than `most` operations.
std::optional<Pivots> pivots_at(const Function& residual, const Pattern& pattern, std::span<const double> in,
                                double most);

}  // namespace invar
