// The places of the nonzero entries of a sparse matrix, by columns.
#pragma once

#include <cstddef>
#include <vector>

namespace invar {

// Column j holds the rows row[start[j]] … row[start[j+1]-1], ascending. An array of values runs parallel to `row`.
struct Pattern {
  int rows = 0;
  int cols = 0;
  std::vector<int> start = {0};
  std::vector<int> row;

  std::size_t size() const { return row.size(); }
  friend bool operator==(const Pattern&, const Pattern&) = default;
};

}  // namespace invar
