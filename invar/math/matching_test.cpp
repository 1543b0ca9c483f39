// Laws of matchings: entries of the pattern, no two in a row or column, and no larger set exists.
#include "invar/math/matching.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>

namespace invar {
namespace {

Pattern random_pattern(int rows, int cols, double density, std::mt19937_64& random) {
  std::bernoulli_distribution filled(density);
  Pattern p;
  p.rows = rows;
  p.cols = cols;
  for (int c = 0; c < cols; ++c) {
    for (int r = 0; r < rows; ++r)
      if (filled(random)) p.row.push_back(r);
    p.start.push_back(static_cast<int>(p.row.size()));
  }
  return p;
}

bool has(const Pattern& p, int row, int col) {
  const auto first = p.row.begin() + p.start[col], last = p.row.begin() + p.start[col + 1];
  return std::find(first, last, row) != last;
}

// By trying everything, column after column.
int largest(const Pattern& p) {
  std::function<int(int, std::set<int>)> best = [&](int col, std::set<int> taken) {
    if (col == p.cols) return 0;
    int most = best(col + 1, taken);
    for (int e = p.start[col]; e < p.start[col + 1]; ++e)
      if (!taken.contains(p.row[e])) {
        std::set<int> with = taken;
        with.insert(p.row[e]);
        most = std::max(most, 1 + best(col + 1, with));
      }
    return most;
  };
  return best(0, {});
}

TEST(Matching, is_a_largest_one) {
  std::mt19937_64 random(11);
  for (int k = 0; k < 200; ++k) {
    const Pattern p = random_pattern(6, 6, 0.1 + 0.05 * (k % 6), random);
    const std::vector<int> rows = matched_rows(p);
    std::set<int> taken;
    for (int c = 0; c < p.cols; ++c) {
      if (rows[c] < 0) continue;
      EXPECT_TRUE(has(p, rows[c], c));
      EXPECT_TRUE(taken.insert(rows[c]).second);
    }
    EXPECT_EQ(static_cast<int>(taken.size()), largest(p));
  }
}

// Column k has the rows k and k + 1, the last one only the first row: all have to move for it.
TEST(Matching, finds_paths_as_long_as_the_matrix) {
  constexpr int n = 200000;
  Pattern p;
  p.rows = p.cols = n;
  for (int c = 0; c < n; ++c) {
    p.row.push_back(c + 1 < n ? c : 0);
    if (c + 1 < n) p.row.push_back(c + 1);
    p.start.push_back(static_cast<int>(p.row.size()));
  }
  const std::vector<int> rows = matched_rows(p);
  for (int c = 0; c + 1 < n; ++c) ASSERT_EQ(rows[c], c + 1);
  EXPECT_EQ(rows[n - 1], 0);
}

}  // namespace
}  // namespace invar
