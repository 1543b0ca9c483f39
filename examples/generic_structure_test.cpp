// What is found at the start of every inverse example holds in states nearby and along the path too, or the start is
// told to be singular.
#include <gtest/gtest.h>

#include "examples/compare.h"
#include "invar/dae/derivative_array.h"
#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar::examples {
namespace {

std::vector<std::string> inverse_examples() {
  std::vector<std::string> names = example_names();
  std::erase_if(names, [](const std::string& name) {
    const auto all = read_expected(folder / name / "expected.toml").inversions;
    return all.empty() || !all.front().refused.empty() || all.front().setup.model != "model.toml";
  });
  return names;
}

// The jets at a few instants.
std::vector<Jet> along(const InverseStructure& s, double until) {
  PathPlan plan;
  plan.knots = knots_of(s.dae, until);
  plan.units = s.dae.units;
  plan.integrates = !s.flat();
  for (const DaeUnknown& x : s.dae.unknowns) plan.kinds.push_back(x.kind);
  for (const double part : {0.0, 0.2, 0.45, 0.7}) plan.grid.push_back(part * until);
  return follow(s.solve, s.start, plan).jets;
}

class GenericStructure : public testing::TestWithParam<std::string> {};

TEST_P(GenericStructure, IsThatOfTheStart) {
  const Problem problem = read_problem(folder / GetParam() / "model.toml");
  const InverseStructure s = analyse_inverse(problem);
  EXPECT_FALSE(s.singular_degree.found()) << s.singular_degree.why;
  if (s.zero.kind == ZeroDynamics::Kind::unstable) return;  // cannot be followed from the start
  const std::vector<Jet> jets = along(s, problem.settings.of<InvertSettings>().until);
  ASSERT_FALSE(jets.empty());
  for (const Jet& jet : jets) {
    if (s.hidden) {
      const ArrayVerdict here = judge_array(*s.evaluator, s.formal, s.dae, jet, s.extra_orders);
      EXPECT_EQ(here.status, ArrayVerdict::Status::determined) << jet.t;
      EXPECT_EQ(here.degrees_of_freedom, s.degrees_of_freedom) << jet.t;
      EXPECT_FALSE(differs_nearby(s.dae, *s.evaluator, s.formal, jet, here).found()) << jet.t;
    } else {
      const bool singular = judge_start(s.dae, *s.evaluator, s.formal, jet).singular.found();
      EXPECT_EQ(singular, s.singular_start && &jet == &jets.front()) << jet.t;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, GenericStructure, testing::ValuesIn(inverse_examples()),
                         [](const auto& example) { return example.param; });

}  // namespace
}  // namespace invar::examples
