// Laws of the straight list of operations: it solves what it factors, also other numbers in the same places, and says
// where its pivots do not serve.
#include "invar/math/straight_lu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "invar/math/markowitz.h"

namespace invar {
namespace {

constexpr double any_work = 1e9;
// Backward error of elimination with multipliers up to 10 on a few hundred unknowns.
constexpr double straight_error = 1e-11;

struct BlockChain {
  Pattern pattern;
  std::vector<double> values;
};

// A chain of blocks with zeros on a part of the diagonal, as constraints make them: block k holds unknowns 3k … 3k + 2
// and touches the next.
BlockChain block_chain(int blocks, std::mt19937_64& random) {
  std::uniform_real_distribution<double> entry(-1, 1);
  BlockChain s;
  s.pattern.rows = s.pattern.cols = 3 * blocks;
  for (int j = 0; j < 3 * blocks; ++j) {
    for (int i = 0; i < 3 * blocks; ++i) {
      if (std::abs(i / 3 - j / 3) > 1 || (i == j && i % 3 == 2)) continue;
      s.pattern.row.push_back(i);
      s.values.push_back(entry(random));
    }
    s.pattern.start.push_back(static_cast<int>(s.pattern.row.size()));
  }
  return s;
}

// max |A x − b| over max |A| max |x|
double rest_of(const BlockChain& s, const std::vector<double>& x, std::vector<double> b) {
  double size = 0.0, largest = 0.0, left = 0.0;
  for (const double value : x) size = std::max(size, std::abs(value));
  for (int j = 0; j < s.pattern.cols; ++j)
    for (int e = s.pattern.start[j]; e < s.pattern.start[j + 1]; ++e) {
      b[s.pattern.row[e]] -= s.values[e] * x[j];
      largest = std::max(largest, std::abs(s.values[e]));
    }
  for (const double value : b) left = std::max(left, std::abs(value));
  return left / (size * largest);
}

TEST(StraightLu, SolvesWhatItFactors) {
  std::mt19937_64 random(3);
  for (const int blocks : {1, 2, 5, 20, 100}) {
    const BlockChain s = block_chain(blocks, random);
    std::optional<StraightLu> lu = StraightLu::make(s.pattern, s.values, any_work);
    ASSERT_TRUE(lu);
    const std::vector<double> none(s.pattern.cols, 0.0);
    ASSERT_TRUE(lu->factor(s.values, none));
    std::vector<double> b(s.pattern.cols);
    for (double& value : b) value = static_cast<double>(random() % 100) - 50.0;
    std::vector<double> x = b;
    lu->solve(x);
    EXPECT_LT(rest_of(s, x, b), straight_error) << blocks;
  }
}

// In groups of all widths.
TEST(StraightLu, SolvesForManyRightHandSidesAtOnceAlsoTransposed) {
  std::mt19937_64 random(5);
  const BlockChain s = block_chain(20, random);
  const int n = s.pattern.cols;
  StraightLu lu = *StraightLu::make(s.pattern, s.values, any_work);
  ASSERT_TRUE(lu.factor(s.values, std::vector<double>(static_cast<std::size_t>(n), 0.0)));
  std::vector<double> memory;
  for (const int count : {1, 2, 3, 7, 8, 23}) {
    const auto at = [&](int row, int c) { return static_cast<std::size_t>(row * count + c); };
    std::vector<double> x(at(n, 0)), straight(x.size(), 0.0), transposed(x.size(), 0.0);
    double largest = 0.0;
    for (double& value : x) largest = std::max(largest, std::abs(value = static_cast<double>(random() % 100) - 50.0));
    for (int j = 0; j < n; ++j)
      for (int e = s.pattern.start[j]; e < s.pattern.start[j + 1]; ++e)
        for (int c = 0; c < count; ++c) {
          straight[at(s.pattern.row[e], c)] += s.values[e] * x[at(j, c)];
          transposed[at(j, c)] += s.values[e] * x[at(s.pattern.row[e], c)];
        }
    lu.solve(straight, count, memory);
    lu.solve_transposed(transposed, count, memory);
    constexpr double condition = 1e4;  // of such a chain, at most
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(straight[i], x[i], condition * straight_error * largest) << count;
      EXPECT_NEAR(transposed[i], x[i], condition * straight_error * largest) << count;
    }
  }
}

TEST(StraightLu, ServesOtherNumbersInTheSamePlaces) {
  std::mt19937_64 random(4);
  BlockChain s = block_chain(30, random);
  StraightLu lu = *StraightLu::make(s.pattern, s.values, any_work);
  std::uniform_real_distribution<double> change(0.9, 1.1);
  const std::vector<double> none(s.pattern.cols, 0.0), b(s.pattern.cols, 1.0);
  for (int k = 0; k < 20; ++k) {
    for (double& value : s.values) value *= change(random);
    StraightLu other = lu.another();
    if (!other.factor(s.values, none)) continue;
    std::vector<double> x = b;
    other.solve(x);
    EXPECT_LT(rest_of(s, x, b), 1e5 * straight_error) << "with multipliers up to 1e5, at worst";
  }
}

TEST(StraightLu, SaysWhereItsPivotsDoNotServe) {
  const Pattern full{.rows = 2, .cols = 2, .start = {0, 2, 4}, .row = {0, 1, 0, 1}};
  const std::vector<double> before = {1, 0.5, 0.5, 1}, turned = {1e-9, 1, 1, 1e-9}, none(2, 0.0), noise(2, 1e-6);
  StraightLu lu = *StraightLu::make(full, before, any_work);
  EXPECT_TRUE(lu.factor(before, none));
  EXPECT_FALSE(lu.factor(turned, none)) << "factors of 1e9";
  EXPECT_FALSE(lu.factor(turned, noise)) << "a pivot that is none";
}

// Memory that a step touches was touched shortly before: along a chain, however long, the next pivot is near.
TEST(StraightLu, StepsThatWaitForEachOtherStandNearEachOther) {
  const auto mean_jump = [](const EliminationOrder& order) {
    double sum = 0.0;
    for (std::size_t k = 1; k < order.pivots.size(); ++k)
      sum += std::abs(order.pivots[k].row - order.pivots[k - 1].row);
    return sum / static_cast<double>(order.pivots.size());
  };
  constexpr double blocks_of_three = 3.0, near = 3.0 * blocks_of_three;
  std::mt19937_64 random(6);
  for (const int blocks : {30, 300}) {
    const BlockChain s = block_chain(blocks, random);
    EliminationOrder order = *markowitz_order(s.pattern, s.values, any_work);
    const EliminationOrder before = order;
    bring_together(order);
    EXPECT_EQ(order.pivots.size(), before.pivots.size());
    EXPECT_LT(mean_jump(order), near) << blocks << ", " << mean_jump(before) << " before";
    std::vector<bool> eliminated(before.pivots.size(), false);
    for (const EliminationOrder::Pivot& pivot : order.pivots) {
      for (const int row : pivot.rows) EXPECT_FALSE(eliminated[static_cast<std::size_t>(row)]) << "a row that is gone";
      eliminated[static_cast<std::size_t>(pivot.row)] = true;
    }
  }
}

TEST(StraightLu, IsNotMadeOfSingularOrDearMatrices) {
  const Pattern full{.rows = 2, .cols = 2, .start = {0, 2, 4}, .row = {0, 1, 0, 1}};
  EXPECT_FALSE(StraightLu::make(full, std::vector<double>{1, 0, 1, 0}, any_work));
  EXPECT_FALSE(StraightLu::make(full, std::vector<double>{1, 0.5, 0.5, 1}, 1.0));
}

}  // namespace
}  // namespace invar
