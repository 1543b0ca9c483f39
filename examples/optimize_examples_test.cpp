// Finds the least costly motions that examples ask for, as their expected.toml says, and holds the costs against independent ones.
#include <gtest/gtest.h>

#include <cmath>

#include "examples/compare.h"
#include "invar/scheme/scheme.h"
#include "invar/task/optimize.h"

namespace invar::examples {
namespace {

constexpr double same_motion = 1e-8;  // of a simulation with the inputs, relative: both solve the same equations
constexpr double balanced = 1e-9;     // energy against work, relative: exact in schemes that keep energy
constexpr double order_error = 0.1;   // the next term of the cost, with h⁴, is still felt

std::vector<std::string> optimized_examples() {
  std::vector<std::string> names;
  for (const std::string& name : example_names())
    if (!read_expected(folder / name / "expected.toml").optima.empty()) names.push_back(name);
  return names;
}

// The cost with `factor` times as many intervals as asked for, after checks of what every optimum must satisfy.
double cost_of(const fs::path& example, const ExpectedOptimum& expected, int factor) {
  Problem problem = read_problem(example / expected.setup.model, expected.setup.set, expected.setup.formulation);
  OptimizeSettings& s = problem.optimize;
  s.scheme = expected.setup.method.value_or(s.scheme);
  s.intervals = factor * static_cast<int>(expected.intervals.value_or(s.intervals));
  const Optimum found = optimize(problem);
  EXPECT_EQ(found.summary.status, "done") << found.summary.message;
  if (found.summary.status != "done") return NAN;
  const Summary::Optimization& o = *found.summary.optimization;
  EXPECT_TRUE(o.replay);
  EXPECT_LE(o.replay.value_or(1.0), same_motion);
  if (find_scheme(found.summary.method)->info.energy) {
    EXPECT_LE(o.energy_balance_relative, balanced);
  }
  EXPECT_EQ(found.trajectory.rows(), o.intervals + 1);
  EXPECT_EQ(found.inputs.rows(), o.intervals);
  return o.cost;
}

void check_optimum(const fs::path& example, const ExpectedOptimum& expected) {
  const double cost = cost_of(example, expected, 1);
  if (expected.cost) {
    EXPECT_NEAR(cost, *expected.cost, expected.tolerance.bound(std::abs(*expected.cost))) << expected.tolerance.reason;
  }
  if (!expected.limit) return;
  const double finer = cost_of(example, expected, 2);
  EXPECT_NEAR(std::log2((cost - *expected.limit) / (finer - *expected.limit)), 2.0, order_error);
}

class OptimizedExample : public testing::TestWithParam<std::string> {};

TEST_P(OptimizedExample, MeetsItsFigures) {
  const fs::path example = folder / GetParam();
  int count = 0;
  for (const ExpectedOptimum& expected : read_expected(example / "expected.toml").optima) {
    SCOPED_TRACE(GetParam() + ", optimum " + std::to_string(++count) + " of expected.toml");
    check_optimum(example, expected);
  }
}

// The discrete null space removes the multipliers from the same equations.
TEST(OptimizedExamples, ReducedSchemeHasTheCostOfTheFullOne) {
  ExpectedOptimum arm;
  double costs[2] = {};
  for (const bool reduced : {false, true}) {
    arm.setup.method = reduced ? "reduced-energy-momentum" : "energy-momentum";
    costs[reduced] = cost_of(folder / "arm_swing", arm, 1);
  }
  EXPECT_NEAR(costs[0], costs[1], balanced * costs[0]);
}

INSTANTIATE_TEST_SUITE_P(All, OptimizedExample, testing::ValuesIn(optimized_examples()),
                         [](const auto& example) { return example.param; });

}  // namespace
}  // namespace invar::examples
