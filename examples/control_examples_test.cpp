// Closes the loop of every example as its expected.toml says and holds stability, errors and motion against what else
// is known of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "examples/compare.h"
#include "invar/model/trajectory/profile.h"
#include "invar/system/start/start.h"
#include "invar/task/control/control.h"
#include "invar/task/control/controllers.h"
#include "invar/task/control/sampled_loop.h"

namespace invar::examples {
namespace {

constexpr double on_constraints = 1e-9;  // residual, absolute: metres and unit vectors, by Newton's method
constexpr double rate_error = 0.03;      // of a rate of decay, relative: modes that are nearly as slow are still felt

std::vector<std::string> controlled_examples() {
  std::vector<std::string> names = example_names();
  std::erase_if(names,
                [](const std::string& name) { return read_expected(folder / name / "expected.toml").loops.empty(); });
  return names;
}

Problem loop_of(const fs::path& example, const ExpectedLoop& expected) {
  const Setup& setup = expected.setup;
  Problem problem = read_problem(example / setup.model, setup.set, setup.formulation);
  ControlSettings& c = problem.settings.of<ControlSettings>();
  c.controller = expected.controller.value_or(c.controller);
  c.period = expected.period.value_or(c.period);
  c.until = setup.until.value_or(c.until);
  check(c);
  return problem;
}

void check_error(const ExpectedError& expected, const ControlSummary& found) {
  const auto error = std::find_if(found.errors.begin(), found.errors.end(),
                                  [&](const auto& e) { return e.output == expected.output; });
  ASSERT_NE(error, found.errors.end()) << "no output " << expected.output;
  const std::string where = "error of " + expected.output + "; bound: " + expected.reason;
  constexpr double any = std::numeric_limits<double>::infinity();
  EXPECT_LE(error->largest, expected.largest.value_or(any)) << where;
  EXPECT_LE(error->rms, expected.rms.value_or(any)) << where;
  EXPECT_LE(std::abs(error->last), expected.last.value_or(any)) << where;
  EXPECT_GE(std::abs(error->last), expected.last_at_least.value_or(0.0)) << where;
}

void check_rest(const std::vector<ExpectedInput>& expected, const Problem& problem) {
  const std::vector<double> inputs = loop_stability(problem).inputs;
  ASSERT_EQ(inputs.size(), problem.system.inputs.size());
  for (const auto& [name, figure] : expected) {
    const auto input = std::find_if(problem.system.inputs.begin(), problem.system.inputs.end(),
                                    [&](const Input& i) { return i.name == name; });
    ASSERT_NE(input, problem.system.inputs.end()) << "no input " << name;
    EXPECT_NEAR(inputs[static_cast<std::size_t>(input - problem.system.inputs.begin())], figure.value,
                figure.tolerance.bound(std::abs(figure.value)))
        << name << " at rest; tolerance: " << figure.tolerance.reason;
  }
}

// How far the plant is from rest, sample by sample, after a small push of all coordinates.
std::vector<double> response(Problem model, std::size_t samples, double push) {
  for (invar::Reference& signal : model.signals) {
    double value = 0.0;
    signal.function->series(0.0, Side::right, {&value, 1});
    signal.function = constant_function(value);
  }
  const std::unique_ptr<Controller> controller = make_controller(standing_still(model));
  const State rest = controller->wanted_start();
  SampledLoop loop(model, ProblemStart(model, StartInputs::open), model.settings.of<ControlSettings>(), *controller,
                   false);
  State pushed{0.0, rest.q, rest.v, {}, {}};
  for (std::size_t i = 0; i < pushed.q.size(); ++i) pushed.q[i] += push * std::cos(1.0 + static_cast<double>(i));
  const std::vector<double> u(loop.system().inputs.size(), 0.0);
  loop.start_at(consistent_start(loop.system(), pushed, u, model.signals).state);
  std::vector<double> distances;
  for (std::size_t k = 0; k < samples; ++k) {
    double distance = 0.0;
    for (std::size_t i = 0; i < rest.q.size(); ++i) distance += std::pow(loop.q()[i] - rest.q[i], 2);
    distances.push_back(std::sqrt(distance));
    if (!loop.control() || !loop.advance()) throw InputError(loop.fault());
  }
  return distances;
}

// The largest errors of the last two of four spans, each three times as long as an error needs to change by e: by then
// little but the mode of the spectral radius is left.
void check_decay(const Problem& problem, double radius) {
  const double rate = std::log(radius);
  const auto span = static_cast<std::size_t>(std::ceil(3.0 / std::abs(rate)));
  ASSERT_LE(span, 5000u) << "too slow to be watched";
  const std::vector<double> distances = response(problem, 4 * span, rate > 0.0 ? 1e-9 : 1e-3);
  const auto most = [&](std::size_t k) {
    const auto from = distances.begin() + static_cast<std::ptrdiff_t>(k * span);
    return *std::max_element(from, from + static_cast<std::ptrdiff_t>(span));
  };
  EXPECT_NEAR(std::log(most(3) / most(2)) / static_cast<double>(span), rate, rate_error * std::abs(rate));
}

void check_loop_run(const fs::path& example, const ExpectedLoop& expected) {
  const Problem problem = loop_of(example, expected);
  if (!expected.at_rest.empty()) check_rest(expected.at_rest, problem);
  const ControlRun run = control(problem);
  EXPECT_TRUE(expected.may_break_down || run.summary.status == RunStatus::done) << run.summary.message;
  ASSERT_TRUE(run.summary.part<ControlSummary>());
  const ControlSummary& found = *run.summary.part<ControlSummary>();
  if (expected.spectral_radius) {
    const auto& [value, tolerance] = *expected.spectral_radius;
    ASSERT_TRUE(found.spectral_radius);
    EXPECT_NEAR(*found.spectral_radius, value, tolerance.bound(value)) << "tolerance: " << tolerance.reason;
  }
  if (expected.decay) {
    ASSERT_TRUE(found.spectral_radius);
    check_decay(problem, *found.spectral_radius);
  }
  EXPECT_TRUE(expected.may_break_down || found.constraint_violation <= on_constraints) << found.constraint_violation;
  check_warnings(expected.warnings, run.summary.warnings);
  for (const ExpectedError& e : expected.errors) check_error(e, found);
  for (const ExpectedValue& v : expected.values) check_value(v, run.trajectory);
  for (const Reference& r : expected.references) check_reference(example, r, run.trajectory);
}

class ControlExample : public testing::TestWithParam<std::string> {};

TEST_P(ControlExample, MeetsItsFigures) {
  const fs::path example = folder / GetParam();
  int count = 0;
  for (const ExpectedLoop& expected : read_expected(example / "expected.toml").loops) {
    SCOPED_TRACE(GetParam() + ", " + expected.setup.model + ", loop " + std::to_string(++count) + " of expected.toml");
    check_loop_run(example, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ControlExample, testing::ValuesIn(controlled_examples()),
                         [](const auto& example) { return example.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ControlExample);

}  // namespace
}  // namespace invar::examples
