// Where textbook systems rest, and whether they stay there.
#include "invar/statics/rest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "invar/statics/test_rest.h"

namespace invar {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double exact = 1e-10;  // Newton's method ends at rounding; angles and rates are of order one

const std::string pendulum = R"toml(
name = "pendulum"
[parameters]
m = 2.0
l = 0.7
g = 9.81
phi0 = 0.3
c = 0
[system]
coordinates = ["phi"]
kinetic = "m/2*l^2*phi'^2"
potential = "-m*g*l*cos(phi)"
force = { phi = "-c*phi'" }
[initial]
phi = "phi0"
)toml";

TEST(Rest, OfAPendulumHangsWithItsFrequency) {
  const RestOf r = rest_of(pendulum);
  ASSERT_TRUE(r.rest.found);
  EXPECT_NEAR(r.q("phi"), 0.0, exact);
  EXPECT_EQ(r.rest.stability.kind, StabilityKind::stable);
  EXPECT_NEAR(r.rest.stability.lowest_frequency, std::sqrt(9.81 / 0.7) / (2 * pi), exact);
  EXPECT_TRUE(r.rest.free.empty());
}

TEST(Rest, OfAnUprightPendulumGrowsAndTheStableOneIsTold) {
  const RestOf r = rest_of(pendulum, RestMethod::automatic, {{"phi0", 3.0}});
  ASSERT_TRUE(r.rest.found);
  EXPECT_NEAR(r.q("phi"), pi, exact);
  EXPECT_EQ(r.rest.stability.kind, StabilityKind::unstable);
  EXPECT_NEAR(r.rest.stability.growth, std::sqrt(9.81 / 0.7), exact);
  ASSERT_TRUE(r.rest.lower.has_value());
  EXPECT_NEAR(std::cos(r.lower("phi")), 1.0, exact);
}

TEST(Rest, FrictionMakesItAsymptotic) {
  const RestOf r = rest_of(pendulum, RestMethod::automatic, {{"c", 0.5}});
  EXPECT_EQ(r.rest.stability.kind, StabilityKind::asymptotic);
  const double decay = 0.5 / (2 * 2.0 * 0.7 * 0.7);  // of phi'' + c/(m l²) phi' + g/l phi = 0
  for (const auto& s : r.rest.stability.eigenvalues) EXPECT_NEAR(s.real(), -decay, exact);
  const RestOf up = rest_of(pendulum, RestMethod::newton, {{"c", 0.5}, {"phi0", 3.0}});
  EXPECT_EQ(up.rest.stability.kind, StabilityKind::unstable);  // friction does not save it
  EXPECT_NEAR(up.rest.stability.growth, -decay + std::sqrt(decay * decay + 9.81 / 0.7), exact);
}

// The force (x² + 1)(x + 10) is least, but not zero, near x = 0, where Newton's method gets stuck.
TEST(Rest, DownhillIsTheFallback) {
  const RestOf r = rest_of(R"toml(
name = "shelf"
[system]
coordinates = ["x"]
kinetic = "x'^2/2"
potential = "x^4/4 + 10*x^3/3 + x^2/2 + 10*x"
[initial]
x = 3.0
)toml");
  ASSERT_TRUE(r.rest.found) << r.rest.reason;
  EXPECT_EQ(r.rest.by, RestMethod::minimum);
  EXPECT_NEAR(r.q("x"), -10.0, exact);
}

// There the stiffness vanishes, and a step of Newton's method has no end.
TEST(Rest, FromARightAngleAPendulumFindsOneOfItsEquilibria) {
  const RestOf r = rest_of(pendulum, RestMethod::automatic, {{"phi0", pi / 2}});
  ASSERT_TRUE(r.rest.found) << r.rest.reason;
  EXPECT_NEAR(std::sin(r.q("phi")), 0.0, exact);
  EXPECT_LT(std::abs(r.q("phi")), 2 * pi);
  const RestOf down = rest_of(pendulum, RestMethod::minimum, {{"phi0", pi / 2}});
  EXPECT_NEAR(down.q("phi"), 0.0, exact);
}

TEST(Rest, DownhillLeavesAnUnstableStart) {
  const RestOf r = rest_of(pendulum, RestMethod::minimum, {{"phi0", pi}});
  ASSERT_TRUE(r.rest.found) << r.rest.reason;
  EXPECT_NEAR(std::cos(r.q("phi")), 1.0, exact);
  EXPECT_EQ(r.rest.stability.kind, StabilityKind::stable);
}

