// Steps on the rotation group along open trees: the motion and the orders of the equations that the schemes state,
// nodes on the constraints, multipliers of the equations of motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "invar/model/forces/test_trees.h"
#include "invar/model/mechanism/joint_form.h"
#include "invar/scheme/steps/adaptive.h"
#include "invar/system/start/start.h"

namespace invar {
namespace {

constexpr unsigned trees_to_step = 40;

double size_of(std::span<const double> x) {
  double most = 1.0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

double far_apart(std::span<const double> x, std::span<const double> y) {
  double most = x.size() == y.size() ? 0.0 : HUGE_VAL;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}

struct OnGroup {
  test::RandomTree tree;
  test::TreeState s = test::moving_tree(tree);
  System system = s.assembly.system;

  explicit OnGroup(unsigned seed) : tree(seed) {
    know_joints(system, std::make_shared<const Mechanism>(tree.mechanism));
  }
  Stepper::Inputs held() const {
    return [this](double, std::span<double> u) { std::ranges::copy(s.u, u.begin()); };
  }
  Stepper begun(const char* scheme, bool as_stated = false) const {
    Stepper stepper(system, *find_scheme(scheme), {.scheme = {}, .newton = {}, .as_stated = as_stated});
    stepper.start(s.directors, 1e-3);
    return stepper;
  }
  void go(Stepper& stepper, double until, int steps) const {
    for (int k = 0; k < steps; ++k)
      ASSERT_EQ(stepper.advance(until / steps, held()).status, NewtonStatus::converged) << k;
  }
};

std::vector<double> node_of(const Stepper& stepper) {
  std::vector<double> both(stepper.q().begin(), stepper.q().end());
  both.insert(both.end(), stepper.v().begin(), stepper.v().end());
  return both;
}

TEST(TreeSteps, AreTheMotionOfTheStatedEquations) {
  constexpr double same = 1e-7;  // what the scheme leaves at these steps
  constexpr double until = 0.04;
  for (unsigned seed = 0; seed < trees_to_step; ++seed) {
    SCOPED_TRACE(seed);
    const OnGroup on(seed);
    if (on.s.joints.q.empty()) continue;  // all of them are welded together
    Stepper along = on.begun("lie-rk4"), stated = on.begun("lie-rk4", true);
    ASSERT_TRUE(along.is_explicit());
    ASSERT_FALSE(stated.is_explicit());
    on.go(along, until, 16);
    on.go(stated, until, 16);
    EXPECT_LT(far_apart(along.q(), stated.q()), same * size_of(stated.q()));
    EXPECT_LT(far_apart(along.v(), stated.v()), same * 1e2 * size_of(stated.v()));
  }
}

// At both levels, however long it goes on: rotations are products of rotations.
TEST(TreeSteps, StayOnTheConstraints) {
  constexpr double round_off = 1e-12;
  for (unsigned seed = 0; seed < trees_to_step; seed += 4) {
    SCOPED_TRACE(seed);
    const OnGroup on(seed);
    const Equations e = equations(on.system);
    StateFunction value(on.system, e.constraint), rate(on.system, e.constraint_rate);
    Stepper along = on.begun("lie-rk4");
    on.go(along, 0.5, 200);
    const State end{along.t(), {along.q().begin(), along.q().end()}, {along.v().begin(), along.v().end()}, {}, {}};
    const std::vector<double> at_end = value(end, on.s.u), rate_at_end = rate(end, on.s.u);
    EXPECT_LT(far_apart(at_end, std::vector<double>(at_end.size())), round_off * size_of(end.q));
    EXPECT_LT(far_apart(rate_at_end, std::vector<double>(at_end.size())), round_off * size_of(end.v) * size_of(end.q));
  }
}

TEST(TreeSteps, HaveTheirOrders) {
  constexpr double until = 0.1;
  struct Case {
    const char* scheme;
    int steps;
    double order;
  };
  for (const unsigned seed : {1U, 2U, 5U, 6U})
    for (const Case& c : {Case{"lie-euler", 200, 1.0}, Case{"lie-rk4", 20, 4.0}, Case{"lie-dormand-prince", 10, 5.0}}) {
      SCOPED_TRACE(std::string(c.scheme) + ", tree " + std::to_string(seed));
      const OnGroup on(seed);
      Stepper fine = on.begun("lie-dormand-prince"), coarse = on.begun(c.scheme), half = on.begun(c.scheme);
      on.go(fine, until, 400);
      on.go(coarse, until, c.steps);
      on.go(half, until, 2 * c.steps);
      const double ratio = far_apart(node_of(coarse), node_of(fine)) / far_apart(node_of(half), node_of(fine));
      EXPECT_GT(std::log2(ratio), c.order - 0.4);
    }
}

// The start of a system where a motion has come to knows nothing of joint coordinates.
TEST(TreeSteps, GoOnFromAnyPlace) {
  constexpr double round_off = 1e-10;
  for (unsigned seed = 0; seed < trees_to_step; ++seed) {
    SCOPED_TRACE(seed);
    const OnGroup on(seed);
    Stepper along = on.begun("lie-rk4"), anew = on.begun("lie-rk4");
    on.go(along, 0.4, 100);
    anew.start({along.t(),
                {along.q().begin(), along.q().end()},
                {along.v().begin(), along.v().end()},
                on.s.directors.a,
                {along.lambda().begin(), along.lambda().end()}},
               1e-3);
    on.go(along, 0.04, 10);
    on.go(anew, 0.04, 10);
    EXPECT_LT(far_apart(along.q(), anew.q()), round_off * size_of(along.q()));
    EXPECT_LT(far_apart(along.v(), anew.v()), 1e2 * round_off * size_of(along.v()));
  }
}

// Against a consistent start there, which solves the equations of motion by other means.
TEST(TreeSteps, KnowTheMultipliersOfTheirNodes) {
  constexpr double same = 1e-9;
  for (unsigned seed = 0; seed < trees_to_step; seed += 2) {
    SCOPED_TRACE(seed);
    const OnGroup on(seed);
    Stepper along = on.begun("lie-rk4");
    on.go(along, 0.1, 20);
    const State at = {along.t(), {along.q().begin(), along.q().end()}, {along.v().begin(), along.v().end()}, {}, {}};
    const std::vector<double> expected = consistent_start(on.system, at, on.s.u).state.lambda;
    const std::span<const double> found = along.lambda();
    // Those of directors alone are zero on the group: forces along the motions of rigid bodies balance.
    for (std::size_t c = 0; c < expected.size(); ++c) {
      if (found[c] == 0.0) continue;
      EXPECT_NEAR(found[c], expected[c], same * size_of(expected)) << on.system.constraints[c].name;
    }
  }
}

TEST(TreeSteps, EstimateErrorsAndKnowTheInside) {
  constexpr double tolerance = 1e-9, near = 1e-6;
  for (const unsigned seed : {0U, 3U, 7U}) {
    SCOPED_TRACE(seed);
    const OnGroup on(seed);
    const Scheme& scheme = *find_scheme("lie-dormand-prince");
    Stepper along = on.begun("lie-dormand-prince"), stated = on.begun("lie-dormand-prince", true);
    Adaptive first(along, scheme, {.tolerance = tolerance}), second(stated, scheme, {.tolerance = tolerance});
    const std::size_t n = along.q().size(), m = on.system.constraints.size();
    std::vector<double> q1(n), v1(n), l1(m), q2(n), v2(n), l2(m);
    for (const double t : {0.01, 0.037, 0.05}) {
      ASSERT_TRUE(first.advance_past(t, 0.1, on.held()).done);
      ASSERT_TRUE(second.advance_past(t, 0.1, on.held()).done);
      first.at(t, on.held(), q1, v1, l1);
      second.at(t, on.held(), q2, v2, l2);
      EXPECT_LT(far_apart(q1, q2), near * size_of(q2)) << t;
      EXPECT_LT(far_apart(v1, v2), 1e2 * near * size_of(v2)) << t;
      EXPECT_LT(far_apart(l1, l2), 1e-3 * size_of(l2)) << t;
    }
    // Errors of steps are measured alike, so that steps are of one size.
    EXPECT_NEAR(std::log2(static_cast<double>(first.accepted()) / static_cast<double>(second.accepted())), 0.0, 1.0);
  }
}

TEST(TreeSteps, AreTakenWhereTheyAreMeant) {
  const OnGroup on(3);
  const auto is_explicit = [&](const System& system, const char* scheme, const SchemeOptions& options = {}) {
    return Stepper(system, *find_scheme(scheme), {.scheme = options, .newton = {}}).is_explicit();
  };
  EXPECT_TRUE(is_explicit(on.system, "lie-euler"));
  EXPECT_TRUE(is_explicit(on.system, "lie-rk4", {.map = RotationMap::cayley}));
  EXPECT_FALSE(is_explicit(on.system, "rk4"));
  EXPECT_FALSE(is_explicit(on.system, "lie-rk4-printed"));
  EXPECT_FALSE(is_explicit(on.system, "lie-rk4", {.project = false}));
  EXPECT_FALSE(is_explicit(on.system, "lie-rk4", {.baumgarte = Baumgarte{}}));
  System heavier = on.system;
  heavier.kinetic += pow(at(heavier.coordinates[0], 1), 2.0);
  EXPECT_FALSE(is_explicit(heavier, "lie-rk4"));
  System bound = on.system;
  bound.add_constraint("held", at(bound.coordinates[0]) - on.s.directors.q[0]);
  EXPECT_FALSE(is_explicit(bound, "lie-rk4"));
}

}  // namespace
}  // namespace invar
