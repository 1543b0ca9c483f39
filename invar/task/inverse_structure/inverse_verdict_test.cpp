// Verdicts on internal dynamics against eigenvalues worked out by hand, next to modes that are much faster or neutral.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {
namespace {

using Kind = ZeroDynamics::Kind;

// A cart follows its path; on it stands or hangs a pendulum, and a small mass sits on a mount. With the cart at rest
// the rest moves by phi'' = -(g/L) sin(phi) and 0.1 w'' = -k w - d w'.
std::string cart(const std::string& phi, double stiffness, double damping) {
  return R"TOML(
name = "cart"
[parameters]
k = )TOML" +
         std::to_string(stiffness) + "\nd = " + std::to_string(damping) + R"TOML(
[system]
coordinates = ["s", "phi", "w"]
kinetic = "s'^2 + 0.25*((s' + cos(phi)*phi')^2 + (sin(phi)*phi')^2) + 0.05*w'^2"
potential = "-0.5*9.81*cos(phi) + k/2*(w - s)^2"
force = { s = "-d*(s' - w')", w = "-d*(w' - s')" }
[[system.input]]
name = "F"
force = { s = "1" }
[[system.output]]
name = "y"
expr = "s"
[[trajectory]]
outputs = ["y"]
from = 0
to = 1.5
start = 0.5
duration = 2.0
profile = "poly11"
[initial]
s = 0
phi = ")TOML" +
         phi + "\"\nw = 0\n[invert]\nuntil = 3.0\n";
}

ZeroDynamics zero(const std::string& text) { return analyse_inverse(read_problem_text(text, "model.toml")).zero; }

TEST(InverseVerdict, AFastMountDoesNotHideAFallingPendulum) {
  for (const double stiffness : {5e2, 5e5, 5e9}) {
    const ZeroDynamics z = zero(cart("pi", stiffness, 20.0));
    EXPECT_EQ(z.kind, Kind::unstable) << stiffness;
    ASSERT_EQ(z.eigenvalues.size(), 4U);
    EXPECT_NEAR(z.eigenvalues.back().real(), std::sqrt(9.81), 1e-6) << stiffness;
  }
}

TEST(InverseVerdict, OneUnstableEigenvalueBesideImaginaryOnesIsEnough) {
  EXPECT_EQ(zero(cart("pi", 5e5, 0.0)).kind, Kind::unstable);
}

TEST(InverseVerdict, ImaginaryEigenvaluesAreNeitherStableNorUnstableBesideFastOnes) {
  for (const double stiffness : {5e2, 5e5, 5e9}) EXPECT_EQ(zero(cart("0", stiffness, 20.0)).kind, Kind::marginal);
}

TEST(InverseVerdict, AMassThatDriftsIsNeitherStableNorUnstable) {
  EXPECT_EQ(zero(cart("0", 0.0, 0.0)).kind, Kind::marginal);  // a double zero
}

// An aircraft with two thrusts, x'' = (-sin(th) u1 + e cos(th) u2)/m, z'' = (cos(th) u1 + e sin(th) u2)/m - g, J th'' =
// u2. Along x and z given, e J th'' = m g sin(th) at rest.
TEST(InverseVerdict, OfAnAircraftDoesNotDependOnItsLength) {
  for (const double length : {1e-6, 1.0, 1e6}) {
    const double m = 1e-9, J = 1e-9 * length * length, e = 0.1 / length, g = 9.81;
    const double rate = std::sqrt(m * g / (e * J));
    const std::string text = R"TOML(
name = "aircraft"
[system]
coordinates = ["x", "z", "th"]
kinetic = "M/2*(x'^2 + z'^2) + J/2*th'^2"
potential = "M*9.81*z"
[[system.input]]
name = "u1"
force = { x = "-sin(th)", z = "cos(th)" }
[[system.input]]
name = "u2"
force = { x = "e*cos(th)", z = "e*sin(th)", th = "1" }
[[system.output]]
name = "px"
expr = "x"
[[system.output]]
name = "pz"
expr = "z"
[initial]
x = 0
z = 0
th = 0
)TOML";
    const std::string parameters = fmt::format(
        "[parameters]\nM = {}\nJ = {}\ne = {}\n[[trajectory]]\noutputs = [\"px\", \"pz\"]\nfrom = [0, 0]\n"
        "to = [{}, {}]\nstart = {}\nduration = {}\nprofile = \"poly9\"\n[invert]\nuntil = {}\n",
        m, J, e, 2.0 * length, length, 10.0 / rate, 40.0 / rate, 80.0 / rate);
    const InverseStructure s = analyse_inverse(read_problem_text(text + parameters, "model.toml"));
    EXPECT_EQ(s.index, 3);
    EXPECT_EQ(s.degrees_of_freedom, 2);
    EXPECT_EQ(s.realisation, Realisation::orthogonal);
    EXPECT_EQ(s.zero.kind, Kind::unstable);
    EXPECT_NEAR(s.zero.eigenvalues.back().real(), rate, 1e-9 * rate);
  }
}

}  // namespace
}  // namespace invar
