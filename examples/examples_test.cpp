// Runs every example as its expected.toml says and holds the results against exact or independently computed ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "examples/compare.h"
#include "invar/task/simulate/simulate.h"

namespace invar::examples {
namespace {

Simulation run_model(const fs::path& example, const Setup& setup) {
  Problem problem = read_problem(example / setup.model, setup.set, setup.formulation);
  SimulateSettings& s = problem.settings.of<SimulateSettings>();
  s.method = setup.method.value_or(s.method);
  s.step = setup.step.value_or(s.step);
  s.until = setup.until.value_or(s.until);
  s.every = static_cast<int>(setup.every.value_or(s.every));
  check(s);
  return simulate(problem);
}

void check_count(const std::optional<double>& expected, std::size_t found, const char* what) {
  EXPECT_EQ(static_cast<double>(found), expected.value_or(static_cast<double>(found))) << what;
}

void check_run(const fs::path& example, const ExpectedRun& expected) {
  const Simulation run = run_model(example, expected.setup);
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  check_count(expected.coordinates, run.summary.counts.coordinates, "coordinates");
  check_count(expected.constraints, run.summary.counts.constraints, "constraints");
  check_count(expected.degrees_of_freedom, run.summary.counts.degrees_of_freedom, "degrees of freedom");
  check_warnings(expected.warnings, run.summary.warnings);
  for (const ExpectedValue& v : expected.values) check_value(v, run.trajectory);
  for (const ExpectedConstant& c : expected.constants) check_constant(c, run.trajectory);
  for (const Reference& r : expected.references) check_reference(example, r, run.trajectory);
}

// The order p of a scheme from its errors at h and h/2: 2^p = e(h)/e(h/2).
void check_order(const fs::path& example, ExpectedOrder expected) {
  const Reference& r = expected.reference;
  const Trajectory file = read_csv(example / r.file);
  double error[2] = {};
  for (double& e : error) {
    const Simulation run = run_model(example, expected.setup);
    ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
    for (const std::string& column : columns_of(r, file))
      e = std::max(e, deviation(run.trajectory, file, column).amount);
    *expected.setup.step /= 2.0;
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), expected.order, r.tolerance.absolute)
      << "errors " << error[0] << " and " << error[1] << "; tolerance: " << r.tolerance.reason;
}

class Example : public testing::TestWithParam<std::string> {};

TEST_P(Example, MeetsItsFigures) {
  const fs::path example = folder / GetParam();
  const Expected expected = read_expected(example / "expected.toml");
  int count = 0;
  for (const ExpectedRun& run : expected.runs) {
    SCOPED_TRACE(GetParam() + ", run " + std::to_string(++count) + " of expected.toml");
    check_run(example, run);
  }
  for (const ExpectedOrder& order : expected.orders) {
    SCOPED_TRACE(GetParam() + ", order of " + order.setup.method.value_or("the scheme"));
    check_order(example, order);
  }
}

TEST_P(Example, IsDescribedAndNamedAsItsFolder) {
  const fs::path example = folder / GetParam();
  EXPECT_EQ(read_problem(example / "model.toml").name, GetParam());
  std::ifstream readme(example / "README.md");
  std::string title;
  std::getline(readme, title);
  EXPECT_EQ(title.substr(0, 2), "# ");
  EXPECT_GT(title.size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(All, Example, testing::ValuesIn(example_names()),
                         [](const auto& example) { return example.param; });

}  // namespace
}  // namespace invar::examples
