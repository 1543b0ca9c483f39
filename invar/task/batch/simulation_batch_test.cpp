// Runs of a batch end as runs of their own do, and fail with the same words. The device of these tests is the processor
// (test_host_device.h).
#include "invar/task/batch/simulation_batch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/base/error.h"
#include "invar/base/private_files.h"
#include "invar/device/test_host_device.h"
#include "invar/read/read_problem.h"
#include "invar/task/simulate/simulate.h"

namespace invar {
namespace {

constexpr double same_end = 1e-9;  // relative to the largest number of a row: what 100 steps make of round-off

const char* const swinging = R"toml(
name = "swinging"
[parameters]
m = 1.0
l = 1.0
g = 9.81
x0 = 0.6
[system]
coordinates = ["x", "y"]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*g*y"
[[system.constraint]]
name = "rod"
expr = "(x^2 + y^2 - l^2)/2"
[[system.input]]
name = "F"
force = { x = "1" }
[initial]
x = "x0"
y = "-sqrt(l^2 - x0^2)"
[simulate]
until = 1.0
step = 0.01
method = "energy-momentum"
inputs = { F = "sin(t)" }
)toml";

void expect_ends_alone(const Prepared& prepared, std::span<const Overrides> cases) {
  test::HostDevice device;
  ASSERT_EQ(refusal_of_batch(prepared, cases), "");
  const BatchEnds ends = simulate_batch(device, prepared, cases);
  ASSERT_EQ(ends.cases.size(), cases.size());
  for (std::size_t p = 0; p < cases.size(); ++p) {
    const Simulation alone = simulate(prepared, cases[p]);
    const BatchEnds::Case& c = ends.cases[p];
    EXPECT_EQ(ends.columns, alone.trajectory.columns);
    EXPECT_FALSE(c.by_processor) << p;
    const std::span<const double> row = alone.trajectory.row(alone.trajectory.rows() - 1);
    double size = 0.0;
    for (const double x : row) size = std::max(size, std::abs(x));
    for (std::size_t k = 0; k < row.size(); ++k) EXPECT_NEAR(c.end[k], row[k], same_end * size) << ends.columns[k];
    for (std::size_t k = 0; k < ends.watched.size(); ++k) {
      const std::vector<double> column = alone.trajectory.column(ends.watched[k]);
      EXPECT_NEAR(c.least[k], *std::ranges::min_element(column), same_end * size);
      EXPECT_NEAR(c.greatest[k], *std::ranges::max_element(column), same_end * size);
    }
  }
}

class Batch : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!run_program({"cc", "--version"})) GTEST_SKIP() << "no C compiler here";
  }
};

TEST_F(Batch, EndsWhereEachRunEnds) {
  const Prepared prepared(read_problem_text(swinging, "swinging.toml"));
  expect_ends_alone(prepared, std::vector<Overrides>{{{"m", 0.5}}, {{"m", 2.0}, {"x0", 0.3}}, {}});
}

TEST_F(Batch, TakesExplicitMethods) {
  std::string text = swinging;
  const std::size_t constraint = text.find("[[system.constraint]]");
  text.erase(constraint, text.find("[[system.input]]") - constraint);
  text.replace(text.find("\"energy-momentum\""), 17, "\"rk4\"");
  const Prepared prepared(read_problem_text(text, "falling.toml"));
  expect_ends_alone(prepared, std::vector<Overrides>{{{"m", 0.5}}, {{"m", 2.0}, {"x0", 0.3}}});
}

// A rod that the start cannot have: the square root has no value.
TEST_F(Batch, FailsWithTheWordsOfTheRun) {
  std::string text = swinging;
  text.replace(text.find("\"m*g*y\""), 7, "\"m*g*y + sqrt(x0 + 0.1 - y)\"");
  text.replace(text.find("m/2*(x'^2 + y'^2)"), 17, "m/2*(x'^2 + y'^2) + 0*x");
  const Prepared prepared(read_problem_text(text, "rooted.toml"));
  const std::vector<Overrides> cases = {{{"x0", 0.6}}, {{"g", -200.0}, {"x0", 0.5}}};
  test::HostDevice device;
  const BatchEnds ends = simulate_batch(device, prepared, cases);
  for (std::size_t p = 0; p < cases.size(); ++p)
    EXPECT_EQ(ends.cases[p].failure, simulate(prepared, cases[p]).summary.message);
  EXPECT_EQ(ends.cases[0].failure, "");
  EXPECT_NE(ends.cases[1].failure, "");
}

TEST_F(Batch, PaysForManyRunsOnly) {
  const Prepared prepared(read_problem_text(swinging, "swinging.toml"));
  EXPECT_FALSE(gpu_pays(prepared, 10, 16));
  EXPECT_TRUE(gpu_pays(prepared, 10'000'000, 16));
}

TEST_F(Batch, SaysWhatItCannotDo) {
  std::string text = swinging;
  text.replace(text.find("\"sin(t)\""), 8, "\"m*sin(t)\"");
  const Prepared prepared(read_problem_text(text, "swinging.toml"));
  const std::vector<Overrides> cases = {{{"m", 0.5}}, {{"m", 2.0}}};
  EXPECT_NE(refusal_of_batch(prepared, cases).find("input \"F\" contains \"m\""), std::string::npos);
  test::HostDevice device;
  EXPECT_THROW(simulate_batch(device, prepared, cases), InputError);
}

}  // namespace
}  // namespace invar
