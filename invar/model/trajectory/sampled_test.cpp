// Functions from samples with errors: as near to the curve that was sampled as the errors allow, and they know how near
// that is.
#include "invar/model/trajectory/sampled.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "invar/model/trajectory/profile_test_support.h"

namespace invar {
namespace {

constexpr int order = 6;  // of the derivative that is looked at

// Samples of a smooth move, with normal errors of the given size.
struct Sampling {
  TimeFunctionPtr curve = polynomial_move(21, {.from = 0.0, .to = 2.0, .start = 0.3, .duration = 2.2});
  Samples samples = {{}, {}, 0.0, false, "samples.csv"};

  Sampling(double step, double error, double digits = 0.0) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    for (double t = 0.0; t < 3.0 + 0.5 * step; t += step) {
      samples.times.push_back(t);
      const double y = value(*curve, t) + error * normal(random);
      samples.values.push_back(digits > 0.0 ? std::round(y / digits) * digits : y);
    }
    samples.rounding = 0.5 * digits;
  }

  double largest_difference(const TimeFunction& a, const TimeFunction& b) const {
    double most = 0.0;
    for (double t = 0.0; t < 3.0; t += 0.0017)
      most = std::max(most, std::abs(derivative(a, t, Side::right, order) - derivative(b, t, Side::right, order)));
    return most;
  }

  double estimate(const SampledFunction& f) const {
    double most = 0.0;
    for (const auto& other : f.others()) most = std::max(most, largest_difference(f, *other));
    return most;
  }
};

TEST(Sampled, DerivativesAreMuchBetterThanThroughEverySample) {
  for (const double error : {0.0, 1e-9, 1e-6}) {
    const Sampling s(0.01, error);
    const auto smooth = sampled(s.samples, order);
    const auto through = spline(s.samples.times, s.samples.values, order);
    // Fewer knots: what errors do to a derivative of order 6 falls with the sixth power of their distance.
    EXPECT_LT(s.largest_difference(*smooth, *s.curve), 0.1 * s.largest_difference(*through, *s.curve)) << error;
    EXPECT_LT(smooth->knots().size(), s.samples.times.size());
    for (std::size_t i = 0; i < s.samples.times.size(); ++i)
      EXPECT_NEAR(value(*smooth, s.samples.times[i]), s.samples.values[i], 6.0 * smooth->sample_error()) << i;
  }
}

TEST(Sampled, KnowsTheErrorOfItsSamples) {
  for (const double error : {1e-9, 1e-6, 1e-3})
    EXPECT_NEAR(sampled(Sampling(0.01, error).samples, order)->sample_error(), error, 0.4 * error);
  // Numbers of so many digits are off by up to half a unit, on average by 1/√12 of it.
  const double digits = 1e-6;
  EXPECT_NEAR(sampled(Sampling(0.01, 0.0, digits).samples, order)->sample_error(), digits / std::sqrt(12.0),
              0.3 * digits);
}

TEST(Sampled, TheEstimateIsOfTheSizeOfTheError) {
  for (const double step : {0.01, 0.05})
    for (const double error : {0.0, 1e-9, 1e-6}) {
      const Sampling s(step, error);
      const auto f = sampled(s.samples, order);
      const double truth = s.largest_difference(*f, *s.curve);
      EXPECT_GT(s.estimate(*f), 0.3 * truth) << step << " " << error;
      EXPECT_LT(s.estimate(*f), 30.0 * truth) << step << " " << error;
    }
}

TEST(Sampled, FewPointsThatSomebodyChoseAreMet) {
  const Samples via = {{0.0, 1.0, 2.5, 3.0}, {0.0, 2.0, -1.0, 0.5}, 0.0, true, "\"via\""};
  const auto f = sampled(via, 4);
  EXPECT_EQ(f->knots(), via.times);
  for (std::size_t i = 0; i < via.times.size(); ++i) EXPECT_NEAR(value(*f, via.times[i]), via.values[i], 1e-12);
  EXPECT_EQ(f->others().size(), 1U) << "what lies between them is not unknown";
  EXPECT_EQ(f->describe(), "spline of degree 9 through 4 points");
}

}  // namespace
}  // namespace invar
