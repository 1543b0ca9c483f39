// Laws of the extrapolation: exact on polynomials, kind by kind, and silent where values jump.
#include "invar/math/extrapolation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace invar {
namespace {

// Values of order one, of which up to 2⁶ are added.
constexpr double sum_error = 1e-13;

TEST(Extrapolation, IsExactOnPolynomials) {
  for (int degree = 1; degree <= 4; ++degree) {
    Extrapolation sequence({0, 1});
    const auto value = [degree](int n) { return std::pow(0.1 * n - 0.4, degree); };
    for (int n = 0; n < 12; ++n) sequence.add(std::vector{value(n), 1.0 + 0.1 * n});
    std::vector<double> x(2, 0.0);
    ASSERT_TRUE(sequence.guess(x));
    EXPECT_NEAR(x[0], value(12), sum_error) << degree;
    EXPECT_NEAR(x[1], 2.2, sum_error) << degree;
  }
}

TEST(Extrapolation, TakesTheDegreeThatServesEachKind) {
  Extrapolation sequence({0, 1});
  for (int n = 0; n < 12; ++n) sequence.add(std::vector{0.5 * n, n % 2 == 0 ? 1.0 : -1.0});
  std::vector<double> x = {7.0, 7.0};
  ASSERT_TRUE(sequence.guess(x));
  EXPECT_NEAR(x[0], 6.0, sum_error);
  EXPECT_EQ(x[1], 7.0) << "what alternates is left as it is";
}

TEST(Extrapolation, KnowsNothingOfTooFewValuesAndOfJumps) {
  Extrapolation sequence({0});
  std::vector<double> x = {7.0};
  for (int n = 0; n < 2; ++n) {
    sequence.add(std::vector{1.0 * n});
    EXPECT_FALSE(sequence.guess(x)) << n;
  }
  sequence.add(std::vector{2.0});
  EXPECT_TRUE(sequence.guess(x));
  EXPECT_EQ(x[0], 3.0);
  sequence.add(std::vector{-100.0});
  EXPECT_FALSE(sequence.guess(x)) << "the last value was the best guess";
  sequence.forget();
  sequence.add(std::vector{1.0});
  EXPECT_FALSE(sequence.guess(x));
}

}  // namespace
}  // namespace invar
