// What bodies, joints, cables, springs and forces of a model file mean, against formulas of rigid bodies.
#include <gtest/gtest.h>

#include <cmath>

#include "invar/model/tables/mechanism_test_support.h"

namespace invar::test {
namespace {

TEST(ReadMechanism, EnergiesAreThoseOfRigidBodies) {
  const Problem p = read(tumbling);
  EXPECT_EQ(p.formulation, Formulation::director);
  ASSERT_EQ(p.mechanism->bodies.size(), 3u);
  Matrix3 inertia;
  inertia << 1.5, 0.1, -0.2, 0.1, 2.0, 0.3, -0.2, 0.3, 2.5;
  const Vector3 local = rotation_a.transpose() * spin_a;
  const double kinetic = velocity_a.squaredNorm() + 0.5 * local.dot(inertia * local) + 0.25 * velocity_b.squaredNorm() +
                         0.5 * spin_b.dot(Vector3(0.1, 0.1, 0.2).cwiseProduct(spin_b)) + 2.0 * velocity_c.squaredNorm();
  EXPECT_NEAR(at_start(p, p.system.kinetic), kinetic, rounding);
  const Vector3 gravity(0.5, -1.0, -9.81);
  EXPECT_NEAR(at_start(p, p.system.potential), -gravity.dot(2.0 * position_a + 0.5 * position_b + 4.0 * position_c),
              10.0 * rounding);
}

TEST(ReadMechanism, AllWaysToSayAnOrientationOrAnInertiaAgree) {
  const auto kinetic = [](const std::string& inertia, const std::string& rotation) {
    const Problem p = read("[[body]]\nname = \"a\"\nmass = 1\nposition = [0, 0, 0]\nangular_velocity = [1, -2, 0.5]\n" +
                           inertia + "\n" + rotation);
    return at_start(p, p.system.kinetic);
  };
  const std::string tensor = "inertia = [1.5, 2.0, 2.5, 0.1, -0.2, 0.3]";
  const double expected = kinetic(tensor, "rotation = { axis = [0, 0, 2], angle = \"pi/2\" }");
  for (const char* same : {"rotation = { quaternion = [1, 0, 0, 1] }", "rotation = { bryant = [0, 0, \"pi/2\"] }",
                           "rotation = { matrix = [0, -1, 0, 1, 0, 0, 0, 0, 1] }"})
    EXPECT_NEAR(kinetic(tensor, same), expected, rounding);
  EXPECT_NEAR(kinetic("inertia = [1.5, 0.1, -0.2, 0.1, 2.0, 0.3, -0.2, 0.3, 2.5]", ""), kinetic(tensor, ""), rounding);
  EXPECT_NEAR(kinetic("inertia = [1, 2, 3]", ""), 0.5 * (1.0 + 2.0 * 4.0 + 3.0 * 0.25), rounding);
  // A rod, and a plate with round-off, are on the edge of what is possible.
  EXPECT_NEAR(kinetic("inertia = [0, 0.3, 0.3]", ""), 0.5 * 0.3 * 4.25, rounding);
  EXPECT_NEAR(kinetic("inertia = [0.1, 0.2, \"0.3*(1 + 1e-15)\"]", ""), 0.5 * (0.1 + 0.8 + 0.3 * 0.25), rounding);
  // Bryant angles turn about x, then about the new y, then about the new z.
  const Problem p = read(
      "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, 0]\n"
      "rotation = { bryant = [0.3, -0.5, 0.8] }");
  const Matrix3 turned = (Eigen::AngleAxisd(0.3, Vector3::UnitX()) * Eigen::AngleAxisd(-0.5, Vector3::UnitY()) *
                          Eigen::AngleAxisd(0.8, Vector3::UnitZ()))
                             .toRotationMatrix();
  EXPECT_LT((p.mechanism->bodies[0].rotation - turned).norm(), rounding);
}

TEST(ReadMechanism, ForcesAndActuatorsHaveThePowerOfForceAndTorque) {
  const Problem p = read(tumbling + R"toml(
[[force]]
on = "a"
at = [0.1, 0.2, -0.3]
force = ["1 + sin(t)", "k", 0]
torque = [0, 0, 2]
[[force]]
on = "a"
frame = "body"
force = [0, 1, 0]
torque = [3, 0, 0]
[[actuator]]
name = "F"
body = "a"
at = [1, 0, 0]
force = [0, 0, 1]
gain = 2
[[actuator]]
name = "M"
on = { torque = [0, 1, 0], between = ["b", "a"], frame = "body" }
[[actuator]]
name = "G"
body = "c"
force = [1, 0, 0]
)toml");
  const double expected = Vector3(1, 3, 0).dot(velocity_of_a({0.1, 0.2, -0.3})) + 2.0 * spin_a[2] +
                          rotation_a.col(1).dot(velocity_a) + 3.0 * rotation_a.col(0).dot(spin_a);
  EXPECT_NEAR(power(p, p.system.forces), expected, 10.0 * rounding);
  ASSERT_EQ(p.system.inputs.size(), 3u);
  EXPECT_NEAR(power(p, p.system.inputs[0].direction), 2.0 * velocity_of_a({1, 0, 0})[2], rounding);
  EXPECT_NEAR(power(p, p.system.inputs[1].direction), (spin_a - spin_b)[1],
              rounding);  // axes of b are those of the world
  EXPECT_NEAR(power(p, p.system.inputs[2].direction), velocity_c[0], rounding);
}

TEST(ReadMechanism, SpringsAndDampersWorkAlongTheirLine) {
  const Problem without = read(tumbling);
  const Problem p = read(tumbling + R"toml(
[[spring]]
between = [{ on = "a", at = [0.1, 0.2, -0.3] }, { on = "c" }]
stiffness = "10*k"
rest = 2.0
damping = 0.7
[[spring]]
name = "soft"
between = [{ on = "ground", at = [1, 1, 1] }, { on = "c" }]
stiffness = 2
)toml");
  const Vector3 from = position_a + rotation_a * Vector3(0.1, 0.2, -0.3), line = position_c - from;
  const double length = line.norm(), rate = line.normalized().dot(velocity_c - velocity_of_a({0.1, 0.2, -0.3}));
  EXPECT_NEAR(at_start(p, p.system.potential) - at_start(without, without.system.potential),
              15.0 * std::pow(length - 2.0, 2) + (position_c - Vector3(1, 1, 1)).squaredNorm(), 100.0 * rounding);
  EXPECT_NEAR(power(p, p.system.forces), -0.7 * rate * rate, rounding);
}

TEST(ReadMechanism, CablesHaveTheLengthOfTheirRoute) {
  const Problem p = read(tumbling + R"toml(
[[cable]]
name = "hoist"
route = [{ on = "ground" }, { on = "a", at = [0, 0, 1], pulley = { inertia = 0.2, radius = 0.5 } }, { on = "c" }]
winch = { coordinate = "l", inertia = 0.3, radius = 0.2 }
[[cable]]
name = "stay"
route = [{ on = "b" }, { on = "c" }]
length = "sqrt(11)"
)toml");
  const Problem without = read(tumbling);
  const Vector3 over = position_a + rotation_a.col(2), rate_over = velocity_of_a({0, 0, 1}), last = position_c - over;
  const double first = over.norm(), first_rate = over.normalized().dot(rate_over),
               last_rate = last.normalized().dot(velocity_c - rate_over);
  const std::size_t l = coordinate(p, "l");
  EXPECT_NEAR(p.q0[l], first + last.norm(), rounding);
  EXPECT_NEAR(p.v0[l], first_rate + last_rate, rounding);
  EXPECT_NEAR(at_start(p, constraint(p, "hoist").expr), 0.0, rounding);
  EXPECT_NEAR(at_start(p, constraint(p, "stay").expr), 0.0, rounding);
  EXPECT_NEAR(at_start(p, p.system.kinetic) - at_start(without, without.system.kinetic),
              0.5 * 0.3 / 0.04 * std::pow(p.v0[l], 2) + 0.5 * 0.2 / 0.25 * std::pow(last_rate, 2), 100.0 * rounding);
}

TEST(ReadMechanism, OutputsAreWhatTheySay) {
  const Problem p = read(tumbling + R"toml(
[[joint]]
name = "hinge"
type = "revolute"
between = ["a", "b"]
at = [0, 0, 0]
axis = [0, 0, 1]
coordinate = "phi"
start = 0.4
[[output]]
name = "c"
point = "c"
[[output]]
name = "hook"
point = { on = "a", at = [0, 0, 1] }
[[output]]
name = "turn"
orientation = "a"
[[output]]
name = "spin"
angular_velocity = "a"
[[output]]
name = "own"
angular_velocity = "a"
frame = "body"
[[output]]
name = "phi"
coordinate = "phi"
[[output]]
name = "twice"
expr = "2*phi + phi'"
)toml");
  EXPECT_EQ(output(p, "c.y"), 3.0);
  const Vector3 hook = position_a + rotation_a.col(2);
  EXPECT_NEAR(output(p, "hook.x"), hook[0], rounding);
  EXPECT_NEAR(output(p, "hook.z"), hook[2], rounding);
  for (const char* name : {"turn.x", "turn.y", "turn.z"}) EXPECT_NEAR(output(p, name), 0.0, rounding);
  const Vector3 own = rotation_a.transpose() * spin_a;
  for (const auto& [axis, i] : {std::pair{".x", 0}, {".y", 1}, {".z", 2}}) {
    EXPECT_NEAR(output(p, std::string("spin") + axis), spin_a[i], rounding);
    EXPECT_NEAR(output(p, std::string("own") + axis), own[i], rounding);
  }
  EXPECT_NEAR(output(p, "phi"), 0.4, rounding);
  EXPECT_NEAR(output(p, "twice"), 0.8 + (spin_b - spin_a)[2], rounding);
}

TEST(ReadMechanism, EveryJointHoldsInTheStartAndTakesItsShareOfFreedom) {
  struct Case {
    std::string text;
    std::size_t constraints;
  };
  const std::string axis = "axis = [1, 2, 2]\n", at = "at = [1, 0, 2]\n";
  for (const Case& c :
       {Case{"type = \"fixed\"", 6}, Case{"type = \"revolute\"\n" + at + axis, 5},
        Case{"type = \"revolute\"\ndamping = 1\n" + at + axis, 6}, Case{"type = \"prismatic\"\n" + axis, 5},
        Case{"type = \"prismatic\"\nstiffness = 1\n" + axis, 6}, Case{"type = \"cylindrical\"\n" + at + axis, 4},
        Case{"type = \"cylindrical\"\ncoordinate = [\"u\", \"w\"]\nstart = [1, 2]\n" + at + axis, 6},
        Case{"type = \"spherical\"\n" + at, 3}, Case{"type = \"universal\"\nsecond_axis = [0, 1, -1]\n" + at + axis, 4},
        Case{"type = \"planar\"\n" + axis, 3}, Case{"type = \"distance\"\nto = [0, 0, 0]\n" + at, 1},
        Case{"type = \"point-on-line\"\n" + at + axis, 2}, Case{"type = \"point-on-plane\"\n" + at + axis, 1},
        Case{"type = \"screw\"\npitch = 0.1\n" + at + axis, 7}}) {
    const Problem p = read(tumbling + "[[joint]]\nname = \"j\"\nbetween = [\"a\", \"b\"]\n" + c.text);
    EXPECT_EQ(p.system.constraints.size(), 12 + c.constraints) << c.text;
    for (const Constraint& f : p.system.constraints) EXPECT_NEAR(at_start(p, f.expr), 0.0, rounding) << f.name;
  }
}

}  // namespace
}  // namespace invar::test
