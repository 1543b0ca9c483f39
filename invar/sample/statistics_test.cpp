// Laws of the statistics: closed forms, and what may not matter does not.
#include "invar/sample/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "invar/sample/counter_random.h"
#include "invar/sample/design.h"
#include "invar/sample/sensitivity.h"

namespace invar {
namespace {

constexpr double rounding = 1e-14;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

TEST(Statistics, OfTheFirstNumbers) {
  std::vector<double> values = {missing};
  for (int k = 1; k <= 100; ++k) values.push_back(k);
  const Moments m = moments(values);
  EXPECT_EQ(m.count, 100u);
  EXPECT_NEAR(m.mean, 50.5, 50.0 * rounding);
  EXPECT_NEAR(m.deviation, std::sqrt(100.0 * 101.0 / 12.0), 50.0 * rounding);
  EXPECT_EQ(m.least, 1.0);
  EXPECT_EQ(m.largest, 100.0);
  const std::vector<double> q = quantiles(values, std::vector{0.0, 0.25, 0.5, 1.0});
  EXPECT_EQ(q, (std::vector{1.0, 25.75, 50.5, 100.0}));
  EXPECT_TRUE(std::isnan(moments({}).mean));
  EXPECT_TRUE(std::isnan(quantiles({}, std::vector{0.5})[0]));
}

TEST(Statistics, HistogramsCountEverything) {
  std::vector<double> values;
  for (int k = 0; k < 5000; ++k) values.push_back(random_number(1, k, 0));
  const Histogram h = histogram(values);
  std::size_t sum = 0;
  for (const std::size_t count : h.counts) sum += count;
  EXPECT_EQ(sum, 5000u);
  EXPECT_GT(h.counts.size(), 10u);
  const Histogram four = histogram(std::vector{0.0, 1.0, 2.0, 3.0, 4.0}, 4);
  EXPECT_EQ(four.counts, (std::vector<std::size_t>{1, 1, 1, 2})) << "the largest value belongs to the last part";
  EXPECT_EQ(histogram(std::vector{2.0, 2.0}).counts, std::vector<std::size_t>{2});
  EXPECT_TRUE(histogram({}).counts.empty());
}

TEST(Statistics, CorrelationsKnowLinesAndOrders) {
  std::vector<double> x, line, curve, fold;
  for (int k = -10; k <= 10; ++k) {
    x.push_back(k);
    line.push_back(3.0 - 2.0 * k);
    curve.push_back(std::exp(0.5 * k));
    fold.push_back(k * k);
  }
  EXPECT_NEAR(pearson_correlation(x, line), -1.0, rounding);
  EXPECT_NEAR(spearman_correlation(x, curve), 1.0, rounding) << "what only grows has the same order";
  EXPECT_LT(pearson_correlation(x, curve), 0.8);
  EXPECT_NEAR(pearson_correlation(x, fold), 0.0, rounding);
  EXPECT_NEAR(spearman_correlation(x, fold), 0.0, rounding) << "equal values share their ranks";
  EXPECT_TRUE(std::isnan(pearson_correlation(x, std::vector<double>(x.size(), 1.0))));
  const double before = spearman_correlation(x, curve);
  x.insert(x.begin(), {1.0, missing});
  curve.insert(curve.begin(), {missing, 1.0});
  EXPECT_EQ(spearman_correlation(x, curve), before) << "pairs with a missing side do not count";
}

// Ishigami's function sin x + a sin² y + b z⁴ sin x on (-π, π)³, whose indices have a closed form
// [T. Ishigami, T. Homma, ISUMA 1990; A. Saltelli et al., Global Sensitivity Analysis, 2008].
struct Ishigami {
  static constexpr double a = 7.0, b = 0.1;
  static double at(const std::vector<double>& p) {
    return std::sin(p[0]) + a * std::pow(std::sin(p[1]), 2) + b * std::pow(p[2], 4) * std::sin(p[0]);
  }