TEST(Rest, OfAPendulumInPlaces) {
  const RestOf r = rest_of(R"toml(
name = "rod"
[system]
coordinates = ["x", "y"]
kinetic = "3/2*(x'^2 + y'^2)"
potential = "3*9.81*y"
[[system.constraint]]
name = "rod"
expr = "(x^2 + y^2 - 4)/2"
[initial]
x = -2.0
y = 0.0
)toml");
  ASSERT_TRUE(r.rest.found) << r.rest.reason;
  EXPECT_NEAR(r.q("x"), 0.0, exact);
  EXPECT_NEAR(r.q("y"), -2.0, exact);
  EXPECT_NEAR(r.rest.point.state.lambda[0], 3 * 9.81 / 2.0, 1e-8);  // tension over length
  EXPECT_NEAR(r.rest.stability.lowest_frequency, std::sqrt(9.81 / 2.0) / (2 * pi), exact);
}

TEST(Rest, NothingHoldsAFallingBody) {
  const RestOf r = rest_of(R"toml(
name = "stone"
[system]
coordinates = ["x", "z"]
kinetic = "(x'^2 + z'^2)/2"
potential = "9.81*z + 5*x^2"
[initial]
x = 1.0
z = 2.0
)toml");
  EXPECT_FALSE(r.rest.found);
  EXPECT_NE(r.rest.reason.find("along z nothing holds it"), std::string::npos) << r.rest.reason;
}

TEST(Rest, NothingHoldsAgainstAConstantForce) {
  const RestOf r = rest_of(R"toml(
name = "cart"
[system]
coordinates = ["s"]
kinetic = "s'^2/2"
force = { s = "3" }
[initial]
s = 0.0
)toml");
  EXPECT_FALSE(r.rest.found);
  EXPECT_NE(r.rest.reason.find("s"), std::string::npos) << r.rest.reason;
}

TEST(Rest, ABallOnAPlaneIsOneOfAFamily) {
  const RestOf r = rest_of(R"toml(
name = "ball"
[system]
coordinates = ["x", "y", "z"]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
potential = "9.81*z"
[[system.constraint]]
name = "plane"
expr = "z"
[initial]
x = 1.0
y = -2.0
z = 0.0
)toml");
  ASSERT_TRUE(r.rest.found) << r.rest.reason;
  EXPECT_EQ(r.q("x"), 1.0);
  EXPECT_EQ(r.q("y"), -2.0);
  EXPECT_EQ(r.rest.free.size(), 2u);
}

// In a groove z = (√(x² + y²) − 1)² every place at the bottom will do, though nothing but the angle is free.
TEST(Rest, ARoundGrooveIsAFamilyThatNoCoordinateTells) {
  const RestOf r = rest_of(R"toml(
name = "groove"
[system]
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*(sqrt(x^2 + y^2) - 1)^2"
[initial]
x = 0.8
y = 0.9
)toml");
  ASSERT_TRUE(r.rest.found) << r.rest.reason;
  EXPECT_NEAR(std::hypot(r.q("x"), r.q("y")), 1.0, exact);
  EXPECT_EQ(r.rest.stability.kind, StabilityKind::indifferent);
  EXPECT_EQ(r.rest.free.size(), 1u);
  EXPECT_TRUE(r.rest.flat.empty());
}

TEST(Rest, AQuarticWellIsNoFamily) {
  const RestOf r = rest_of(R"toml(
name = "quartic"
[system]
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
potential = "x^4 + y^2"
[initial]
x = 0.0
y = 0.5
)toml");
  ASSERT_TRUE(r.rest.found) << r.rest.reason;
  EXPECT_EQ(r.rest.stability.kind, StabilityKind::indifferent);
  EXPECT_TRUE(r.rest.free.empty());
  ASSERT_EQ(r.rest.flat.size(), 1u);
  EXPECT_EQ(r.rest.flat[0], "x");
}

