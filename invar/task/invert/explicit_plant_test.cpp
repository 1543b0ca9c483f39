// Explicit steps of a driven plant: a pendulum in redundant coordinates against the same one in its angle.
#include "invar/task/invert/explicit_plant.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/expr/derivative.h"

namespace invar {
namespace {

constexpr double until = 2.0;

void torque(double t, std::span<double> u) { u[0] = 3.0 * std::sin(2.0 * t); }

// Unit mass on a rod of unit length; the input is the torque about the support.
System in_points() {
  System s;
  s.add_coordinate("x");
  s.add_coordinate("y");
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (v[0] * v[0] + v[1] * v[1]);
  s.potential = 9.81 * q[1];
  s.add_constraint("rod", 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0));
  s.add_input("M", {-q[1], q[0]});
  return s;
}

System in_angle() {
  System s;
  s.add_coordinate("angle");
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * v[0] * v[0];
  s.potential = 9.81 * sin(q[0]);
  s.add_input("M", {1.0});
  return s;
}

ExplicitPlant moved(const System& system, const State& start, int steps) {
  std::optional<ExplicitPlant> plant = ExplicitPlant::make(system, {});
  EXPECT_TRUE(plant);
  plant->start(start);
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(plant->advance(until / steps, torque));
  return std::move(*plant);
}

double error_of_points(int steps) {
  const ExplicitPlant points = moved(in_points(), {0.0, {1.0, 0.0}, {0.0, 0.5}, {}, {}}, steps),
                      exact = moved(in_angle(), {0.0, {0.0}, {0.5}, {}, {}}, 4000);
  const double error = std::hypot(points.q()[0] - std::cos(exact.q()[0]), points.q()[1] - std::sin(exact.q()[0]));
  constexpr double left = 0.01;  // by one correction with factors of the last stage
  EXPECT_NEAR(std::hypot(points.q()[0], points.q()[1]), 1.0, left * error);
  EXPECT_NEAR(points.q()[0] * points.v()[0] + points.q()[1] * points.v()[1], 0.0, left * error);
  return error;
}

TEST(ExplicitPlant, KeepsConstraintsAndHasOrderFive) {
  const double coarse = error_of_points(50), fine = error_of_points(100);
  EXPECT_LT(coarse, 1e-5);
  EXPECT_GT(std::log2(coarse / fine), 4.5);
}

// Nothing says how a coordinate without mass moves that no constraint holds.
TEST(ExplicitPlant, SaysWhereAccelerationsAreLeftOpen) {
  System s = in_angle();
  s.add_coordinate("free");
  s.inputs.clear();
  s.add_input("M", {1.0, 0.0});
  std::optional<ExplicitPlant> plant = ExplicitPlant::make(s, {});
  ASSERT_TRUE(plant);
  plant->start({0.0, {0.0, 0.0}, {0.0, 0.0}, {}, {}});
  EXPECT_FALSE(plant->advance(0.01, torque));
}

}  // namespace
}  // namespace invar
