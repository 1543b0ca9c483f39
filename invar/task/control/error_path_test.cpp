// An error path begins with what is given and obeys its differential equation.
#include "invar/task/control/error_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace invar {
namespace {

constexpr double path_rounding = 1e-11;  // relative to the terms of a sum; high derivatives carry large factors

// e and its derivatives at t, from the path of a reference that is zero.
std::vector<double> error_at(const ErrorPath& path, double t, std::size_t count) {
  std::vector<double> series(count);
  path.series(t, Side::right, series);
  double factorial = 1.0;
  for (std::size_t k = 0; k < count; ++k) {
    if (k > 1) factorial *= static_cast<double>(k);
    series[k] *= -factorial;
  }
  return series;
}

// (d/dt + b)^r of something with these derivatives, relative to the largest term.
double residual(double b, int r, std::span<const double> derivatives) {
  double sum = 0.0, largest = 0.0, binomial = 1.0;
  for (int k = 0; k <= r; ++k) {
    const double term = binomial * std::pow(b, r - k) * derivatives[static_cast<std::size_t>(k)];
    sum += term;
    largest = std::max(largest, std::abs(term));
    binomial = binomial * (r - k) / (k + 1);
  }
  return std::abs(sum) / largest;
}

class ErrorPaths : public testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  void SetUp() override {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    for (int k = 0; k < order_ + (integral_ ? 1 : 0); ++k) given_.push_back(number(random));
    path_.start(t0_, given_);
  }
  const int order_ = std::get<0>(GetParam());
  const bool integral_ = std::get<1>(GetParam());
  const double b_ = 3.0, t0_ = 0.7;
  std::vector<double> given_;
  ErrorPath path_{constant_function(0.0), b_, order_, integral_};
};

TEST_P(ErrorPaths, BeginsWithTheGivenDerivatives) {
  const std::size_t first = integral_ ? 1 : 0;
  const std::vector<double> e = error_at(path_, t0_, static_cast<std::size_t>(order_));
  for (std::size_t k = 0; k < e.size(); ++k) EXPECT_NEAR(e[k], given_[k + first], path_rounding) << k;
}

TEST_P(ErrorPaths, SolvesItsEquation) {
  const int r = order_ + (integral_ ? 1 : 0);
  for (const double later : {0.0, 0.01, 0.4, 2.0}) {
    const std::vector<double> e = error_at(path_, t0_ + later, static_cast<std::size_t>(r + 1));
    EXPECT_LT(residual(b_, r, e), path_rounding) << later;
  }
  if (!integral_) return;
  std::vector<double> whole = {given_[0]};  // E itself at the start
  for (const double e : error_at(path_, t0_, static_cast<std::size_t>(r))) whole.push_back(e);
  EXPECT_LT(residual(b_, r, whole), path_rounding);
}

TEST_P(ErrorPaths, ExpansionsAtTwoTimesAgree) {
  std::vector<double> here(30), there(1);  // enough terms for a step of a tenth
  path_.series(t0_ + 0.3, Side::right, here);
  path_.series(t0_ + 0.4, Side::right, there);
  double sum = 0.0;
  for (std::size_t k = here.size(); k-- > 0;) sum = 0.1 * sum + here[k];
  EXPECT_NEAR(sum, there[0], path_rounding);
}

INSTANTIATE_TEST_SUITE_P(Orders, ErrorPaths, testing::Combine(testing::Values(1, 2, 4), testing::Bool()));

TEST(ErrorPath, TwiceRepeatedPoleAgainstItsClosedForm) {
  ErrorPath path(constant_function(5.0), 2.0, 2, false);
  path.start(1.0, std::vector<double>{0.1, 0.0});
  for (const double tau : {0.0, 0.5, 3.0}) {
    double value = 0.0;
    path.series(1.0 + tau, Side::right, {&value, 1});
    EXPECT_NEAR(value, 5.0 - 0.1 * (1.0 + 2.0 * tau) * std::exp(-2.0 * tau), path_rounding);
  }
}

TEST(ErrorPath, WithoutErrorIsTheReference) {
  ErrorPath path(constant_function(5.0), 2.0, 3, true);
  path.start(0.0, std::vector<double>{1.0, 1.0, 1.0, 1.0});
  path.clear();
  double value = 0.0;
  path.series(0.3, Side::right, {&value, 1});
  EXPECT_EQ(value, 5.0);
}

}  // namespace
}  // namespace invar
