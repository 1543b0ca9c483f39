// The augmented matrix is regular where the inputs accelerate the outputs, whatever the units; directions that cease to
// serve are named with the time.
#include "invar/task/inverse_structure/augmented_matrix.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/task/inverse_structure/inverse_structure.h"
#include "invar/task/invert/invert.h"

namespace invar {
namespace {

constexpr double rounding = 1e-12;  // relative

// A cart with a pendulum in Cartesian coordinates; the force acts on the cart, and the height of the mass is wanted.
Problem cart(const std::string& unit_of_input = "1", const std::string& unit_of_output = "1") {
  return read_problem_text(R"toml(name = "cart"
[system]
coordinates = ["s", "x", "y"]
kinetic = "3/2*s'^2 + (x'^2 + y'^2)"
potential = "2*9.81*y"
[[system.constraint]]
name = "rod"
expr = "((x - s)^2 + y^2 - 1)/2"
[[system.input]]
name = "F"
force = { s = ")toml" + unit_of_input +
                               R"toml(" }
[[system.output]]
name = "height"
expr = "y*()toml" + unit_of_output +
                               R"toml()"
[[trajectory]]
outputs = ["height"]
expr = ["0"]
[initial]
s = 0.0
x = 0.6
y = -0.8
)toml",
                           "cart.toml");
}

Jet at_angle(double phi) { return {0.0, Side::right, {{0.3}, {0.3 + std::sin(phi)}, {-std::cos(phi)}, {0.0}, {0.0}}}; }

// M and directions that depend on the configuration: an arm with two links and two motors, at which a tool hangs.
const std::string arm = R"toml(name = "arm"
[system]
coordinates = ["a", "b", "c"]
kinetic = "2*a'^2 + (a' + b')^2 + (a' + b' + c')^2/2 + cos(b)*a'*(a' + b') + cos(c)/3*(a' + b')*(a' + b' + c')"
[[system.input]]
name = "M1"
force = { a = "1" }
[[system.input]]
name = "M2"
force = { b = "1", a = "-sin(c)/5" }
[[system.output]]
name = "px"
expr = "cos(a) + cos(a + b) + cos(a + b + c)"
[[system.output]]
name = "py"
expr = "sin(a) + sin(a + b) + sin(a + b + c)"
[[trajectory]]
outputs = ["px", "py"]
expr = ["2", "1"]
[initial]
a = 0.1
b = 0.8
c = 0.4
)toml";

TEST(AugmentedMatrix, HasItsEntriesInTheirPlaces) {
  AugmentedMatrix matrix(cart());
  const double s = 0.6, c = 0.8;  // of the angle, whose sine is x - s
  Matrix expected(5, 5);
  expected << 3.0, 0.0, 0.0, -s, 1.0,  //
      0.0, 2.0, 0.0, s, 0.0,           //
      0.0, 0.0, 2.0, -c, 0.0,          //
      -s, s, -c, 0.0, 0.0,             //
      0.0, 0.0, 1.0, 0.0, 0.0;
  EXPECT_LT((matrix.at(at_angle(std::asin(0.6))) - expected).norm(), rounding);
}

// det [[M, Bᵀ], [S, 0]] = det M det(-S M⁻¹ Bᵀ)
TEST(AugmentedMatrix, IsRegularWhereTheInputsAccelerateTheOutputs) {
  AugmentedMatrix matrix(read_problem_text(arm, "arm.toml"));
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> angle(-3.0, 3.0);
  for (int k = 0; k < 20; ++k) {
    const Matrix a = matrix.at({0.0, Side::right, {{angle(random)}, {angle(random)}, {angle(random)}, {0.0}, {0.0}}});
    const Matrix M = a.topLeftCorner(3, 3), B = a.topRightCorner(3, 2), S = a.bottomLeftCorner(2, 3);
    EXPECT_LT((M - M.transpose()).norm(), rounding);
    const double expected = M.determinant() * (S * M.inverse() * B).determinant();
    EXPECT_NEAR(a.determinant(), expected, rounding * std::abs(M.determinant()) * 100.0);
  }
}

TEST(Conditioning, DoesNotDependOnUnits) {
  AugmentedMatrix plain(cart()), strange(cart("1000", "1/300"));
  std::vector<Jet> jets;
  for (const double phi : {0.1, 0.3, 0.6, 1.0}) jets.push_back(at_angle(phi));
  const std::vector<double> a = conditioning(plain, jets), b = conditioning(strange, jets);
  for (std::size_t k = 0; k < jets.size(); ++k) EXPECT_NEAR(a[k] / b[k], 1.0, rounding);
}

// The height is accelerated through the slope of the rod: by the force times sin φ cos φ and a factor of one size.
TEST(Conditioning, TendsToZeroWithTheEffectOfTheInput) {
  AugmentedMatrix matrix(cart());
  std::vector<Jet> jets;
  for (const double phi : {0.5, 1e-2, 1e-3, 0.0}) jets.push_back(at_angle(phi));
  const std::vector<double> c = conditioning(matrix, jets);
  constexpr double of_the_angle = 0.05;
  EXPECT_NEAR(c[1] / c[2], 10.0, of_the_angle * 10.0);
  EXPECT_LT(c[3], 1e-14);
  EXPECT_EQ(breakdown_in_words(matrix, {jets.data(), 1}), "");
  EXPECT_NE(breakdown_in_words(matrix, jets).find("input \"F\" no longer accelerates output \"height\" there"),
            std::string::npos)
      << breakdown_in_words(matrix, jets);
}

