// Laws of coordinates without mass: hidden constraints hold at the start, what damping decides is left where it was,
// closed forms.
#include "invar/system/massless.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/base/error.h"
#include "invar/system/start/start.h"

namespace invar {
namespace {

constexpr double balance_round_off = 1e-12;

Expr square(const Expr& x) { return pow(x, 2.0); }

// A massless node a between the ground and a mass x, held by two springs: a = k₂ x/(k₁ + k₂).
struct Node {
  System system;
  Expr a, x, a_rate, x_rate;

  Node(double k1, double k2) {
    system.add_coordinate("a");
    system.add_coordinate("x");
    a = positions(system)[0], x = positions(system)[1];
    a_rate = velocities(system)[0], x_rate = velocities(system)[1];
    system.kinetic = 0.5 * square(x_rate);
    system.potential = 0.5 * k1 * square(a) + 0.5 * k2 * square(x - a);
  }
  Start start(std::vector<double> q, std::vector<double> v, std::span<const double> u = {},
              std::span<const double> u_rate = {}) const {
    return consistent_start(system, {0.0, std::move(q), std::move(v), {}, {}}, u, {}, u_rate);
  }
};

TEST(Massless, ComesToItsBalanceAndMovesWithIt) {
  for (const double scale : {1e-6, 1.0, 1e6}) {
    const Start start = Node(100.0, 300.0).start({0.6 * scale, scale}, {0.0, 2.0 * scale});
    EXPECT_NEAR(start.state.q[0], 0.75 * scale, balance_round_off * scale);
    EXPECT_EQ(start.state.q[1], scale) << "what has mass stays";
    EXPECT_NEAR(start.state.v[0], 1.5 * scale, balance_round_off * scale);
    EXPECT_NEAR(start.state.a[1], -75.0 * scale, 1e3 * balance_round_off * scale) << "springs in series: k = 75";
  }
  const Start told = Node(100.0, 300.0).start({0.6, 1.0}, {0.0, 0.0});
  ASSERT_EQ(told.changes.size(), 1U);
  EXPECT_EQ(told.changes[0].name, "a");
  EXPECT_EQ(told.changes[0].given, 0.6);
}

TEST(Massless, ABalancedStartIsLeftAlone) {
  EXPECT_TRUE(Node(100.0, 300.0).start({0.75, 1.0}, {0.0, 0.0}).changes.empty());
  EXPECT_TRUE(Node(100.0, 300.0).start({0.0, 0.0}, {0.0, 0.0}).changes.empty());
}

TEST(Massless, DampingMakesItADifferentialEquationThatTellsTheVelocity) {
  Node node(100.0, 100.0);
  node.system.forces[0] = -5.0 * node.a_rate;
  const Start start = node.start({0.6, 1.0}, {0.0, 0.0});
  EXPECT_EQ(start.state.q[0], 0.6);
  EXPECT_NEAR(start.state.v[0], -(100.0 * 0.6 - 100.0 * 0.4) / 5.0, balance_round_off);
}

TEST(Massless, DirectionsNeedNotBeCoordinates) {
  // Only the sum has mass; along (1, -1): k₁ a = k₂ b.
  System s;
  s.add_coordinate("a");
  s.add_coordinate("b");
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * square(v[0] + v[1]);
  s.potential = 0.5 * square(q[0]) + 0.5 * 3.0 * square(q[1]);
  const Start start = consistent_start(s, {0.0, {1.0, 1.0}, {0.0, 0.0}, {}, {}});
  EXPECT_NEAR(start.state.q[0], 1.5, balance_round_off);
  EXPECT_NEAR(start.state.q[1], 0.5, balance_round_off);
}

TEST(Massless, NonlinearBalance) {
  Node node(0.0, 1.0);
  node.system.potential += 0.25 * pow(node.a, 4.0);
  const Start start = node.start({3.0, 2.0}, {0.0, 1.0});
  EXPECT_NEAR(start.state.q[0], 1.0, balance_round_off) << "a³ = 2 - a";
  EXPECT_NEAR(start.state.v[0], 0.25, balance_round_off) << "(3a² + 1) a' = x'";
}

TEST(Massless, GoesDownhillWhereTheBalanceIsUnstable) {
  // V = cos a: from near the top the next balance is the top itself, but an arm without mass falls.
  Node arm(0.0, 0.0);
  arm.system.potential = cos(arm.a) + 0.5 * square(arm.x);
  const double pi = std::acos(-1.0);
  EXPECT_NEAR(arm.start({0.4, 0.0}, {0.0, 0.0}).state.q[0], pi, balance_round_off);
  EXPECT_NEAR(arm.start({-0.4, 0.0}, {0.0, 0.0}).state.q[0], -pi, balance_round_off);

  // A bead without mass on a ring, pulled down by a spring.
  for (const double size : {1e-6, 1.0}) {
    System s;
    for (const char* name : {"x", "y", "m"}) s.add_coordinate(name);
    const Exprs q = positions(s);
    s.kinetic = 0.5 * square(velocities(s)[2]);
    s.potential = 50.0 * (square(q[0]) + square(q[1] + 2.0 * size) + square(q[2]));
    s.add_constraint("ring", square(q[0]) + square(q[1]) - size * size);
    const Start start = consistent_start(s, {0.0, {0.6 * size, 0.8 * size, size}, {0.0, 0.0, 0.0}, {}, {}});
    EXPECT_NEAR(start.state.q[0] / size, 0.0, 1e-9);
    EXPECT_NEAR(start.state.q[1] / size, -1.0, 1e-9);
  }
}

TEST(Massless, WhatAConstraintHoldsOwesNothing) {
  Node node(100.0, 100.0);
  node.system.add_constraint("gear", node.a - 0.9 * node.x);
  const Start start = node.start({0.9, 1.0}, {0.0, 0.0});
  EXPECT_TRUE(start.changes.empty());
  EXPECT_NEAR(start.state.lambda[0], -(100.0 * 0.9 - 100.0 * 0.1), 1e-9) << "its multiplier takes up the forces";
}

TEST(Massless, ConstraintsHoldInBalance) {
  // Two massless points on a rigid bar of length one: only their common motion is free.
  Node node(100.0, 100.0);
  node.system.add_coordinate("b");
  const Expr b = positions(node.system)[2];
  node.system.add_constraint("bar", b - node.a - 1.0);
  node.system.potential += 0.5 * 50.0 * square(b);
  const Start start = node.start({0.0, 1.0, 1.0}, {0.0, 0.0, 0.0});
  EXPECT_NEAR(start.state.q[0], (100.0 - 50.0) / 250.0, balance_round_off) << "250 a + 50 = 100 x";
  EXPECT_NEAR(start.state.q[2], start.state.q[0] + 1.0, balance_round_off);
}

TEST(Massless, FollowsInputsAndTime) {
  Node node(100.0, 100.0);
  node.system.add_input("F", {1.0, 0.0});
  const std::vector<double> u = {20.0}, rate = {40.0};
  const Start pushed = node.start({0.0, 1.0}, {0.0, 0.0}, u, rate);
  EXPECT_NEAR(pushed.state.q[0], 0.6, balance_round_off);
  EXPECT_NEAR(pushed.state.v[0], 0.2, balance_round_off);
  EXPECT_TRUE(node.start({0.3, 1.0}, {0.0, 0.0}).changes.empty()) << "an input not known yet may balance anything";

  Node moved(0.0, 100.0);
  moved.system.potential += 0.5 * 100.0 * square(moved.a - sin(moved.system.graph.time()));
  EXPECT_NEAR(moved.start({0.3, 0.0}, {0.0, 0.0}).state.v[0], 0.5, balance_round_off);
}

TEST(Massless, WhatNothingBalancesIsRefused) {
  Node node(0.0, 0.0);
  node.system.potential = 9.81 * node.a + square(node.x);
  try {
    node.start({0.0, 1.0}, {0.0, 0.0});
    FAIL() << "no error";
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()),
              "coordinate \"a\" has no mass, and nothing brings the forces on it into balance at the start (1.0e+00 of "
              "them is left): give it a mass, or a spring or damper that takes up the rest");
  }
}

}  // namespace
}  // namespace invar
