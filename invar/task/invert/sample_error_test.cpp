// Trajectories from samples: the inputs are about as good as the samples allow, and the user is told how good that is.
#include "invar/task/invert/sample_error.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "invar/model/trajectory/profile.h"
#include "invar/read/read_problem.h"
#include "invar/task/invert/invert.h"

namespace invar {
namespace {

constexpr double m1 = 2.0, m2 = 0.5, stiffness = 40.0;

// Two masses and a spring; the far one shall follow the column y of the samples.
class Chain : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("samples_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Samples of the curve every `step`, with so many digits after the point.
  Inversion inverted(double step, int digits) {
    std::ofstream samples(folder_ / "y.csv");
    samples << "t,y\n" << std::fixed;
    for (int i = 0; i * step < 3.0 + 0.5 * step; ++i) {
      samples.precision(4);
      samples << i * step << ",";
      samples.precision(digits);
      samples << derivative(i * step, 0) << "\n";
    }
    samples.close();
    std::ofstream(folder_ / "chain.toml") << R"TOML(
name = "chain"
[system]
coordinates = ["x1", "x2"]
kinetic = "x1'^2 + x2'^2/4"
potential = "20*(x2 - x1)^2"
[[system.input]]
name = "u"
force = { x1 = "1" }
[[system.output]]
name = "y"
expr = "x2"
[initial]
x1 = 0.0
x2 = 0.0
[[trajectory]]
outputs = "y"
file = "y.csv"
[invert]
step = 0.05
)TOML";
    return invert(read_problem((folder_ / "chain.toml").string()));
  }

  double derivative(double t, std::size_t order) const {
    std::vector<double> series(order + 1);
    curve_->series(t, Side::right, series);
    return series[order] * std::tgamma(static_cast<double>(order) + 1.0);
  }

  // u = m1 x1'' + m2 x2'' with x1 = x2 + m2 x2''/k.
  double largest_error(const Inversion& run) const {
    double most = 0.0;
    for (std::size_t k = 0; k < run.inputs.rows(); ++k) {
      const double t = run.inputs.row(k)[0];
      const double u = (m1 + m2) * derivative(t, 2) + m1 * m2 / stiffness * derivative(t, 4);
      most = std::max(most, std::abs(run.inputs.row(k)[1] - u));
    }
    return most;
  }

 private:
  std::filesystem::path folder_;
  TimeFunctionPtr curve_ = polynomial_move(15, {.from = 0.0, .to = 1.0, .start = 0.25, .duration = 2.5});
};

TEST_F(Chain, ManyDigitsLeaveLittleOpen) {
  const Inversion run = inverted(0.02, 12);
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  EXPECT_TRUE(run.summary.warnings.empty()) << run.summary.warnings.front();
  EXPECT_EQ(run.summary.part<InversionSummary>()->sample_error.find("the samples of y.csv, with an error of about "),
            0U)
      << run.summary.part<InversionSummary>()->sample_error;
  EXPECT_LT(largest_error(run), 1e-4 * 5.0) << "of the largest input, about 5";
}

TEST_F(Chain, FewDigitsAreWarnedOf) {
  const Inversion run = inverted(0.05, 2);
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  ASSERT_EQ(run.summary.warnings.size(), 1U);
  EXPECT_EQ(run.summary.warnings[0], run.summary.part<InversionSummary>()->sample_error);
  // Half a unit of the last digit: a spline through all samples would be off by 5e-3/0.05⁴ m1 m2/k = 20 and more.
  EXPECT_LT(largest_error(run), 0.05 * 5.0) << "of the largest input, about 5";
}

}  // namespace
}  // namespace invar
