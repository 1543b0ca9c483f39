// Moves from rest to rest against their closed forms, at their ends and at their knots.
#include "invar/model/trajectory/profile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "invar/model/trajectory/profile_test_support.h"

namespace invar {
namespace {

// A few rounding errors of numbers of size 1.
constexpr double rounding = 1e-14;
// Derivatives of order 15 multiply about 2^15 rounding errors.
constexpr double high_order_rounding = 1e-10;

double factorial(int n) { return std::tgamma(n + 1.0); }

// j-th derivative of x^k.
long double power_derivative(long double x, int k, int j) {
  if (j > k) return 0.0L;
  long double result = std::pow(x, static_cast<long double>(k - j));
  for (int i = 0; i < j; ++i) result *= static_cast<long double>(k - i);
  return result;
}

// c^(j), j ≥ 1, by Leibniz' rule on c' = (2k+1)!/k!² τ^k (1-τ)^k; r = 1 - τ is given too, so that no digits are lost.
long double poly_derivative(int k, long double tau, long double r, int j) {
  long double sum = 0.0L, binomial = 1.0L;
  for (int i = 0; i < j; ++i) {
    const long double sign = (j - 1 - i) % 2 == 0 ? 1.0L : -1.0L;
    sum += sign * binomial * power_derivative(tau, k, i) * power_derivative(r, k, j - 1 - i);
    binomial *= static_cast<long double>(j - 1 - i) / (i + 1);
  }
  return sum * std::tgamma(2.0L * k + 2.0L) / std::pow(std::tgamma(k + 1.0L), 2.0L);
}

std::vector<TimeFunctionPtr> moves(const Move& move) {
  std::vector<TimeFunctionPtr> all = {harmonic_move(move), three_phase_move(0.25 * move.duration, move),
                                      three_phase_move(0.5 * move.duration, move)};
  for (int degree = 1; degree <= 19; degree += 2) all.push_back(polynomial_move(degree, move));
  return all;
}

TEST(Profile, Poly9IsThe56789Polynomial) {
  const double T = 3.0;
  const auto c = polynomial_move(9, {.duration = T});
  for (const double x : {0.0, 0.1, 0.3, 0.5, 0.7, 0.95, 1.0}) {
    const double closed = std::pow(x, 5) * (126.0 + x * (-420.0 + x * (540.0 + x * (-315.0 + x * 70.0))));
    EXPECT_NEAR(value(*c, x * T), closed, 1e-13) << x;  // the closed form cancels numbers of size 500
  }
  EXPECT_EQ(c->describe(), "5-6-7-8-9 polynomial");
  EXPECT_EQ(c->smoothness(), 4);
  EXPECT_EQ(c->knots(), (std::vector<double>{0.0, 3.0}));
  // γ⁽⁵⁾ jumps by 15120/T⁵ = 62.22 at both ends.
  EXPECT_NEAR(derivative(*c, 0.0, Side::right, 5), 15120.0 / 243.0, 1e-11);
  EXPECT_NEAR(derivative(*c, T, Side::left, 5), 15120.0 / 243.0, 1e-11);
}

TEST(Profile, DegreeOneIsARampWithCorners) {
  const auto c = polynomial_move(1, {.from = 2.0, .to = -1.0, .start = 0.5, .duration = 1.5});
  EXPECT_EQ(c->describe(), "linear ramp");
  EXPECT_EQ(c->smoothness(), 0);
  for (const double t : {0.5, 0.6, 1.25, 1.9}) {
    const auto out = series(*c, t, Side::right, 4);
    EXPECT_NEAR(out[0], 2.0 - 2.0 * (t - 0.5), rounding) << t;
    EXPECT_NEAR(out[1], -2.0, rounding) << t;
    for (std::size_t j = 2; j < out.size(); ++j) EXPECT_EQ(out[j], 0.0) << t;
  }
}

TEST(Profile, PolynomialsHaveTheirDerivativesToFullPrecisionNearBothEnds) {
  const Move move{.from = 0.0, .to = 1.0, .start = 0.5, .duration = 3.0};
  for (int degree = 3; degree <= 19; degree += 2)
    for (const long double x : {0.001L, 0.01L, 0.03L})
      for (const bool mirrored : {false, true}) {
        const long double tau = mirrored ? 1.0L - x : x, r = mirrored ? x : 1.0L - x;
        const auto t = static_cast<double>(0.5L + 3.0L * tau);
        // The t that can be represented, and the distances from the ends that belong to it.
        const long double tau_t = (static_cast<long double>(t) - 0.5L) / 3.0L, r_t = 1.0L - tau_t;
        ASSERT_NEAR(static_cast<double>(r_t - r), 0.0, rounding);
        const auto out = series(*polynomial_move(degree, move), t, Side::right, 15);
        for (int j = 1; j <= 15; ++j) {
          const auto exact = static_cast<double>(poly_derivative((degree - 1) / 2, tau_t, r_t, j) /
                                                 std::pow(3.0L, static_cast<long double>(j)));
          EXPECT_NEAR(out[static_cast<std::size_t>(j)] * factorial(j), exact, high_order_rounding * std::abs(exact))
              << "poly" << degree << " order " << j << " at " << t;
        }
      }
}

TEST(Profile, PolynomialsAreAtRestAtBothEnds) {
  const Move move{.from = -2.0, .to = 5.0, .start = 1.0, .duration = 0.7};
  for (int degree = 3; degree <= 19; degree += 2) {
    const int k = (degree - 1) / 2;
    const auto c = polynomial_move(degree, move);
    EXPECT_EQ(c->smoothness(), k);
    const std::vector<double> knots = c->knots();
    const auto begin = series(*c, knots[0], Side::right, degree), end = series(*c, knots[1], Side::left, degree);
    EXPECT_EQ(begin[0], -2.0);
    EXPECT_EQ(end[0], 5.0);
    for (std::size_t j = 1; j <= static_cast<std::size_t>(k); ++j) {
      EXPECT_EQ(begin[j], 0.0) << degree;
      EXPECT_EQ(end[j], 0.0) << degree;
    }
    EXPECT_NE(begin[static_cast<std::size_t>(k) + 1], 0.0);
    EXPECT_NE(end[static_cast<std::size_t>(k) + 1], 0.0);
  }
}

TEST(Profile, ThreePhaseHasItsRampsAndJumps) {
  const auto c = three_phase_move(5.0, {.duration = 20.0});
  EXPECT_EQ(c->knots(), (std::vector<double>{0.0, 5.0, 15.0, 20.0}));
  EXPECT_EQ(c->smoothness(), 4);
  EXPECT_NEAR(value(*c, 5.0), 1.0 / 6.0, rounding);
  EXPECT_NEAR(value(*c, 15.0), 5.0 / 6.0, rounding);
  EXPECT_NEAR(value(*c, 10.0), 0.5, rounding);
  for (const double t : {0.7, 2.4, 2.6, 4.9}) {
    const double ramp = (7.0 * std::pow(t, 5) / 625.0 - 14.0 * std::pow(t, 6) / 3125.0 +
                         10.0 * std::pow(t, 7) / 15625.0 - 2.5 * std::pow(t, 8) / 78125.0) /
                        15.0;
    EXPECT_NEAR(value(*c, t), ramp, rounding) << t;
    EXPECT_NEAR(value(*c, 20.0 - t), 1.0 - ramp, rounding) << t;
  }
  const double fifth[] = {0.0896, 0.0896, -0.0896, -0.0896}, sixth[] = {-0.21504, 0.21504, 0.21504, -0.21504};
  for (std::size_t i = 0; i < 4; ++i) {
    const double t = c->knots()[i];
    for (int j = 0; j <= 4; ++j)
      EXPECT_NEAR(derivative(*c, t, Side::right, j), derivative(*c, t, Side::left, j), rounding) << t << " " << j;
    EXPECT_NEAR(derivative(*c, t, Side::right, 5) - derivative(*c, t, Side::left, 5), fifth[i], rounding) << t;
    EXPECT_NEAR(derivative(*c, t, Side::right, 6) - derivative(*c, t, Side::left, 6), sixth[i], rounding) << t;
  }
}

TEST(Profile, ThreePhaseWithoutMiddlePhaseHasThreeKnots) {
  for (const double duration : {2.0, 0.3, 7.7}) {
    const auto c = three_phase_move(0.5 * duration, {.start = 0.1, .duration = duration});
    ASSERT_EQ(c->knots().size(), 3u);
    const double t = c->knots()[1];
    const auto left = series(*c, t, Side::left, 8), right = series(*c, t, Side::right, 8);
    EXPECT_NEAR(left[0], 0.5, rounding);
    for (std::size_t j = 0; j <= 8; ++j)  // c - 1/2 is odd about the middle
      EXPECT_NEAR(right[j], (j == 0 ? 1.0 : j % 2 == 0 ? -1.0 : 1.0) * left[j], 1e-9 * (1.0 + std::abs(left[j]))) << j;
    EXPECT_NE(left[6], 0.0);
  }
}

TEST(Profile, HarmonicIsHalfACosine) {
  const auto c = harmonic_move({.from = 2.0, .to = 6.0, .start = 1.0, .duration = 2.0});
  const double w = std::numbers::pi / 2.0;
  for (const double t : {1.1, 1.7, 2.0, 2.3, 2.9}) {
    const auto out = series(*c, t, Side::right, 6);
    EXPECT_NEAR(out[0], 4.0 - 2.0 * std::cos(w * (t - 1.0)), rounding);
    for (int j = 1; j <= 6; ++j)
      EXPECT_NEAR(out[static_cast<std::size_t>(j)] * factorial(j),
                  -2.0 * std::pow(w, j) * std::cos(w * (t - 1.0) + j * std::numbers::pi / 2.0), 1e-12);
  }
  EXPECT_EQ(c->smoothness(), 1);
  EXPECT_EQ(value(*c, 3.0), 6.0);
  EXPECT_NEAR(derivative(*c, 1.0, Side::right, 2), 2.0 * w * w, rounding * 10.0);
}

TEST(Profile, EveryMoveHoldsItsEndValues) {
  for (const auto& c : moves({.from = 3.0, .to = -1.0, .start = 0.3, .duration = 1.1})) {
    const std::vector<double> knots = c->knots();
    for (const double t : {-1e9, 0.0, knots.front()}) expect_constant(*c, t, Side::left, 3.0);
    for (const double t : {knots.back(), 2.0, 1e9}) expect_constant(*c, t, Side::right, -1.0);
  }
}

TEST(Profile, EveryMoveIsSymmetricAndMonotonic) {
  for (const auto& c : moves({.from = 0.0, .to = 1.0, .start = 0.0, .duration = 2.0})) {
    double last = 0.0;
    for (int i = 1; i <= 50; ++i) {
      const double t = 0.04 * i;
      EXPECT_GE(value(*c, t), last) << c->describe();
      last = value(*c, t);
      EXPECT_NEAR(last + value(*c, 2.0 - t), 1.0, rounding) << c->describe();
    }
  }
}

TEST(Profile, EverySeriesIsThatOfTheFunctionAroundIt) {
  for (const auto& c : moves({.from = 1.0, .to = 4.0, .start = 0.2, .duration = 2.0})) expect_series_predict_values(*c);
}

TEST(Profile, EveryMoveIsAsSmoothAtItsKnotsAsItSays) {
  for (const auto& c : moves({.from = 0.0, .to = 1.0, .start = 0.0, .duration = 1.0})) expect_smooth_at_knots(*c);
}

}  // namespace
}  // namespace invar