// Two rigid links of length a, rotational springs c at the joint and at the support, a load P that stays vertical: it
// buckles at P_cr = c/a (3 − √5)/2.
const std::string column = R"toml(
name = "column"
[parameters]
P = 1.0
c = 2.0
a = 0.5
first = 0.0
[system]
coordinates = ["alpha", "beta"]
kinetic = "alpha'^2/2 + beta'^2/2"
potential = "c/2*alpha^2 + c/2*(beta - alpha)^2 + P*a*(cos(alpha) + cos(beta))"
[initial]
alpha = "first"
beta = "first"
)toml";

TEST(Rest, AColumnBucklesAtTheLoadOfEuler) {
  const double critical = 2.0 / 0.5 * (3.0 - std::sqrt(5.0)) / 2.0;
  const RestOf below = rest_of(column, RestMethod::automatic, {{"P", 0.999 * critical}, {"first", 0.01}});
  ASSERT_TRUE(below.rest.found);
  EXPECT_NEAR(below.q("beta"), 0.0, exact);
  EXPECT_EQ(below.rest.stability.kind, StabilityKind::stable);
  const RestOf above = rest_of(column, RestMethod::automatic, {{"P", 1.001 * critical}});
  ASSERT_TRUE(above.rest.found);
  EXPECT_EQ(above.rest.stability.kind, StabilityKind::unstable);
  EXPECT_EQ(above.q("beta"), 0.0);
  ASSERT_TRUE(above.rest.lower.has_value());
}

TEST(Rest, DownhillABuckledColumnTakesTheBranch) {
  const double P = 1.2 * 2.0 / 0.5 * (3.0 - std::sqrt(5.0)) / 2.0, c = 2.0, a = 0.5;
  const RestOf r = rest_of(column, RestMethod::minimum, {{"P", P}});
  ASSERT_TRUE(r.rest.found) << r.rest.reason;
  EXPECT_EQ(r.rest.stability.kind, StabilityKind::stable);
  const double alpha = r.q("alpha"), beta = r.q("beta");
  EXPECT_GT(std::abs(beta), 0.1);
  EXPECT_NEAR(c * (beta - alpha), P * a * std::sin(beta), 1e-9);  // balance of the upper link
  EXPECT_NEAR(c * alpha - c * (beta - alpha), P * a * std::sin(alpha), 1e-9);
}

// cos θ = g/(l ω²), and small motions about it at the given momentum have ω √(1 + 3 cos² θ).
TEST(Rest, AConicalPendulumGoesRoundSteadily) {
  const double g = 9.81, l = 1.3, omega = 4.0;
  const RestOf r = rest_of(R"toml(
name = "conical"
[system]
coordinates = ["theta", "phi"]
kinetic = "1.3^2/2*(theta'^2 + sin(theta)^2*phi'^2)"
potential = "-9.81*1.3*cos(theta)"
[initial]
theta = 1.0
phi = 0.2
"phi'" = 4.0
)toml");
  ASSERT_TRUE(r.rest.found) << r.rest.reason;
  const double cosine = g / (l * omega * omega);
  EXPECT_NEAR(r.q("theta"), std::acos(cosine), exact);
  EXPECT_EQ(r.v("phi"), omega);
  EXPECT_NEAR(r.rest.stability.lowest_frequency, omega * std::sqrt(1 + 3 * cosine * cosine) / (2 * pi), 1e-8);
  EXPECT_EQ(r.rest.stability.kind, StabilityKind::first_order);
  EXPECT_TRUE(r.rest.free.empty());
}

// The drive works against friction: M − c ω = 0 tells the rate, and this the angle.
TEST(Rest, ADrivenConicalPendulumFindsItsRate) {
  const RestOf r = rest_of(R"toml(
name = "driven"
[system]
coordinates = ["theta", "phi"]
kinetic = "1.3^2/2*(theta'^2 + (0.1 + sin(theta)^2)*phi'^2)"
potential = "-9.81*1.3*cos(theta)"
force = { phi = "2 - 0.5*phi'", theta = "-0.1*theta'" }
[initial]
theta = 1.2
phi = 0.0
"phi'" = 3.5
)toml");
  ASSERT_TRUE(r.rest.found) << r.rest.reason;
  EXPECT_NEAR(r.v("phi"), 4.0, exact);
  EXPECT_NEAR(std::cos(r.q("theta")), 9.81 / (1.3 * 16.0), exact);
  EXPECT_EQ(r.rest.stability.kind, StabilityKind::asymptotic);
}

