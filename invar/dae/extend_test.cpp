#include "invar/dae/extend.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "invar/dae/test_servo_cranes.h"
#include "invar/expr/derivative.h"

namespace invar {
namespace {

using Names = std::vector<std::string>;

ReducedDae reduced(const test::ServoProblem& p, int target, int hidden = 0) {
  return extend(p.dae, offsets(signature(p.dae)), target, p.guess, hidden);
}

// The dummies that the literature on these cranes introduces by hand.
TEST(Extend, FindsTheDummiesOfTheLiterature) {
  const Names load = {"x'", "x''", "y'", "y''", "z'", "z''"};
  EXPECT_EQ(reduced(test::overhead_crane(), 3).dummy_names(), (Names{"x'", "x''", "z'", "z''"}));
  EXPECT_EQ(reduced(test::overhead_crane(test::CraneCoding::minimal).problem, 3, 2).dummy_names(),
            (Names{"b'", "b''", "c'", "c''"}));  // length and angle of the cable
  EXPECT_EQ(reduced(test::rotary_crane_dependent(), 3).dummy_names(), load);
  EXPECT_EQ(reduced(test::rotary_crane_redundant(), 3).dummy_names(), load);
  EXPECT_EQ(reduced(test::rotary_crane_minimal(), 3, 2).dummy_names(),
            (Names{"l'", "l''", "theta1'", "theta1''", "theta2'", "theta2''"}));
  EXPECT_EQ(reduced(test::navy_crane_planar(), 3).dummy_names(), (Names{"x'", "x''", "z'", "z''"}));
  EXPECT_EQ(reduced(test::spring_chain(3, false), 3).dummy_names(),
            (Names{"q2'", "q2''", "q3'", "q3''", "q3'''", "q3''''"}));
}

struct Case {
  std::string name;
  test::ServoProblem problem;
};

std::vector<Case> sparse_cases() {
  return {{"overhead crane", test::overhead_crane()},
          {"rotary crane", test::rotary_crane_dependent()},
          {"rotary crane 10", test::rotary_crane_redundant()},
          {"navy crane", test::navy_crane_planar()},
          {"chain of 2", test::spring_chain(2, false)},
          {"chain of 5", test::spring_chain(5, false)},
          {"elastic arm", test::elastic_arm(0.5)}};
}

TEST(Extend, HasTheIndexThatWasAskedForAndKeepsTheDegreesOfFreedom) {
  for (const Case& c : sparse_cases()) {
    const Offsets before = offsets(signature(c.problem.dae));
    for (const int target : {3, 1}) {
      const ReducedDae r = reduced(c.problem, target);
      ASSERT_TRUE(r.regular()) << c.name;
      const Offsets after = offsets(signature(r.dae));
      ASSERT_TRUE(after.regular) << c.name;
      EXPECT_EQ(after.index, std::min(target, before.index)) << c.name;
      EXPECT_EQ(after.degrees_of_freedom, before.degrees_of_freedom) << c.name;
      EXPECT_EQ(r.dae.unknowns.size() - c.problem.dae.unknowns.size(), r.dummies.size()) << c.name;
    }
  }
}

TEST(Extend, OfAFlatSystemToIndexOneIsPurelyAlgebraic) {
  for (const Case& c : sparse_cases()) {
    if (offsets(signature(c.problem.dae)).degrees_of_freedom > 0) continue;
    for (const std::vector<int>& row : signature(reduced(c.problem, 1).dae).order)
      EXPECT_LE(*std::max_element(row.begin(), row.end()), 0) << c.name;
  }
}

TEST(Extend, ToTheIndexItHasChangesNothing) {
  const test::ServoProblem p = test::overhead_crane();
  const ReducedDae r = reduced(p, 5);
  EXPECT_TRUE(r.dummies.empty());
  ASSERT_EQ(r.dae.equations.size(), p.dae.equations.size());
  for (std::size_t i = 0; i < p.dae.equations.size(); ++i) EXPECT_EQ(r.dae.equations[i].expr, p.dae.equations[i].expr);
}

// Whatever smooth functions the unknowns are: with dummies set to their derivatives, the added equations are the total
// derivatives of the original ones.
TEST(Extend, AddedEquationsAreDerivativesOfTheOriginal) {
  const test::ServoProblem p = test::rotary_crane_dependent();
  Jet jet;
  jet.t = 2.3;
  for (std::size_t j = 0; j < p.dae.unknowns.size(); ++j) {
    jet.x.emplace_back();
    for (int n = 0; n < 8; ++n) jet.x.back().push_back(std::cos(1.0 + 3.0 * static_cast<double>(j) + 0.7 * n));
  }
  const ReducedDae r = reduced(p, 1);
  Matrix original, added;
  JetEvaluator(p.dae).residuals(jet, 4, original);
  JetEvaluator(r.dae).residuals(extended(r, jet), 0, added);
  const Offsets o = offsets(signature(p.dae));
  auto row = static_cast<Eigen::Index>(p.dae.equations.size());
  constexpr double round_off = 1e-11;  // of sums with up to a thousand terms of size one to 1e3
  for (std::size_t i = 0; i < o.c.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    EXPECT_NEAR(added(at, 0), original(at, 0), round_off * (1.0 + std::abs(original(at, 0))));
    for (int n = 1; n <= o.c[i]; ++n, ++row)
      EXPECT_NEAR(added(row, 0), original(at, n), round_off * (1.0 + std::abs(original(at, n))))
          << r.dae.equations[static_cast<std::size_t>(row)].name;
  }
  EXPECT_EQ(row, added.rows());
}

// Where the structure hides what is differentiated, only the derivative array can go on; the equations are named.
TEST(Extend, NamesTheEquationsWhoseDerivativesDepend) {
  const ReducedDae r = reduced(test::overhead_crane(test::CraneCoding::minimal).problem, 1, 2);
  EXPECT_FALSE(r.regular());
  EXPECT_NE(std::find(r.dependent.begin(), r.dependent.end(), "dynamics of \"c\""), r.dependent.end());
  EXPECT_FALSE(reduced(test::spring_chain(3, true), 3, 4).regular());
}

}  // namespace
}  // namespace invar
