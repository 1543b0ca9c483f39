// Inverts every example as its expected.toml says and holds verdict, motion and inputs against closed forms or other
// methods.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>

#include "examples/compare.h"
#include "invar/task/invert/invert.h"

namespace invar::examples {
namespace {

std::vector<std::string> examples_to_invert() {
  std::vector<std::string> names = example_names();
  std::erase_if(
      names, [](const std::string& name) { return read_expected(folder / name / "expected.toml").inversions.empty(); });
  return names;
}

Inversion invert_model(const fs::path& example, const Setup& setup) {
  Problem problem = read_problem(example / setup.model, setup.set, setup.formulation);
  InvertSettings& s = problem.settings.of<InvertSettings>();
  s.method = setup.method.value_or(s.method);
  s.step = setup.step.value_or(s.step);
  s.until = setup.until.value_or(s.until);
  check(s);
  return invert(problem);
}

void check_refusal(const fs::path& example, const ExpectedInversion& expected) {
  try {
    invert_model(example, expected.setup);
    ADD_FAILURE() << "not refused; expected: " << expected.refused;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(expected.refused), std::string::npos)
        << "refused with: " << error.what() << "\nexpected: " << expected.refused;
  }
}

// Each expected eigenvalue has its own partner among those found.
void check_eigenvalues(const ExpectedEigenvalues& expected, std::vector<std::complex<double>> found) {
  ASSERT_EQ(found.size(), expected.values.size());
  for (const std::complex<double>& z : expected.values) {
    const auto nearest = std::min_element(
        found.begin(), found.end(), [&](const auto& a, const auto& b) { return std::abs(a - z) < std::abs(b - z); });
    EXPECT_LE(std::abs(*nearest - z), expected.tolerance.bound(std::abs(z)))
        << "eigenvalue " << z << ", nearest " << *nearest << "; tolerance: " << expected.tolerance.reason;
    found.erase(nearest);
  }
}

void check_derivatives(const ExpectedInversion& expected, const InversionSummary& found) {
  if (expected.derivatives.empty()) return;
  ASSERT_EQ(found.needed_derivatives.size(), expected.derivatives.size());
  for (const auto& [output, order] : expected.derivatives) {
    const auto needed = std::find_if(found.needed_derivatives.begin(), found.needed_derivatives.end(),
                                     [&](const auto& n) { return n.output == output; });
    ASSERT_NE(needed, found.needed_derivatives.end()) << output;
    EXPECT_EQ(needed->order, order) << "derivatives of " << output;
  }
}

void check_verdict(const ExpectedInversion& expected, const InversionSummary& found) {
  EXPECT_EQ(static_cast<double>(found.unknowns), expected.unknowns.value_or(static_cast<double>(found.unknowns)));
  EXPECT_EQ(found.index, expected.index.value_or(found.index)) << found.verdict;
  EXPECT_EQ(found.degrees_of_freedom, expected.degrees_of_freedom.value_or(found.degrees_of_freedom)) << found.verdict;
  EXPECT_EQ(found.flat, expected.flat.value_or(found.flat)) << found.verdict;
  EXPECT_EQ(found.hidden_structure, expected.hidden_structure.value_or(found.hidden_structure)) << found.verdict;
  check_derivatives(expected, found);
  if (expected.eigenvalues) check_eigenvalues(*expected.eigenvalues, found.zero_dynamics);
  if (!expected.round_trip) return;
  ASSERT_TRUE(found.round_trip);
  EXPECT_LE(*found.round_trip, expected.round_trip->absolute) << "tolerance: " << expected.round_trip->reason;
}

void check_inversion(const fs::path& example, const ExpectedInversion& expected) {
  if (!expected.refused.empty()) return check_refusal(example, expected);
  const Inversion run = invert_model(example, expected.setup);
  ASSERT_EQ(run.summary.status, expected.fails.empty() ? RunStatus::done : RunStatus::failed) << run.summary.message;
  EXPECT_NE(run.summary.message.find(expected.fails), std::string::npos) << run.summary.message;
  ASSERT_TRUE(run.summary.part<InversionSummary>());
  check_verdict(expected, *run.summary.part<InversionSummary>());
  check_warnings(expected.warnings, run.summary.warnings);
  for (const ExpectedValue& v : expected.values) check_value(v, run.trajectory);
  for (const Reference& r : expected.references) check_reference(example, r, run.trajectory);
}

class InverseExample : public testing::TestWithParam<std::string> {};

TEST_P(InverseExample, MeetsItsFigures) {
  const fs::path example = folder / GetParam();
  int count = 0;
  for (const ExpectedInversion& expected : read_expected(example / "expected.toml").inversions) {
    SCOPED_TRACE(GetParam() + ", " + expected.setup.model + ", inversion " + std::to_string(++count) +
                 " of expected.toml");
    check_inversion(example, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(All, InverseExample, testing::ValuesIn(examples_to_invert()),
                         [](const auto& example) { return example.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(InverseExample);

}  // namespace
}  // namespace invar::examples
