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

// The same by rows: in each the columns, ascending, and where in `row` the entry stands.
struct PatternEntry {
  int col;
  std::size_t place;
};
inline std::vector<std::vector<PatternEntry>> by_rows(const Pattern& pattern) {
  std::vector<std::vector<PatternEntry>> rows(static_cast<std::size_t>(pattern.rows));
  std::size_t place = 0;
  for (int col = 0; col < pattern.cols; ++col)
    for (; place < static_cast<std::size_t>(pattern.start[static_cast<std::size_t>(col) + 1]); ++place)
      rows[static_cast<std::size_t>(pattern.row[place])].push_back({col, place});
  return rows;
}

}  // namespace invar