  double pi4 = std::pow(std::numbers::pi, 4), pi8 = pi4 * pi4;
  double variance = a * a / 8.0 + b * pi4 / 5.0 + b * b * pi8 / 18.0 + 0.5;
  double first_x = 0.5 * std::pow(1.0 + b * pi4 / 5.0, 2) / variance, first_y = a * a / 8.0 / variance;
  double total_z = b * b * pi8 * 8.0 / 225.0 / variance;
};

std::vector<double> ishigami_results(std::uint64_t samples, std::uint64_t seed, double shift) {
  const auto range = ValueSet::read("uniform(-3.141592653589793, 3.141592653589793)");
  const Design design({{{"x"}, {range}}, {{"y"}, {range}}, {{"z"}, {range}}}, Sampling::saltelli, samples, seed);
  std::vector<double> results, point(3);
  for (std::uint64_t k = 0; k < design.size(); ++k) {
    design.set_case(k, point);
    results.push_back(Ishigami::at(point) + shift);
  }
  return results;
}

TEST(Sensitivity, OfIshigamisFunctionIsItsClosedForm) {
  const SensitivityResult found = sobol_indices(ishigami_results(4096, 1, 0.0), 3);
  const Ishigami exact;
  // The estimators' scatter with 4096 points of Sobol's sequence, measured over seeds at 4e-3, and some.
  constexpr double scatter = 0.015;
  EXPECT_EQ(found.base_samples, 4096u);
  EXPECT_NEAR(found.of[0].first_order.value, exact.first_x, scatter);
  EXPECT_NEAR(found.of[1].first_order.value, exact.first_y, scatter);
  EXPECT_NEAR(found.of[2].first_order.value, 0.0, scatter);
  EXPECT_NEAR(found.of[0].total.value, exact.first_x + exact.total_z, scatter);
  EXPECT_NEAR(found.of[1].total.value, exact.first_y, scatter);
  EXPECT_NEAR(found.of[2].total.value, exact.total_z, scatter);
}

// The interval of 95 % holds the truth in most of independent trials; with points of a net the bootstrap is cautious.
TEST(Sensitivity, ConfidenceHoldsTheTruth) {
  const Ishigami exact;
  int held = 0, asked = 0;
  for (int seed = 1; seed <= 12; ++seed) {
    const SensitivityResult found =
        sobol_indices(ishigami_results(256, seed, 0.0), 3, {.confidence = 0.95, .resamples = 200, .seed = 1});
    const auto holds = [&](const SensitivityIndex& index, double truth) {
      EXPECT_LE(index.low, index.value);
      EXPECT_LE(index.value, index.high);
      held += index.low <= truth && truth <= index.high;
      ++asked;
    };
    holds(found.of[0].first_order, exact.first_x);
    holds(found.of[1].first_order, exact.first_y);
    holds(found.of[2].total, exact.total_z);
  }
  EXPECT_GE(held, 9 * asked / 10);
}

TEST(Sensitivity, DoesNotFeelAConstantNorFailedRuns) {
  const SensitivityResult found = sobol_indices(ishigami_results(512, 3, 0.0), 3);
  const SensitivityResult high = sobol_indices(ishigami_results(512, 3, 1e6), 3);
  constexpr double of_large_sums = 1e-8;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.of[i].first_order.value, high.of[i].first_order.value, of_large_sums);
    EXPECT_NEAR(found.of[i].total.value, high.of[i].total.value, of_large_sums);
  }
  std::vector<double> with_failures = ishigami_results(512, 3, 0.0);
  with_failures[7] = missing;
  const SensitivityResult fewer = sobol_indices(with_failures, 3);
  EXPECT_EQ(fewer.base_samples, 511u);
  EXPECT_NEAR(fewer.of[0].first_order.value, found.of[0].first_order.value, 0.01);
  EXPECT_TRUE(std::isnan(sobol_indices(std::vector<double>(5, 1.0), 3).of[0].total.value));
}

}  // namespace
}  // namespace invar
