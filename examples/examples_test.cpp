// Runs every example as its expected.toml says and holds the results against exact or independently computed ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "examples/expected.h"
#include "invar/expr/error.h"
#include "invar/record/trajectory.h"
#include "invar/task/simulate.h"

namespace invar::examples {
namespace {

namespace fs = std::filesystem;

const fs::path folder = INVAR_EXAMPLES_DIR;

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory()) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

Simulation run_model(const fs::path& example, const Setup& setup) {
  Problem problem = read_problem(example / setup.model, setup.set);
  SimulateSettings& s = problem.simulate;
  s.method = setup.method.value_or(s.method);
  s.step = setup.step.value_or(s.step);
  s.until = setup.until.value_or(s.until);
  s.every = static_cast<int>(setup.every.value_or(s.every));
  check(s);
  return simulate(problem);
}

// The row of time t, which must have been recorded.
std::size_t row_at(const Trajectory& result, double t) {
  const std::vector<double> times = result.column("t");
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < times.size(); ++i)
    if (std::abs(times[i] - t) < std::abs(times[nearest] - t)) nearest = i;
  const double same_time = 1e-9 * times.back();  // round-off in k·h against a decimal number
  if (!(std::abs(times[nearest] - t) <= same_time)) throw InputError("t = " + std::to_string(t) + " was not recorded");
  return nearest;
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (double x : values) most = std::max(most, std::abs(x));
  return most;
}

struct Deviation {
  double t = 0.0, amount = 0.0;
  void meet(double time, double x) {
    if (!(std::abs(x) <= amount)) *this = {time, std::abs(x)};
  }
};

Deviation deviation(const Trajectory& result, const Trajectory& reference, const std::string& column) {
  Deviation worst;
  for (std::size_t i = 0; i < reference.rows(); ++i) {
    const double t = reference.value(i, "t");
    worst.meet(t, result.value(row_at(result, t), column) - reference.value(i, column));
  }
  return worst;
}

std::vector<std::string> columns_of(const Reference& r, const Trajectory& file) {
  if (!r.columns.empty()) return r.columns;
  std::vector<std::string> columns = file.columns;
  std::erase(columns, "t");
  return columns;
}

void check_reference(const fs::path& example, const Reference& r, const Trajectory& result) {
  const Trajectory file = read_csv(example / r.file);
  for (const std::string& column : columns_of(r, file)) {
    const Deviation worst = deviation(result, file, column);
    EXPECT_LE(worst.amount, r.tolerance.bound(largest(file.column(column))))
        << column << " against " << r.file << ", worst at t = " << worst.t << "; tolerance: " << r.tolerance.reason;
  }
}

void check_value(const ExpectedValue& v, const Trajectory& result) {
  EXPECT_NEAR(result.value(row_at(result, v.t), v.column), v.value, v.tolerance.bound(std::abs(v.value)))
      << v.column << " at t = " << v.t << "; tolerance: " << v.tolerance.reason;
}

void check_constant(const ExpectedConstant& c, const Trajectory& result) {
  const std::vector<double> values = result.column(c.column);
  Deviation worst;
  for (std::size_t i = 0; i < values.size(); ++i) worst.meet(result.value(i, "t"), values[i] - values.front());
  EXPECT_LE(worst.amount, c.tolerance.bound(largest(values)))
      << "change of " << c.column << ", worst at t = " << worst.t << "; tolerance: " << c.tolerance.reason;
}

// Each warning is expected and each expected one is there.
void check_warnings(const std::vector<std::string>& expected, const std::vector<std::string>& warnings) {
  const auto says = [](const std::string& warning) {
    return [&warning](const std::string& text) { return warning.find(text) != std::string::npos; };
  };
  for (const std::string& w : warnings)
    EXPECT_TRUE(std::any_of(expected.begin(), expected.end(), says(w))) << "unexpected warning: " << w;
  for (const std::string& text : expected)
    EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(), [&](const std::string& w) { return says(w)(text); }))
        << "no warning says: " << text;
}

void check_run(const fs::path& example, const ExpectedRun& expected) {
  const Simulation run = run_model(example, expected.setup);
  ASSERT_EQ(run.summary.status, "done") << run.summary.message;
  if (expected.degrees_of_freedom) {
    EXPECT_EQ(static_cast<double>(run.summary.counts.degrees_of_freedom), *expected.degrees_of_freedom);
  }
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
    ASSERT_EQ(run.summary.status, "done") << run.summary.message;
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