// A bowl seen from a turning frame: the potential is a maximum there, yet a mass on it stays; s = ±i(Ω ± √k).
TEST(Rest, GyroscopicForcesMayHold) {
  const RestOf r = rest_of(R"toml(
name = "bowl"
[system]
coordinates = ["x", "y"]
kinetic = "((x' - 3*y)^2 + (y' + 3*x)^2)/2"
potential = "(x^2 + y^2)/2"
[initial]
x = 0.1
y = 0.2
)toml");
  ASSERT_TRUE(r.rest.found) << r.rest.reason;
  EXPECT_EQ(r.rest.stability.kind, StabilityKind::first_order);
  EXPECT_NEAR(r.rest.stability.lowest_frequency, (3.0 - 1.0) / (2 * pi), 1e-8);
}

// A follower force on two links [H. Ziegler, Ing.-Arch. 20 (1952) 49] has no potential: with masses 2m and m it
// flutters from P a/c = (7 − 2√2)/2 on, although the stiffness is never singular.
TEST(Rest, AFollowerForceFlutters) {
  const std::string ziegler = R"toml(
name = "ziegler"
[parameters]
P = 1.0
[system]
coordinates = ["a", "b"]
kinetic = "(3*a'^2 + b'^2 + 2*a'*b'*cos(a - b))/2"
potential = "a^2/2 + (b - a)^2/2"
force = { a = "P*sin(a - b)" }
[initial]
a = 0.01
b = 0.0
)toml";
  const double flutter = (7.0 - 2.0 * std::sqrt(2.0)) / 2.0;
  const RestOf below = rest_of(ziegler, RestMethod::automatic, {{"P", 0.99 * flutter}});
  const RestOf above = rest_of(ziegler, RestMethod::automatic, {{"P", 1.01 * flutter}});
  ASSERT_TRUE(below.rest.found && above.rest.found);
  EXPECT_EQ(below.rest.stability.kind, StabilityKind::first_order);
  EXPECT_EQ(above.rest.stability.kind, StabilityKind::unstable);
}

// A knife edge on a slope rests only if it points along the contour; its place is free.
TEST(Rest, AKnifeEdgeRestsAcrossTheSlope) {
  const RestOf r = rest_of(R"toml(
name = "edge"
[system]
coordinates = ["x", "y", "phi"]
kinetic = "(x'^2 + y'^2 + phi'^2)/2"
potential = "3*x"
[[system.constraint]]
name = "edge"
expr = "sin(phi)*x' - cos(phi)*y'"
level = "velocity"
[initial]
x = 0.0
y = 0.0
phi = 1.2
)toml");
  ASSERT_TRUE(r.rest.found) << r.rest.reason;
  EXPECT_NEAR(std::cos(r.q("phi")), 0.0, exact);
  EXPECT_GE(r.rest.free.size(), 2u);
}

TEST(Rest, APrescribedSpeedIsNoRest) {
  const RestOf r = rest_of(R"toml(
name = "pulled"
[system]
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
potential = "(x - y)^2 + y^2"
[[system.constraint]]
name = "pull"
expr = "x' - 1"
level = "velocity"
[initial]
x = 0.0
y = 0.0
"x'" = 1.0
)toml");
  EXPECT_FALSE(r.rest.found);
  EXPECT_NE(r.rest.reason.find("\"pull\""), std::string::npos) << r.rest.reason;
}

TEST(Rest, MasslessCoordinatesAreInBalance) {
  const RestOf r = rest_of(R"toml(
name = "massless"
[system]
coordinates = ["x", "y"]
kinetic = "y'^2/2"
potential = "50*x^2 + 200*(y - x)^2 + 9.81*y"
[initial]
x = 0.0
y = 0.1
)toml");
  ASSERT_TRUE(r.rest.found) << r.rest.reason;
  EXPECT_NEAR(r.q("x"), -9.81 / 100.0, exact);
  EXPECT_NEAR(r.q("y"), -9.81 / 100.0 - 9.81 / 400.0, exact);
  EXPECT_EQ(r.rest.stability.kind, StabilityKind::stable);
  EXPECT_NEAR(r.rest.stability.lowest_frequency, std::sqrt(80.0) / (2 * pi), 1e-8);  // springs of 100 and 400 in a row
}

}  // namespace
}  // namespace invar
