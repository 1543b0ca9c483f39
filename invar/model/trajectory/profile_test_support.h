// Laws that every given function of time obeys.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "invar/model/trajectory/profile.h"

namespace invar {

inline std::vector<double> series(const TimeFunction& f, double t, Side side, int order) {
  std::vector<double> out(static_cast<std::size_t>(order) + 1, NAN);
  f.series(t, side, out);
  return out;
}

inline double value(const TimeFunction& f, double t) { return series(f, t, Side::right, 0)[0]; }

inline double derivative(const TimeFunction& f, double t, Side side, int order) {
  return series(f, t, side, order).back() * std::tgamma(order + 1.0);
}

inline void expect_constant(const TimeFunction& f, double t, Side side, double expected) {
  const std::vector<double> out = series(f, t, side, 6);
  EXPECT_EQ(out[0], expected) << f.describe() << " at " << t;
  for (std::size_t j = 1; j < out.size(); ++j) EXPECT_EQ(out[j], 0.0) << f.describe() << " at " << t;
}

// Σ f_j δ^j = f(t + δ) as long as no knot lies between, from points everywhere in and around the window.
inline void expect_series_predict_values(const TimeFunction& f, double accuracy = 1e-12) {
  constexpr int order = 25;
  const std::vector<double> knots = f.knots();
  const double begin = knots.empty() ? 0.0 : knots.front(), end = knots.empty() ? 1.0 : knots.back();
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> anywhere(begin - 0.2 * (end - begin), end + 0.2 * (end - begin));
  std::uniform_real_distribution<double> nearby(-0.1 * (end - begin), 0.1 * (end - begin));
  for (int i = 0; i < 200; ++i) {
    const double t = anywhere(random), d = nearby(random);
    bool apart = false;
    for (const double knot : knots) apart = apart || (knot > std::min(t, t + d) && knot < std::max(t, t + d));
    if (apart) continue;
    const std::vector<double> out = series(f, t, Side::right, order);
    double sum = 0.0;
    for (std::size_t j = out.size(); j-- > 0;) sum = sum * d + out[j];
    EXPECT_NEAR(sum, value(f, t + d), accuracy * (1.0 + std::abs(sum))) << f.describe() << " from " << t << " by " << d;
  }
}

// The derivatives up to smoothness() agree on both sides of every knot, and somewhere the next one does not.
inline void expect_smooth_at_knots(const TimeFunction& f, double accuracy = 1e-9) {
  const int order = f.smoothness();
  bool jumps = false;
  for (const double knot : f.knots()) {
    const std::vector<double> left = series(f, knot, Side::left, order + 1);
    const std::vector<double> right = series(f, knot, Side::right, order + 1);
    for (std::size_t j = 0; j <= static_cast<std::size_t>(order); ++j)
      EXPECT_NEAR(left[j], right[j], accuracy * (1.0 + std::abs(left[j]))) << f.describe() << " order " << j;
    jumps = jumps || std::abs(left.back() - right.back()) > 1e-3;
  }
  EXPECT_TRUE(jumps) << f.describe();
}

}  // namespace invar