std::string refusal(const std::string& text) {
  try {
    analyse_inverse(read_problem_text(text, "m.toml"));
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Directions, OfTwoInputsThatAreOneAreRefused) {
  EXPECT_EQ(refusal(arm), "accepted");
  EXPECT_EQ(
      refusal(replaced(arm, "force = { a = \"1\" }", "force = { b = \"-3\", a = \"3*sin(c)/5\" }")),
      "cannot be inverted: input \"M2\" pushes in the same direction as input \"M1\", so they cannot accelerate the "
      "outputs independently; choose another direction for one of them");
  EXPECT_EQ(
      refusal(replaced(replaced(arm, "force = { a = \"1\" }", "force = { b = \"2\" }"), ", a = \"-sin(c)/5\"", "")),
      "cannot be inverted: input \"M2\" pushes in the same direction as input \"M1\", so they cannot accelerate the "
      "outputs independently; choose another direction for one of them");
}

TEST(Directions, ThatPushNothingAreRefused) {
  AugmentedMatrix matrix(
      read_problem_text(replaced(arm, "force = { a = \"1\" }", "force = { a = \"a - 0.25\" }"), "arm.toml"));
  const auto at = [](double a) { return Jet{0.0, Side::right, {{a}, {0.8}, {0.4}, {0.0}, {0.0}}}; };
  EXPECT_NO_THROW(require_independent_inputs(matrix, at(0.5)));
  EXPECT_THROW(require_independent_inputs(matrix, at(0.25)), InputError);
}

// A drive that pushes in a direction that turns: m (g + y'') = F cos(y). Where cos(y) = 0 the force is infinite for an
// instant.
TEST(Directions, ThatCeaseToServeForAnInstantAreSeen) {
  const std::string text = R"toml(name = "turning"
[system]
coordinates = ["y"]
kinetic = "y'^2"
potential = "2*9.81*y"
[[system.input]]
name = "F"
force = { y = "cos(y)" }
[[system.output]]
name = "height"
expr = "y"
[[trajectory]]
outputs = ["height"]
expr = ["t"]
[initial]
y = 0.0
"y'" = 1.0
[invert]
until = 2.0
step = 0.1
verify = false
)toml";
  const Inversion run = invert(read_problem_text(text, "turning.toml"));
  ASSERT_TRUE(run.summary.part<InversionSummary>()->conditioning);
  EXPECT_NEAR(run.summary.part<InversionSummary>()->conditioning_at, std::acos(0.0), 0.05);  // half a step
  // [[1, cos y], [1, 0]] with rows and columns scaled, of norm 2, has an inverse of norm 1 + 1/|cos y|. The estimate of
  // this norm is at most too small, by a factor of three.
  for (std::size_t k = 0; k < run.trajectory.rows(); ++k) {
    const double c = std::abs(std::cos(run.trajectory.value(k, "y"))), exact = 0.5 / (1.0 + 1.0 / c);
    EXPECT_GE(run.trajectory.value(k, "conditioning"), exact * (1.0 - rounding)) << k;
    EXPECT_LE(run.trajectory.value(k, "conditioning"), exact * 3.0) << k;
  }
}

// The arm of examples/ider_arm in a vertical plane ends after 0.544 s.
TEST(Directions, ThatEndAMotionAreNamedWithTheTime) {
  const std::string text = R"toml(name = "arm"
[system]
coordinates = ["a", "b", "c"]
kinetic = """43.5/2*a'^2 + 22.5/2*(a' + b')^2 + 4.5/2*(a' + b' + c')^2 + 27*cos(b)*a'*(a' + b') \
+ 9*(cos(b + c)*a' + cos(c)*(a' + b'))*(a' + b' + c') + 5*a'^2 + 4.32*(a' + b')^2 + 4.32*(a' + b' + c')^2"""
potential = "9.81*(51*sin(a) + 27*sin(a + b) + 9*sin(a + b + c))"
[[system.input]]
name = "M2"
force = { b = "1" }
[[system.input]]
name = "M3"
force = { c = "1" }
[[system.output]]
name = "px"
expr = "cos(a) + cos(a + b) + cos(a + b + c)"
[[system.output]]
name = "py"
expr = "sin(a) + sin(a + b) + sin(a + b + c)"
[[trajectory]]
outputs = ["px", "py"]
expr = ["cos(pi/3) + cos(5*pi/18) + cos(2*pi/9) - t", "sin(pi/3) + sin(5*pi/18) - sin(2*pi/9)"]
[initial]
a = "pi/3"
b = "-pi/18"
c = "-pi/2"
"a'" = 0.3859539756212683
"b'" = 0.0
"c'" = -0.9617213807778675
[invert]
until = 1.0
step = 0.05
)toml";
  const Inversion run = invert(read_problem_text(text, "arm.toml"));
  EXPECT_EQ(run.summary.status, RunStatus::failed);
  EXPECT_NE(run.summary.message.find("the motion breaks down at t = 0.544"), std::string::npos) << run.summary.message;
  EXPECT_NE(run.summary.message.find("inputs \"M2\" and \"M3\" no longer accelerate output \"py\" there"),
            std::string::npos)
      << run.summary.message;
  ASSERT_TRUE(run.summary.part<InversionSummary>()->conditioning);
  EXPECT_NEAR(run.summary.part<InversionSummary>()->conditioning_at, 0.544, 5e-4);
}

}  // namespace
}  // namespace invar
