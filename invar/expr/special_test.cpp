// Laws of c_k and a_k: agreement with their defining sums and integrals in higher precision, and their identities.
#include "invar/expr/special.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace invar::special {
namespace {

__extension__ typedef __float128 Quad;  // 113 bits: the alternating sums below lose at most 35 of them

constexpr int highest = 12;
constexpr double unit = std::numeric_limits<double>::epsilon();
// Series, closed form or recursion each round a handful of times.
constexpr double few_units = 8 * unit;

double stumpff_sum(int k, double s) {
  Quad term = 1;
  for (int j = 2; j <= k; ++j) term /= j;
  Quad sum = 0;
  for (int j = k; j < k + 400; j += 2) {
    sum += term;
    term *= -static_cast<Quad>(s) / (static_cast<Quad>(j + 1) * (j + 2));
  }
  return static_cast<double>(sum);
}

// a_k(s) = ∫ t^(k-1)/(1 - s t²) dt over [0, 1], by the tanh-sinh rule [Takahasi, Mori 1974].
double lerch_integral(int k, double s) {
  const long double h = 1.0L / 128;
  const long double half_pi = std::numbers::pi_v<long double> / 2;
  long double sum = 0;
  for (int i = -128 * 4; i <= 128 * 4; ++i) {
    const long double u = half_pi * std::sinh(h * i);
    const long double t = 1 / (1 + std::exp(-2 * u));
    const long double rest = 1 / (1 + std::exp(2 * u));  // 1 - t without cancellation
    const long double weight = 2 * half_pi * std::cosh(h * i) * t * rest;
    sum += weight * std::pow(t, k - 1) / ((1 - static_cast<long double>(s)) + s * rest * (1 + t));
  }
  return static_cast<double>(h * sum);
}

// Sizes between zeros: |c_0| ≤ 1, |c_1| ≤ 1/√s; all others have no simple zeros and are judged relatively.
double stumpff_scale(int k, double s, double value) {
  if (s <= 0 || k >= 3) return std::abs(value);
  if (k == 0) return 1.0;
  return std::max(std::abs(value), k == 1 ? 1 / std::sqrt(1 + s) : 1 / (1 + s));
}

TEST(Stumpff, EqualsItsSeries) {
  for (int k = 0; k <= highest; ++k)
    for (double s = -600; s < 500; s += 1.371) {
      const double expected = stumpff_sum(k, s);
      EXPECT_NEAR(stumpff(k, s), expected, few_units * stumpff_scale(k, s, expected)) << k << " " << s;
    }
}

TEST(Stumpff, StaysAccurateNearZero) {
  for (int k = 0; k <= highest; ++k)
    for (double s : {0.0, 1e-300, -1e-300, 1e-9, -1e-9, 1e-3, -1e-3})
      EXPECT_NEAR(stumpff(k, s), stumpff_sum(k, s), few_units * stumpff_sum(k, s));
}

TEST(Stumpff, EqualsTheClosedFormFarOut) {
  for (double s : {1e4, 123456.789, 1e8}) {
    const long double x = std::sqrt(static_cast<long double>(s));
    EXPECT_NEAR(stumpff(0, s), static_cast<double>(std::cos(x)), few_units);
    EXPECT_NEAR(stumpff(1, s), static_cast<double>(std::sin(x) / x), few_units / std::sqrt(s));
    EXPECT_NEAR(stumpff(2, s), static_cast<double>((1 - std::cos(x)) / s), few_units / s);
    EXPECT_NEAR(stumpff(3, s), static_cast<double>((x - std::sin(x)) / (x * s)), few_units / s);
  }
  for (double s : {-1e4, -123456.789}) {
    const long double x = std::sqrt(-static_cast<long double>(s));
    const double cosh = static_cast<double>(std::cosh(x));
    EXPECT_NEAR(stumpff(0, s), cosh, few_units * cosh);
    EXPECT_NEAR(stumpff(2, s), (1 - cosh) / s, few_units * (1 - cosh) / s);
  }
  for (int k = 0; k <= highest; ++k) {
    EXPECT_EQ(stumpff(k, -std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(stumpff(k, std::nan(""))));
  }
}

TEST(Stumpff, ObeysItsRecursion) {
  double factorial = 1;
  for (int k = 0; k <= highest; ++k, factorial *= k)
    for (double s = -50; s < 200; s += 0.7) {
      const double scale = 1 / factorial + std::abs(stumpff(k, s)) + std::abs(s * stumpff(k + 2, s));
      EXPECT_NEAR(stumpff(k, s) + s * stumpff(k + 2, s), 1 / factorial, few_units * scale);
    }
}

// Central differences err by h²/6·f''' and by rounding/h.
constexpr double difference_step = 1e-5;
constexpr double difference_error = 1e-9;

TEST(Stumpff, DerivativeStaysInTheFamily) {
  for (int k = 0; k <= highest; ++k)
    for (double s = -20; s < 60; s += 0.9) {
      const double h = difference_step;
      const double difference = (stumpff(k, s + h) - stumpff(k, s - h)) / (2 * h);
      const double derivative = -(stumpff(k + 1, s) - k * stumpff(k + 2, s)) / 2;
      EXPECT_NEAR(difference, derivative, difference_error * std::max(1.0, std::abs(stumpff(k, s)))) << k << " " << s;
    }
}

TEST(Lerch, EqualsItsIntegral) {
  for (int k = 1; k <= highest; ++k) {
    const auto check = [k](double s) {
      const double expected = lerch_integral(k, s);
      EXPECT_NEAR(lerch(k, s), expected, few_units * expected) << k << " " << s;
    };
    for (double s = -60; s < -2; s += 0.973) check(s);
    for (double s = -2; s < 1; s += 0.0313) check(s);
    for (double s : {-1234.5, 0.0, 1e-300, -1e-300, 1e-9, -1e-9, 0.999, 0.999999}) check(s);
  }
}

TEST(Lerch, EqualsTheClosedFormFarOut) {
  for (double s : {-1e4, -123456.789, -1e12}) {
    const long double x = std::sqrt(-static_cast<long double>(s));
    const double a1 = static_cast<double>(std::atan(x) / x), a2 = static_cast<double>(std::log1p(x * x) / (2 * x * x));
    EXPECT_NEAR(lerch(1, s), a1, few_units * a1);
    EXPECT_NEAR(lerch(2, s), a2, few_units * a2);
    EXPECT_NEAR(lerch(3, s), (a1 - 1) / s, few_units * (a1 - 1) / s);
    EXPECT_NEAR(lerch(4, s), (a2 - 0.5) / s, few_units * (a2 - 0.5) / s);
  }
}

TEST(Lerch, EndsAtItsPole) {
  for (int k = 1; k <= highest; ++k) {
    EXPECT_EQ(lerch(k, 1.0), std::numeric_limits<double>::infinity());
    EXPECT_EQ(lerch(k, -std::numeric_limits<double>::infinity()), 0.0);
    EXPECT_TRUE(std::isnan(lerch(k, 1.5)));
    EXPECT_TRUE(std::isnan(lerch(k, std::nan(""))));
  }
}

TEST(Lerch, ObeysItsRecursionAndDerivative) {
  for (int k = 1; k <= highest; ++k)
    for (double s = -30; s < 0.98; s += 0.113) {
      EXPECT_NEAR(1.0 / k + s * lerch(k + 2, s), lerch(k, s), few_units * (1.0 / k + std::abs(s * lerch(k + 2, s))));
      const double h = difference_step * (1 - s);
      const double difference = (lerch(k, s + h) - lerch(k, s - h)) / (2 * h);
      const double derivative = s == 0 ? 1.0 / (k + 2) : (1 / (1 - s) - k * lerch(k, s)) / (2 * s);
      EXPECT_NEAR(difference, derivative, 10 * difference_error * std::max(1.0, 1 / (1 - s))) << k << " " << s;
    }
}

}  // namespace
}  // namespace invar::special
