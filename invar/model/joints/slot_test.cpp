// A pin in a slot, against closed forms; that all formulations agree about it is a law over the list of kinds.
#include <gtest/gtest.h>

#include <cmath>

#include "invar/model/tables/mechanism_test_support.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/system/start/start.h"

namespace invar {
namespace {

using test::read;

// An arm that turns with ω = 1.5 about z carries a slider on a pin in a slot along it; nothing else acts on the slider.
const std::string turning_slot = R"toml(
[[body]]
name = "arm"
mass = 1.0
inertia = [0.1, 0.2, 0.3]
position = [0, 0, 0]
angular_velocity = [0, 0, 1.5]
[[body]]
name = "slider"
mass = 2.0
inertia = [0.3, 0.4, 0.5]
position = [0.5, 0, 0]
velocity = [0, 0.75, 0]
angular_velocity = [0, 0, 0.2]
[[joint]]
name = "drive"
type = "revolute"
between = ["ground", "arm"]
at = [0, 0, 0]
axis = [0, 0, 1]
motion = "1.5*t"
[[joint]]
name = "slot"
type = "slot"
between = ["arm", "slider"]
at = [0.5, 0, 0]
axis = [1, 0, 0]
second_axis = [0, 0, 1]
coordinate = ["phi", "s"]
start = [0, 0.5]
)toml";

// s'' = ω² s, so s = s₀ cosh ωt; and the slider keeps its spin, so that φ = (0.2 - ω) t.
TEST(Slot, SliderInATurningSlotIsFlungOut) {
  constexpr double until = 0.8, omega = 1.5, left = 1e-7;  // what the schemes leave at these steps
  struct Way {
    const char *formulation, *scheme;
    int steps;
  };
  for (const Way& way : {Way{"director", "radau5", 40}, Way{"minimal", "radau5", 40}, Way{"lie", "lie-rk4", 200}}) {
    const Problem p = read(turning_slot, way.formulation);
    Stepper stepper(p.system, *find_scheme(way.scheme));
    stepper.start(consistent_start(p.system, test::start(p)).state, until / way.steps);
    for (int k = 0; k < way.steps; ++k)
      ASSERT_EQ(stepper.advance(until / way.steps, [](double, std::span<double>) {}).status, NewtonStatus::converged);
    EXPECT_NEAR(stepper.q()[test::coordinate(p, "s")], 0.5 * std::cosh(omega * until), left) << way.formulation;
    EXPECT_NEAR(stepper.q()[test::coordinate(p, "phi")], (0.2 - omega) * until, left) << way.formulation;
  }
}

// The side of the slot pushes with the force of Coriolis, 2 m ω s', and with nothing else.
TEST(Slot, SidePushesWithTheForceOfCoriolis) {
  constexpr double mass = 2.0, omega = 1.5, rate = 0.7;
  Problem p = read(turning_slot);
  p.v0[test::coordinate(p, "slider.x")] = p.v0[test::coordinate(p, "s")] = rate;
  const State s = consistent_start(p.system, test::start(p)).state;
  for (std::size_t c = 0; c < p.system.constraints.size(); ++c) {
    const std::string& name = p.system.constraints[c].name;
    if (!name.starts_with("slot.side") && !name.starts_with("slot.tilt")) continue;
    const double expected = name == "slot.side1" ? 2.0 * mass * omega * rate : 0.0;
    EXPECT_NEAR(std::abs(s.lambda[c]), expected, test::rounding) << name;
  }
}

// Scotch yoke in the plane, a loop: the yoke is at r cos θ, and ½ (J + m r² sin² θ) θ'² stays.
TEST(Slot, DrivesAScotchYoke) {
  constexpr double r = 0.2, J = 0.05, m = 3.0, spin = 4.0, h = 0.005, left = 1e-9;
  const std::string yoke = R"toml(
[world]
dimension = 2
[[body]]
name = "crank"
mass = 1.0
inertia = 0.05
position = [0, 0]
angular_velocity = 4.0
[[body]]
name = "yoke"
mass = 3.0
inertia = 0.1
position = [0.2, 0]
[[joint]]
name = "hinge"
type = "revolute"
between = ["ground", "crank"]
at = [0, 0]
coordinate = "theta"
[[joint]]
name = "guide"
type = "prismatic"
between = ["ground", "yoke"]
axis = [1, 0]
[[joint]]
name = "pin"
type = "slot"
between = ["yoke", "crank"]
at = [0.2, 0]
axis = [0, 1]
)toml";
  for (const char* formulation : {"director", "minimal"}) {
    const Problem p = read(yoke, formulation);
    const Start start = consistent_start(p.system, test::start(p));
    EXPECT_EQ(start.degrees_of_freedom, 1) << formulation;
    const Expr x = formulation == std::string("director")
                       ? at(p.system.coordinates[test::coordinate(p, "yoke.x")])
                       : r + at(p.system.coordinates[test::coordinate(p, "guide.slide")]);
    Stepper stepper(p.system, *find_scheme("energy-momentum"));
    stepper.start(start.state, h);
    for (int k = 0; k < 100; ++k) {
      ASSERT_EQ(stepper.advance(h, [](double, std::span<double>) {}).status, NewtonStatus::converged);
      const State s{0.0, {stepper.q().begin(), stepper.q().end()}, {stepper.v().begin(), stepper.v().end()}, {}, {}};
      EXPECT_NEAR(test::value(p, x, s), r * std::cos(s.q[test::coordinate(p, "theta")]), left) << formulation;
      EXPECT_NEAR(test::value(p, p.system.kinetic, s), 0.5 * J * spin * spin, left) << formulation;
    }
    const std::size_t theta = test::coordinate(p, "theta");
    const double side = r * std::sin(stepper.q()[theta]);
    // Nodal velocities of this scheme meet the constraints of velocity only to its order.
    EXPECT_NEAR(0.5 * (J + m * side * side) * std::pow(stepper.v()[theta], 2), 0.5 * J * spin * spin, 0.02)
        << formulation;
  }
}

// In the plane a slot without a name for its angle carries a point mass too, in joint coordinates by its displacement
// alone.
TEST(Slot, CarriesAPointMassInThePlane) {
  const std::string bead = R"toml(
[world]
dimension = 2
gravity = [0, -9.81]
[[point]]
name = "bead"
mass = 2.0
position = [1, 0]
[[joint]]
name = "wire"
type = "slot"
between = ["ground", "bead"]
axis = [0.6, -0.8]
)toml";
  for (const char* formulation : {"director", "minimal"}) {
    const Problem p = read(bead, formulation);
    const Start start = consistent_start(p.system, test::start(p));
    EXPECT_EQ(start.degrees_of_freedom, 1) << formulation;
    if (formulation == std::string("minimal")) {
      ASSERT_EQ(start.state.a.size(), 1u);
      EXPECT_NEAR(start.state.a[0], 0.8 * 9.81, test::rounding);
    } else {
      EXPECT_NEAR(start.state.a[1], -0.64 * 9.81, test::rounding);
    }
  }
}

}  // namespace
}  // namespace invar
