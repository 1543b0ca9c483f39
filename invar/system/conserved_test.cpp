// The list of conserved quantities against what mechanics says of textbook systems.
#include "invar/system/conserved.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace invar {
namespace {

Expr q(const System& s, std::size_t i) { return at(s.coordinates[i]); }
Expr v(const System& s, std::size_t i) { return at(s.coordinates[i], 1); }

// Unit mass in a central field, in polar coordinates r, phi.
System planet() {
  System s;
  s.add_coordinate("r");
  s.add_coordinate("phi");
  s.kinetic = 0.5 * (pow(v(s, 0), 2) + pow(q(s, 0) * v(s, 1), 2));
  s.potential = -1.0 / q(s, 0);
  return s;
}

// A blade on ice that may also turn: x, y, theta, with no slip across the blade.
System skate() {
  System s;
  for (const char* name : {"x", "y", "theta"}) s.add_coordinate(name);
  s.kinetic = 0.5 * (pow(v(s, 0), 2) + pow(v(s, 1), 2) + pow(v(s, 2), 2));
  s.add_constraint("blade", sin(q(s, 2)) * v(s, 0) - cos(q(s, 2)) * v(s, 1), Level::velocity);
  return s;
}

std::vector<std::string> expected_columns(const System& s) {
  std::vector<std::string> names;
  for (const Conserved& c : conserved_quantities(s))
    if (c.expected) names.push_back(c.column);
  return names;
}

using Names = std::vector<std::string>;

TEST(Conserved, central_force_keeps_energy_and_angular_momentum) {
  const System s = planet();
  EXPECT_EQ(expected_columns(s), (Names{"energy.total", "momentum.phi"}));
  const auto list = conserved_quantities(s);
  EXPECT_EQ(list[0].expr, s.kinetic + s.potential);
}

TEST(Conserved, a_force_on_the_coordinate_takes_its_momentum_and_the_energy) {
  System s = planet();
  s.forces[1] = -0.1 * v(s, 1);
  EXPECT_EQ(expected_columns(s), Names{});
  EXPECT_EQ(why_energy_changes(s), "a non-conservative force acts on \"phi\"");
}

TEST(Conserved, a_force_elsewhere_leaves_the_momentum) {
  System s = planet();
  s.forces[0] = -0.1 * v(s, 0) + sin(q(s, 1));
  EXPECT_EQ(expected_columns(s), Names{"momentum.phi"});
}

TEST(Conserved, gyroscopic_forces_do_no_work) {
  System s = skate();
  s.constraints.clear();
  s.forces[0] = v(s, 1);
  s.forces[1] = -v(s, 0);
  EXPECT_EQ(expected_columns(s), (Names{"energy.total", "momentum.theta"}));
}

TEST(Conserved, an_input_takes_the_energy_and_the_momenta_it_acts_on) {
  System s = planet();
  s.add_input("thrust", {1.0, 0.0});
  EXPECT_EQ(expected_columns(s), Names{"momentum.phi"});
  EXPECT_EQ(why_energy_changes(s), "input \"thrust\" can do work");
  s.add_input("torque", {0.0, 1.0});
  EXPECT_EQ(expected_columns(s), Names{});
}

TEST(Conserved, a_homogeneous_rolling_condition_keeps_the_energy_but_not_the_momenta_it_acts_on) {
  // The heading stands in the condition as a coefficient, yet no reaction turns the blade: theta'' = 0.
  EXPECT_EQ(expected_columns(skate()), (Names{"energy.total", "momentum.theta"}));
}

TEST(Conserved, a_prescribed_speed_does_work) {
  System s = skate();
  s.add_constraint("drive", v(s, 0) - 1.0, Level::velocity);
  EXPECT_EQ(why_energy_changes(s), "constraint \"drive\" is not homogeneous in the velocities");
}

TEST(Conserved, acceleration_constraints_promise_nothing) {
  System s = skate();
  s.add_constraint("push", at(s.coordinates[2], 2) - 1.0, Level::acceleration);
  EXPECT_EQ(expected_columns(s), Names{});
  EXPECT_EQ(why_energy_changes(s), "constraint \"push\" stands at acceleration level");
}

TEST(Conserved, time_in_any_formula_takes_the_energy_but_not_the_momentum) {
  System s = planet();
  s.potential = s.potential * (1.0 + s.graph.time());
  EXPECT_EQ(expected_columns(s), Names{"momentum.phi"});
  EXPECT_EQ(why_energy_changes(s), "the potential energy depends on time");

  s = planet();
  s.kinetic = s.kinetic * exp(-s.graph.time());
  EXPECT_EQ(why_energy_changes(s), "the kinetic energy depends on time");
  EXPECT_EQ(expected_columns(s), Names{"momentum.phi"});

  s = planet();
  s.add_constraint("winch", q(s, 0) - at(s.graph.reference("length")));
  EXPECT_EQ(why_energy_changes(s), "constraint \"winch\" depends on time");
  EXPECT_EQ(expected_columns(s), Names{"momentum.phi"});
}

TEST(Conserved, a_moving_frame_changes_the_energy) {
  System s;
  s.add_coordinate("x");
  s.kinetic = 0.5 * pow(v(s, 0) + 2.0, 2);
  EXPECT_EQ(why_energy_changes(s), "the kinetic energy is not purely quadratic in the velocities");
  EXPECT_EQ(expected_columns(s), Names{"momentum.x"});
}

TEST(Conserved, a_position_constraint_takes_the_momenta_it_acts_on) {
  System s = skate();
  s.constraints.clear();
  s.add_constraint("rail", q(s, 1));
  EXPECT_EQ(expected_columns(s), (Names{"energy.total", "momentum.x", "momentum.theta"}));
}

TEST(Conserved, a_massless_coordinate_has_no_momentum) {
  System s = planet();
  s.add_coordinate("idle");
  EXPECT_EQ(expected_columns(s), (Names{"energy.total", "momentum.phi"}));
}

TEST(Conserved, declared_invariants_come_last) {
  System s = planet();
  s.invariants.push_back({"areal", 0.5 * pow(q(s, 0), 2) * v(s, 1)});
  EXPECT_EQ(expected_columns(s), (Names{"energy.total", "momentum.phi", "areal"}));
}

TEST(Conserved, an_empty_system_keeps_its_energy) { EXPECT_EQ(expected_columns(System{}), Names{"energy.total"}); }

}  // namespace
}  // namespace invar
