// A largest set of entries of a sparse matrix of which no two share a row or a column, in O(entries · √columns)
// [J. E. Hopcroft, R. M. Karp, SIAM J. Comput. 2 (1973) 225-231]. If every column has one, the matrix is structurally
// regular, and an order of its columns brings them to the diagonal.
#pragma once

#include <vector>

#include "invar/base/pattern.h"

namespace invar {

// The row of each column's entry; -1 for a column that has none.
std::vector<int> matched_rows(const Pattern& pattern);

}  // namespace invar
