// Splines: they meet their points, reproduce what they can, and are as smooth as they say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "invar/base/error.h"
#include "invar/model/trajectory/profile_test_support.h"

namespace invar {
namespace {

struct Samples {
  std::vector<double> times, values;
};

Samples random_samples(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> gap(0.5, 1.5), height(-3.0, 3.0);
  Samples s;
  double t = -1.0;
  for (std::size_t i = 0; i < n; ++i) {
    s.times.push_back(t);
    s.values.push_back(height(random));
    t += gap(random);
  }
  return s;
}

TEST(Spline, MeetsItsPointsAndHoldsItsEnds) {
  for (int k = 1; k <= highest_smoothness; ++k)
    for (const std::size_t n : {2u, 3u, 4u, 7u, 30u}) {
      const Samples s = random_samples(n, 5);
      const auto f = spline(s.times, s.values, k);
      for (std::size_t i = 0; i < n; ++i)
        for (const Side side : {Side::left, Side::right})
          EXPECT_NEAR(series(*f, s.times[i], side, 0)[0], s.values[i], 1e-9) << k << " " << n << " " << i;
      expect_constant(*f, s.times.front() - 1.0, Side::right, s.values.front());
      expect_constant(*f, s.times.front(), Side::left, s.values.front());
      expect_constant(*f, s.times.back(), Side::right, s.values.back());
      EXPECT_EQ(f->knots(), s.times);
      EXPECT_EQ(f->smoothness(), k);
    }
}

// Two points leave nothing but the polynomial of rest to rest; more points on it change nothing.
TEST(Spline, ReproducesThePolynomialOfItsDegree) {
  for (int k = 1; k <= 6; ++k) {
    const auto exact = polynomial_move(2 * k + 1, {.from = -1.0, .to = 3.0, .start = 0.5, .duration = 2.0});
    for (const std::vector<double>& times : {std::vector<double>{0.5, 2.5}, std::vector<double>{0.5, 0.9, 2.5},
                                             std::vector<double>{0.5, 0.8, 1.2, 1.3, 1.9, 2.2, 2.5}}) {
      std::vector<double> values;
      for (const double t : times) values.push_back(value(*exact, t));
      const auto f = spline(times, values, k);
      for (double t = 0.51; t < 2.5; t += 0.07) {
        const auto a = series(*f, t, Side::right, 2 * k + 1), b = series(*exact, t, Side::right, 2 * k + 1);
        double scale = 0.0;
        for (std::size_t j = 0; j < b.size(); ++j) scale = std::max(scale, std::abs(b[j]));
        for (std::size_t j = 0; j < b.size(); ++j)
          EXPECT_NEAR(a[j], b[j], 1e-8 * scale) << "k = " << k << ", order " << j << " at " << t;
      }
    }
  }
}

TEST(Spline, IsTwiceAsSmoothInsideAsAtItsEnds) {
  for (int k = 1; k <= 5; ++k) {
    const Samples s = random_samples(8, 17);
    const auto f = spline(s.times, s.values, k);
    for (std::size_t i = 1; i + 1 < s.times.size(); ++i) {
      const auto left = series(*f, s.times[i], Side::left, 2 * k + 1);
      const auto right = series(*f, s.times[i], Side::right, 2 * k + 1);
      for (std::size_t j = 0; j <= static_cast<std::size_t>(2 * k); ++j)
        EXPECT_NEAR(left[j], right[j], 1e-9 * (1.0 + std::abs(left[j]))) << "k = " << k << ", order " << j;
    }
    for (const auto& [t, side] : {std::pair(s.times.front(), Side::right), std::pair(s.times.back(), Side::left)}) {
      const auto end = series(*f, t, side, k + 1);
      for (std::size_t j = 1; j <= static_cast<std::size_t>(k); ++j) EXPECT_EQ(end[j], 0.0) << "k = " << k;
      EXPECT_GT(std::abs(end.back()), 1e-6);
    }
  }
}

TEST(Spline, SeriesAreThoseOfTheFunctionAroundThem) {
  for (int k = 1; k <= 5; ++k) {
    const Samples s = random_samples(6, 23);
    expect_series_predict_values(*spline(s.times, s.values, k), 1e-9);
    expect_smooth_at_knots(*spline(s.times, s.values, k), 1e-8);
  }
}

TEST(Spline, ManySamplesOfASmoothFunctionGiveThatFunction) {
  std::vector<double> times, values;
  for (int i = 0; i <= 2000; ++i) {
    times.push_back(0.005 * i);
    values.push_back(std::pow(std::sin(0.1 * std::numbers::pi * times.back()), 6));  // at rest at 0 and 10
  }
  const auto f = spline(times, values, 4);
  for (double t = 0.0023; t < 10.0; t += 0.317) {
    const double s = std::sin(0.1 * std::numbers::pi * t), c = std::cos(0.1 * std::numbers::pi * t);
    EXPECT_NEAR(value(*f, t), std::pow(s, 6), 1e-12);
    // Rounding errors of the samples are divided by the spacing.
    EXPECT_NEAR(derivative(*f, t, Side::right, 1), 0.6 * std::numbers::pi * std::pow(s, 5) * c, 1e-11);
  }
}

}  // namespace
}  // namespace invar
