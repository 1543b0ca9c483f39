// What a model of bodies says about its motion: coordinates, motions, rates, trajectories and formulations.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "invar/expr/derivative.h"
#include "invar/model/tables/mechanism_test_support.h"
#include "invar/task/inverse_structure/invert_settings.h"

namespace invar::test {
namespace {

TEST(ReadMechanism, MotionsGearsAndSpinsAreConstraints) {
  const Problem p = read(tumbling + R"toml(
[[joint]]
name = "slew"
type = "revolute"
between = ["ground", "a"]
at = [0, 0, 0]
axis = [0, 0, 1]
motion = "0.5*t + sin(k*t)"
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground", "b"]
axis = [1, 0, 0]
coordinate = "s"
start = 2.0
motion = "2*t + slew.angle'"
motion_level = "velocity"
[[joint]]
name = "pair"
type = "gear"
coordinates = ["slew.angle", "s"]
ratio = 4
[[spin]]
on = "a"
angular_velocity = [0, "sin(t)", 1]
)toml");
  State s = start(p);
  s.t = 0.3;
  const std::size_t angle = coordinate(p, "slew.angle"), slide = coordinate(p, "s");
  s.q[angle] = 0.2;
  s.q[slide] = 2.5;
  s.v[slide] = 0.9;
  s.v[angle] = 0.1;
  EXPECT_NEAR(value(p, constraint(p, "slew.motion").expr, s), 0.2 - 0.15 - std::sin(0.9), rounding);
  EXPECT_NEAR(value(p, constraint(p, "rail.motion").expr, s), 0.9 - 0.6 - 0.1, rounding);
  EXPECT_EQ(constraint(p, "rail.motion").level, Level::velocity);
  EXPECT_NEAR(value(p, constraint(p, "pair").expr, s), 4.0 * 0.2 - 0.5, rounding);
  EXPECT_NEAR(value(p, constraint(p, "a.spin.x").expr, s), spin_a[0], rounding);
  EXPECT_NEAR(value(p, constraint(p, "a.spin.y").expr, s), spin_a[1] - std::sin(0.3), rounding);
  EXPECT_NEAR(value(p, constraint(p, "a.spin.z").expr, s), spin_a[2] - 1.0, rounding);
}

// A bar of mass 2 and length 1 that hangs on a hinge with a torsion spring, in the plane.
const std::string pendulum = R"toml(
[world]
dimension = 2
gravity = [0, -9.81]
[[body]]
name = "bar"
mass = 2
inertia = "2/12"
position = [0.5, 0]
rotation = 0.3
[[joint]]
name = "hinge"
type = "revolute"
between = ["ground", "bar"]
at = [0, 0]
coordinate = "phi"
start = 0.1
stiffness = 5
rest = 0.2
damping = 0.3
[[actuator]]
name = "M"
on = "phi"
gain = 2
)toml";

TEST(ReadMechanism, PlanarPendulumInItsAngle) {
  const Problem p = read(pendulum);
  for (const double turned : {0.0, 0.9, -2.5, 3.0 * std::numbers::pi / 4.0, 7.0}) {
    const double c = std::cos(turned), s = std::sin(turned), rate = 1.3;
    const double c1 = std::cos(turned + 0.3), s1 = std::sin(turned + 0.3);
    const State state{.t = 0.0,
                      .q = {0.5 * c, 0.5 * s, c1, s1, -s1, c1, 0.1 + turned},
                      .v = {-0.5 * s * rate, 0.5 * c * rate, -s1 * rate, c1 * rate, -c1 * rate, -s1 * rate, rate},
                      .a = {},
                      .lambda = {}};
    for (const Constraint& f : p.system.constraints) {
      EXPECT_NEAR(value(p, f.expr, state), 0.0, rounding) << f.name;
      EXPECT_NEAR(value(p, ddt(f.expr), state), 0.0, rounding) << f.name;
    }
    EXPECT_NEAR(value(p, p.system.kinetic, state), 0.5 * (2.0 / 3.0) * rate * rate, rounding);
    EXPECT_NEAR(value(p, p.system.potential, state), 2.0 * 9.81 * 0.5 * s + 2.5 * std::pow(turned - 0.1, 2),
                100.0 * rounding);
    double power = 0.0;  // of friction, which acts between the bodies
    for (std::size_t i = 0; i < state.v.size(); ++i) power += value(p, p.system.forces[i], state) * state.v[i];
    EXPECT_NEAR(power, -0.3 * rate * rate, rounding);
  }
  EXPECT_EQ(at_start(p, p.system.inputs[0].direction[6]), 2.0);
}

TEST(ReadMechanism, RatesOfNamedCoordinatesMoveTheBodies) {
  const Problem p = read(pendulum + "[initial]\n\"phi'\" = \"-3\"\n");
  EXPECT_NEAR(p.v0[coordinate(p, "phi")], -3.0, rounding);
  EXPECT_NEAR(p.v0[coordinate(p, "bar.x")], 0.0, rounding);
  EXPECT_NEAR(p.v0[coordinate(p, "bar.y")], -1.5, rounding);
  EXPECT_NEAR(p.v0[coordinate(p, "bar.d1.x")], 3.0 * std::sin(0.3), rounding);
}

TEST(ReadMechanism, TheOtherRatesStay) {
  const Problem p = read(R"toml([world]
dimension = 2
[[body]]
name = "a"
mass = 1
inertia = 0.1
position = [0.5, 0]
[[body]]
name = "b"
mass = 1
inertia = 0.1
position = [1.5, 0]
[[joint]]
name = "ja"
type = "revolute"
between = ["ground", "a"]
at = [0, 0]
coordinate = "alpha"
[[joint]]
name = "jb"
type = "revolute"
between = ["a", "b"]
at = [1, 0]
coordinate = "beta"
[initial]
"alpha'" = 2
)toml");
  EXPECT_NEAR(p.v0[coordinate(p, "beta")], 0.0, rounding);
  EXPECT_NEAR(p.v0[coordinate(p, "b.y")], 3.0, rounding);
}

TEST(ReadMechanism, OrientationFollowsATurnAboutAnAxis) {
  const Problem p = read(tumbling + R"toml(
[[trajectory]]
orientation = "a"
axis = [0, 3, 4]
angle = 1.2
start = 1.0
duration = 2.0
profile = "poly9"
)toml");
  ASSERT_EQ(p.targets.size(), 3u);
  ASSERT_EQ(p.signals.size(), 1u);
  EXPECT_EQ(p.settings.of<InvertSettings>().until, 3.0);
  double angle = 0.0;
  p.signals[0].function->series(2.0, Side::right, {&angle, 1});
  EXPECT_NEAR(angle, 0.6, rounding);  // half way
  const Matrix3 turned = Eigen::AngleAxisd(angle, Vector3(0, 0.6, 0.8)).toRotationMatrix() * rotation_a;
  State s = start(p);
  for (Eigen::Index i = 0; i < 9; ++i)
    s.q[coordinate(p, "a.d1.x") + static_cast<std::size_t>(i)] = turned(i % 3, i / 3);
  for (const ServoTarget& target : p.targets) {
    EXPECT_TRUE(target.follow.empty());
    const Expr at_angle = substitute(target.expr, Exprs{at(p.signals[0].value)}, Exprs{angle});
    EXPECT_NEAR(value(p, at_angle, s), 0.0, rounding) << target.output;
    EXPECT_GT(std::abs(value(p, at_angle, start(p))), 0.1) << target.output;
  }
}

TEST(ReadMechanism, TrajectoriesKnowThePointsOfBodies) {
  const Problem p = read(tumbling +
                         "[[output]]\nname = \"c\"\npoint = \"c\"\n[[trajectory]]\noutputs = [\"c.x\", \"c.z\"]\n"
                         "from = [0, 0]\nto = [1, 2]\nduration = 1\nprofile = \"poly9\"\n");
  ASSERT_EQ(p.targets.size(), 2u);
  EXPECT_EQ(p.targets[1].expr, at(p.system.coordinates[coordinate(p, "c.z")]));
}

TEST(ReadMechanism, FormulationIsChosenByTheFileOrTheCaller) {
  EXPECT_EQ(read(pendulum + "[simulate]\nformulation = \"lie\"\n").formulation, Formulation::lie);
  EXPECT_EQ(read(pendulum + "[invert]\nformulation = \"lie\"\n").formulation, Formulation::lie);
  EXPECT_EQ(read(pendulum + "[simulate]\nformulation = \"lie\"\n", "director").formulation, Formulation::director);
  EXPECT_THROW(read(pendulum, "formula"), InputError);
  const std::string formulas = "[system]\ncoordinates = [\"x\"]\nkinetic = \"x'^2\"\n[initial]\nx = 0\n";
  EXPECT_EQ(read(formulas).formulation, Formulation::formula);
  EXPECT_THROW(read(formulas, "director"), InputError);
}

TEST(ReadMechanism, SmallMisfitsOfTheStartAreAccepted) {
  EXPECT_NO_THROW(
      read(tumbling + "[[cable]]\nname = \"stay\"\nroute = [{ on = \"b\" }, { on = \"c\" }]\nlength = 3.3166248\n"));
  const Problem p = read(
      tumbling + "[[joint]]\nname = \"ball\"\ntype = \"spherical\"\nbetween = [\"a\", \"c\"]\nat = [0, 3.000001, 0]\n");
  EXPECT_EQ(p.mechanism->joints[0].at, position_c);  // where the point mass is
}

}  // namespace
}  // namespace invar::test
