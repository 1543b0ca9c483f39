// Laws of the extrapolation: exact on polynomials, kind by kind, and silent where values jump or nothing is near.
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

// Two unknowns at the stages c = ⅓, 1 of a step, as a polynomial of time gives them: with the start, of degree two.
TEST(StagePolynomial, IsExactOnPolynomialsWhateverTheStep) {
  const std::vector<double> nodes = {1.0 / 3.0, 1.0};
  const auto values = [&](double t0, double h) {
    std::vector<double> x;
    for (const double c : nodes) {
      const double t = t0 + c * h;
      x.insert(x.end(), {1.0 - t + t * t, 2.0 * t});
    }
    return x;
  };
  StagePolynomial stages(nodes, {{0, 1}, {2, 3}});
  std::vector<double> x(4, 7.0);
  EXPECT_FALSE(stages.guess(0.0, 0.1, x)) << "nothing is known yet";
  stages.keep(0.0, 0.2, values(0.0, 0.2));
  ASSERT_TRUE(stages.guess(0.2, 0.1, x));
  EXPECT_NEAR(x[1], values(0.2, 0.1)[1], sum_error) << "two stages are a straight line";
  stages.keep(0.2, 0.1, values(0.2, 0.1));
  // The step to come, longer and shorter; and the last one once more in two halves.
  for (const auto& [t0, h] : {std::pair{0.3, 0.25}, {0.3, 0.01}, {0.2, 0.05}, {0.25, 0.05}}) {
    ASSERT_TRUE(stages.guess(t0, h, x)) << t0;
    for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], values(t0, h)[k], sum_error) << t0 << " " << k;
  }
  EXPECT_FALSE(stages.guess(0.3, 10.0, x)) << "too far";
  EXPECT_FALSE(stages.guess(0.1, 0.1, x)) << "before the last step";
  stages.forget();
  EXPECT_FALSE(stages.guess(0.3, 0.1, x));
}

}  // namespace
}  // namespace invar
