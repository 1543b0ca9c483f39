// Laws of the rows that stand for a long table: whole rows, no peak lost, no stretch left out.
#include "invar/record/telling_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace invar {
namespace {

TEST(TellingRows, AreWholeAndKeepEveryPeak) {
  Trajectory table;
  table.columns = {"t", "a", "b", "gaps"};
  for (int k = 0; k < 1000000; ++k) {
    const double row[] = {1e-3 * k, k == 123456 ? 7.0 : std::sin(1e-4 * k), k == 999998 ? -9.0 : 0.0,
                          k == 500000 ? 3.0 : std::nan("")};
    table.append(row);
  }
  const std::vector<std::size_t> rows = telling_rows(table, {1, 2, 3}, 2000);
  EXPECT_LE(rows.size(), 2000u);
  EXPECT_GT(rows.size(), 1000u);
  EXPECT_EQ(rows.front(), 0u);
  EXPECT_EQ(rows.back(), 999999u);
  for (const std::size_t peak : {123456u, 999998u, 500000u})
    EXPECT_TRUE(std::ranges::binary_search(rows, peak)) << peak;
  std::size_t longest = 0;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    ASSERT_LT(rows[k - 1], rows[k]);
    longest = std::max(longest, rows[k] - rows[k - 1]);
  }
  EXPECT_LE(longest, 2u * 1000000u / 998u) << "half of the rows are spread evenly, one in each stretch";
  const Trajectory thin = rows_of(table, rows);
  for (std::size_t k = 0; k < rows.size(); ++k)
    EXPECT_TRUE(std::ranges::equal(thin.row(k).first(3), table.row(rows[k]).first(3))) << rows[k];
}

// A fast oscillation is drawn with its full height everywhere, however its period fits the rows that are chosen. Half
// of 1000 rows are extremes, four of each stretch: that makes at least 64 stretches, and every 25th part of the table
// has a whole one, longer than a period.
TEST(TellingRows, KeepTheEnvelopeOfAnOscillation) {
  for (const double period : {10.0, 64.0, 100.0, 311.0}) {
    Trajectory table{{"t", "x", "v"}, {}};
    constexpr std::size_t count = 100000, most = 1000, parts = 25;
    for (std::size_t k = 0; k < count; ++k) {
      const double angle = 2.0 * M_PI * static_cast<double>(k) / period;
      table.append(std::vector{static_cast<double>(k), std::sin(angle), std::cos(angle)});
    }
    const std::vector<std::size_t> rows = telling_rows(table, {1, 2}, most);
    for (std::size_t part = 0; part < parts; ++part) {
      double least = 1.0, largest = -1.0;
      for (const std::size_t k : rows)
        if (k / (count / parts) == part) {
          least = std::min(least, table.row(k)[1]);
          largest = std::max(largest, table.row(k)[1]);
        }
      // Between rows of the table itself the sine may be higher, at period 10 by 5 %.
      EXPECT_LE(least, -0.95) << period << ", part " << part;
      EXPECT_GE(largest, 0.95) << period << ", part " << part;
    }
  }
}

TEST(TellingRows, AreAllOfAShortTableAndFewOfAWideOne) {
  Trajectory table{{"t"}, {}};
  std::vector<std::size_t> places;
  for (std::size_t c = 1; c <= 50; ++c) {
    table.columns.push_back("c" + std::to_string(c));
    places.push_back(c);
  }
  for (std::size_t k = 0; k < 500; ++k) {
    const auto row = table.append();
    for (std::size_t c = 0; c <= 50; ++c) row[c] = std::sin(static_cast<double>(k * (c + 3)));
  }
  EXPECT_EQ(telling_rows(table, places, 500).size(), 500u);
  for (const std::size_t most : {4u, 5u, 7u, 60u, 499u}) {
    const std::vector<std::size_t> rows = telling_rows(table, places, most);
    EXPECT_LE(rows.size(), most);
    EXPECT_EQ(rows.front(), 0u);
    EXPECT_EQ(rows.back(), 499u);
  }
}

// Lines are drawn between rows only where what was left out lies near them.
TEST(TellingRows, TellWhetherLinesFollow) {
  Trajectory table{{"t", "slow", "fast", "held", "constant"}, {}};
  constexpr std::size_t count = 100000;
  for (std::size_t k = 0; k < count; ++k) {
    const double t = static_cast<double>(k);
    table.append(std::vector{t, std::sin(1e-3 * t), std::sin(t), std::floor(t / 25000.0), 1.0});
  }
  std::vector<std::size_t> rows = {0};
  while (rows.back() + 500 < count) rows.push_back(rows.back() + 500);
  EXPECT_EQ(followed(table, rows, {false, false, false, true, false}),
            (std::vector<bool>{true, true, false, true, true}));
  EXPECT_EQ(followed(table, rows, {false, false, false, false, true}),
            (std::vector<bool>{true, true, false, false, true}));
}

}  // namespace
}  // namespace invar
