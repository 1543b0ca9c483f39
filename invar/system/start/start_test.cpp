// Laws of the start: consistent afterwards, least change in the mass metric, redundancies named.
#include "invar/system/start/start.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/base/error.h"
#include "invar/system/equations.h"
#include "invar/system/start/sparse_start.h"

namespace invar {
namespace {

Expr times_itself(const Expr& x) { return pow(x, 2.0); }

constexpr double round_off = 1e-12;

// A pendulum with different inertia in the two directions, so that the metric matters.
System pendulum() {
  System s;
  s.add_coordinate("x");
  s.add_coordinate("y");
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (times_itself(v[0]) + 4.0 * times_itself(v[1]));
  s.potential = 9.81 * q[1];
  s.add_constraint("rod", 0.5 * (times_itself(q[0]) + times_itself(q[1]) - 1.0));
  return s;
}

State given(std::vector<double> q, std::vector<double> v) { return {0.0, std::move(q), std::move(v), {}, {}}; }

// A chain of point masses on rods, each given a little wrong.
TEST(Start, SparseAndDenseMatricesGiveTheSame) {
  constexpr int links = 12;
  System s;
  State wrong = given({}, {});
  for (int k = 0; k < links; ++k) {
    s.add_coordinate("x" + std::to_string(k));
    s.add_coordinate("y" + std::to_string(k));
    wrong.q.insert(wrong.q.end(), {0.6 * (k + 1) + 0.01 * std::sin(k), -0.8 * (k + 1)});
    wrong.v.insert(wrong.v.end(), {0.8 * k, 0.6 * k + 0.1});
  }
  const Exprs q = positions(s), v = velocities(s);
  for (std::size_t k = 0; k < links; ++k) {
    s.kinetic += 0.5 * (1.0 + 0.1 * static_cast<double>(k)) * (times_itself(v[2 * k]) + times_itself(v[2 * k + 1]));
    s.potential += 9.81 * q[2 * k + 1];
    const Expr dx = k ? q[2 * k] - q[2 * k - 2] : q[0], dy = k ? q[2 * k + 1] - q[2 * k - 1] : q[1];
    s.add_constraint("rod" + std::to_string(k), 0.5 * (times_itself(dx) + times_itself(dy) - 1.0));
  }
  const Start dense = consistent_start(s, wrong);
  const auto sparse = SparseStart(s, {}).solve(s, wrong, {}, parameter_values(s));
  ASSERT_TRUE(sparse);
  EXPECT_EQ(sparse->degrees_of_freedom, dense.degrees_of_freedom);
  EXPECT_EQ(sparse->mass_rank, dense.mass_rank);
  EXPECT_EQ(sparse->changes.size(), dense.changes.size());
  // The weights of the two differ by a billionth part.
  constexpr double same = 1e-8;
  for (std::size_t i = 0; i < q.size(); ++i) {
    EXPECT_NEAR(sparse->state.q[i], dense.state.q[i], same);
    EXPECT_NEAR(sparse->state.v[i], dense.state.v[i], same);
    EXPECT_NEAR(sparse->state.a[i], dense.state.a[i], 100.0 * same);
  }
}

TEST(Start, SparseMatricesLeaveRedundantConstraintsToDenseOnes) {
  System s = pendulum();
  s.add_constraint("again", 2.0 * s.constraints[0].expr);
  EXPECT_FALSE(SparseStart(s, {}).solve(s, given({0.6, -0.8}, {0.0, 0.0}), {}, parameter_values(s)));
}

TEST(Start, SatisfiesEverythingAfterwards) {
  const System s = pendulum();
  const Start start = consistent_start(s, given({0.7, -0.9}, {1.0, 0.3}));
  const Equations e = equations(s);
  Exprs all = e.constraint;
  for (const Exprs& more : {e.constraint_rate, e.constraint_acceleration, e.dynamics})
    all.insert(all.end(), more.begin(), more.end());
  for (double residual : StateFunction(s, all)(start.state)) EXPECT_NEAR(residual, 0.0, round_off);
  EXPECT_EQ(start.degrees_of_freedom, 1);
}

TEST(Start, ChangesAsLittleAsPossibleInTheMassMetric) {
  // At the minimum W δ is a combination of constraint gradients, here δ = -W⁻¹Gᵀκ for velocities (a linear problem).
  const System s = pendulum();
  const Start start = consistent_start(s, given({0.6, -0.8}, {1.0, 1.0}));
  const double dx = start.state.v[0] - 1.0, dy = start.state.v[1] - 1.0;
  EXPECT_NEAR(dx * -0.8 - 4.0 * dy * 0.6, 0.0, round_off);
}

TEST(Start, ReportsOnlyWhatItChanged) {
  EXPECT_TRUE(consistent_start(pendulum(), given({0.6, -0.8}, {0.8, 0.6})).changes.empty());
  const Start start = consistent_start(pendulum(), given({0.0, -1.2}, {0.8, 0.0}));
  ASSERT_EQ(start.changes.size(), 1U);
  EXPECT_EQ(start.changes[0].name, "y");
  EXPECT_EQ(start.changes[0].given, -1.2);
  EXPECT_NEAR(start.changes[0].used, -1.0, round_off);
}

TEST(Start, GivesTheMultiplierItsMeaning) {
  // Hanging at rest: λ times the gradient (length 1) is the tension, mg with m = 4 in the vertical direction… V = 9.81
  // y.
  const Start start = consistent_start(pendulum(), given({0.0, -1.0}, {0.0, 0.0}));
  EXPECT_NEAR(start.state.lambda[0], 9.81, round_off);
  EXPECT_NEAR(start.state.a[0], 0.0, round_off);
}

TEST(Start, NamesRedundantConstraintsAndWhatTheyFollowFrom) {
  System s = pendulum();
  const Exprs q = positions(s);
  s.add_constraint("copy", 3.0 * (times_itself(q[0]) + times_itself(q[1]) - 1.0));
  const Start start = consistent_start(s, given({0.6, -0.8}, {0.8, 0.6}));
  ASSERT_EQ(start.redundant.size(), 1U);
  EXPECT_EQ(start.redundant[0].constraint, "copy");
  EXPECT_EQ(start.redundant[0].follows_from, std::vector<std::string>{"rod"});
  EXPECT_TRUE(start.singular.empty());
  EXPECT_EQ(start.degrees_of_freedom, 1);
  EXPECT_EQ(without(s, start.redundant).constraints.size(), 1U);
}

TEST(Start, TellsASingularConfigurationFromARedundantConstraint) {
  // A parallelogram linkage stretched out: dependent there, independent nearby.
  System s;
  for (const char* name : {"a", "b", "c"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (times_itself(v[0]) + times_itself(v[1]) + times_itself(v[2]));
  s.add_constraint("horizontal", cos(q[0]) + 2.0 * cos(q[1]) - cos(q[2]) - 2.0);
  s.add_constraint("vertical", sin(q[0]) + 2.0 * sin(q[1]) - sin(q[2]));
  const Start flat = consistent_start(s, given({0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}));
  EXPECT_TRUE(flat.redundant.empty());
  ASSERT_EQ(flat.singular.size(), 1U);
  EXPECT_EQ(flat.singular[0].constraint, "horizontal");
}

TEST(Start, ContradictionsListTheResiduals) {
  System s = pendulum();
  s.add_constraint("far", positions(s)[0] - 3.0);
  try {
    consistent_start(s, given({0.6, -0.8}, {0.0, 0.0}));
    FAIL() << "no error";
  } catch (const InputError& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("initial position cannot be made to satisfy the constraints"), std::string::npos) << text;
    EXPECT_NE(text.find("\"far\""), std::string::npos) << text;
  }
}

TEST(Start, AcceptsMasslessCoordinatesAndSaysSo) {
  System s;
  s.add_coordinate("x");
  s.add_coordinate("between");  // a massless point between two springs
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * times_itself(v[0]);
  s.potential = times_itself(q[1]) + times_itself(q[0] - q[1]);
  const Start start = consistent_start(s, given({1.0, 0.5}, {0.0, 0.0}));
  EXPECT_EQ(start.mass_rank, 1);
  EXPECT_NEAR(start.state.a[0], -1.0, round_off);
}

TEST(Start, MovingConstraintsSetTheVelocity) {
  System s = pendulum();
  const Exprs q = positions(s);
  s.constraints.clear();
  s.add_constraint("lift", q[1] - 2.0 * s.graph.time());
  s.add_constraint("speed", at(s.coordinates[0], 1) - 5.0, Level::velocity);
  const Start start = consistent_start(s, given({0.0, 0.0}, {0.0, 0.0}));
  EXPECT_NEAR(start.state.v[0], 5.0, round_off);
  EXPECT_NEAR(start.state.v[1], 2.0, round_off);
}

}  // namespace
}  // namespace invar
