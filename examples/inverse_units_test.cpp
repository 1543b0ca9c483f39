// No verdict on an inverse problem depends on units or on the order of its equations, and neither do the inputs.
//
// Every inverse example is written in other units, each coordinate, constraint, input, output, time and energy with a
// factor of its own between 1e-6 and 1e6, and in another order: index, degrees of freedom, flatness, stability and
// realisation stay, and the inputs, scaled back, are the same.
#include <gtest/gtest.h>

#include <complex>
#include <cstdio>
#include <limits>

#include "examples/compare.h"
#include "invar/task/invert/invert.h"
#include "invar/task/invert/test_rescaled.h"

namespace invar::examples {
namespace {

// Rounding errors of 1e-16 in the formulas, magnified by the condition of the equations and by differentiation.
constexpr double same_inputs = 1e-8;
// Of what the run itself says that its inputs are known to: where oscillations limit that, rounding is magnified, too.
constexpr double of_what_is_known = 1e-2;
constexpr double same_eigenvalue = 1e-6;  // relative; a double zero is split by the root of rounding errors
constexpr int scalings = 4, many_scalings = 16;
constexpr double decades = 6.0;
constexpr double instants = 5.0;

struct Case {
  std::string name, example;
  Setup setup;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string& name : example_names()) {
    int count = 0;
    for (const ExpectedInversion& e : read_expected(folder / name / "expected.toml").inversions) {
      const bool known = std::any_of(all.begin(), all.end(), [&](const Case& c) {
        return c.example == name && c.setup.model == e.setup.model && c.setup.formulation == e.setup.formulation &&
               c.setup.set == e.setup.set;
      });
      if (e.refused.empty() && e.fails.empty() && !known)
        all.push_back({name + "_" + std::to_string(++count), name, e.setup});
    }
  }
  return all;
}

Problem problem_of(const Case& c) {
  Problem p = read_problem(folder / c.example / c.setup.model, c.setup.set, c.setup.formulation);
  p.settings.of<InvertSettings>().method = c.setup.method.value_or("auto");
  p.settings.of<InvertSettings>().verify = false;
  p.settings.of<InvertSettings>().step = p.settings.of<InvertSettings>().until / instants;
  return p;
}

double eigenvalue_difference(std::vector<std::complex<double>> a, std::vector<std::complex<double>> b, double time) {
  double largest = 0.0, worst = 0.0;
  for (const auto& z : a) largest = std::max(largest, std::abs(z));
  for (const auto& z : a) {
    const auto nearest = std::min_element(b.begin(), b.end(), [&](const auto& x, const auto& y) {
      return std::abs(x * time - z) < std::abs(y * time - z);
    });
    worst = std::max(worst, std::abs(*nearest * time - z) / std::max(std::abs(z), 1e-3 * largest));
    b.erase(nearest);
  }
  return worst;
}

void same_verdict(const InversionSummary& a, const InversionSummary& b, double time) {
  EXPECT_EQ(a.index, b.index) << a.verdict << "\n" << b.verdict;
  EXPECT_EQ(a.degrees_of_freedom, b.degrees_of_freedom);
  EXPECT_EQ(a.flat, b.flat);
  EXPECT_EQ(a.hidden_structure, b.hidden_structure);
  EXPECT_EQ(a.realisation, b.realisation);
  EXPECT_EQ(a.singular_times.size(), b.singular_times.size()) << b.verdict;
  ASSERT_EQ(a.zero_dynamics.size(), b.zero_dynamics.size());
  EXPECT_LE(eigenvalue_difference(a.zero_dynamics, b.zero_dynamics, time), same_eigenvalue) << b.verdict;
}

// Relative to the largest value of each input, or of all inputs where it is nothing but rounding errors.
double input_difference(const Problem& problem, const test::Rescaling& by, const Inversion& a, const Inversion& b) {
  constexpr double nothing = 1e-9;
  double largest = 0.0, worst = 0.0;
  for (std::size_t row = 0; row < a.inputs.rows(); ++row)
    for (const Input& u : problem.system.inputs) largest = std::max(largest, std::abs(a.inputs.value(row, u.name)));
  for (std::size_t k = 0; k < problem.system.inputs.size(); ++k) {
    const std::string& name = problem.system.inputs[k].name;
    double size = 0.0, difference = 0.0;
    for (std::size_t row = 0; row < a.inputs.rows(); ++row) {
      size = std::max(size, std::abs(a.inputs.value(row, name)));
      difference = std::max(difference, std::abs(b.inputs.value(row, name) / by.input[k] - a.inputs.value(row, name)));
    }
    if (size < nothing * largest) size = largest;
    if (size > std::numeric_limits<double>::min()) worst = std::max(worst, difference / size);
  }
  return worst;
}

class OtherUnits : public testing::TestWithParam<Case> {};

TEST_P(OtherUnits, GiveTheSameVerdictAndInputs) {
  const Problem problem = problem_of(GetParam());
  const Inversion here = invert(problem);
  std::mt19937_64 random(2024);
  double worst = 0.0;
  // Elastic members bring small and large values together: what goes wrong there does so in one of many units.
  const bool elastic = GetParam().example == "elastic_crane";
  const int count = elastic ? many_scalings : scalings;
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(GetParam().name + ", scaling " + std::to_string(k));
    const test::Rescaling by = test::random_rescaling(problem, k == 0 ? 0.0 : decades, random);
    Problem other = test::rescaled(problem, by);
    if (k != 1) other = test::reordered(std::move(other), random);
    const Inversion there = invert(other);
    ASSERT_EQ(here.summary.status, there.summary.status) << there.summary.message;
    EXPECT_EQ(here.summary.method, there.summary.method);
    same_verdict(*here.summary.part<InversionSummary>(), *there.summary.part<InversionSummary>(), by.time);
    ASSERT_EQ(here.inputs.rows(), there.inputs.rows());
    worst = std::max(worst, input_difference(problem, by, here, there));
  }
  const double known = elastic ? here.summary.part<InversionSummary>()->step_error.value_or(0.0) : 0.0;
  EXPECT_LT(worst, std::max(same_inputs, of_what_is_known * known));
  RecordProperty("worst_difference_of_inputs", std::to_string(worst));
  std::printf("  %s: %d cases, worst difference of inputs %.1e\n", GetParam().name.c_str(), count, worst);
}

INSTANTIATE_TEST_SUITE_P(All, OtherUnits, testing::ValuesIn(cases()), [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace invar::examples
