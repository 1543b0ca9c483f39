// Elastic arms whose tip is led along a path, against solutions found elsewhere and in other coordinates.
#include <gtest/gtest.h>

#include <cmath>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/read/read_problem.h"
#include "invar/task/invert/invert.h"
#include "invar/task/stable_inversion/stable_inversion.h"

namespace invar {
namespace {

// One-link arm of length 1 as a chain of beam elements in redundant planar coordinates: directors (c, s) and positions
// (x, y) of nodes; bending stiffness 10, mass 0.5 per length, hub inertia 0.05 with torque u, tip mass 0.2. Either
// without stretch, shear and rotary inertia, or with stiffness 20000 and 8000, rotary inertia 2e-4 per length, 1e-4 at
// the tip.
enum class Beam { rigid_sections, stretch_and_shear };
std::string arm(int elements, double angle, Beam beam = Beam::rigid_sections) {
  const std::string length = std::to_string(1.0 / elements);
  std::string names, kinetic = "0.025*(c0'^2+s0'^2)", potential = "0", constraints, initial;
  const auto at = [](const char* name, int i) {
    return i == 0 && (*name == 'x' || *name == 'y') ? std::string("0") : name + std::to_string(i);
  };
  const auto rate = [&](const char* name, int i) { return i == 0 ? std::string("0") : at(name, i) + "'"; };
  const auto constraint = [&](const std::string& name, const std::string& expr) {
    constraints += "[[system.constraint]]\nname = \"" + name + "\"\nexpr = \"" + expr + "\"\n";
  };
  for (int i = 0; i <= elements; ++i) {
    for (const char* name : {"c", "s", "x", "y"}) {
      if (at(name, i) == "0") continue;
      names += (names.empty() ? "\"" : ", \"") + at(name, i) + "\"";
      const double value = *name == 'c' ? 1.0 : *name == 'x' ? static_cast<double>(i) / elements : 0.0;
      initial += at(name, i) + " = " + std::to_string(value) + "\n";
    }
    constraint("unit" + std::to_string(i), "(" + at("c", i) + "^2 + " + at("s", i) + "^2 - 1)/2");
  }
  for (int i = 0; i < elements; ++i) {
    for (const char* name : {"x", "y"})
      kinetic += "+ 0.5*" + length + "/6*(" + rate(name, i) + "^2 + " + rate(name, i) + "*" + rate(name, i + 1) +
                 " + " + rate(name, i + 1) + "^2)";
    potential +=
        " + 5/" + length + "*(" + at("c", i) + "*" + at("s", i + 1) + " - " + at("s", i) + "*" + at("c", i + 1) + ")^2";
    const std::string c = "(" + at("c", i) + " + " + at("c", i + 1) + ")/2",
                      s = "(" + at("s", i) + " + " + at("s", i + 1) + ")/2",
                      dx = "(" + at("x", i + 1) + " - " + at("x", i) + ")",
                      dy = "(" + at("y", i + 1) + " - " + at("y", i) + ")";
    const std::string stretch = "(" + c + "*" + dx + " + " + s + "*" + dy + ")/" + length + " - 1";
    const std::string shear = "(" + c + "*" + dy + " - " + s + "*" + dx + ")/" + length;
    if (beam == Beam::rigid_sections) {
      constraint("stretch" + std::to_string(i), stretch);
      constraint("shear" + std::to_string(i), shear);
      continue;
    }
    potential += " + 10000*" + length + "*(" + stretch + ")^2 + 4000*" + length + "*(" + shear + ")^2";
    for (const char* name : {"c", "s"})
      kinetic += "+ 0.0002*" + length + "/6*(" + at(name, i) + "'^2 + " + at(name, i) + "'*" + at(name, i + 1) +
                 "' + " + at(name, i + 1) + "'^2)";
  }
  const std::string tip = std::to_string(elements);
  kinetic += " + 0.1*(x" + tip + "'^2 + y" + tip + "'^2)";
  if (beam == Beam::stretch_and_shear) kinetic += " + 0.00005*(c" + tip + "'^2 + s" + tip + "'^2)";
  return "name = \"arm\"\n[system]\ncoordinates = [" + names + "]\nkinetic = \"" + kinetic + "\"\npotential = \"" +
         potential + "\"\n" + constraints + "[[system.input]]\nname = \"u\"\nforce = { c0 = \"-s0\", s0 = \"c0\" }\n" +
         "[[system.output]]\nname = \"tip\"\nexpr = \"atan2(y" + tip + ", x" + tip + ")\"\n" +
         "[[trajectory]]\noutputs = [\"tip\"]\nfrom = [0.0]\nto = [" + std::to_string(angle) +
         "]\nstart = 0.3\nduration = 0.5\nprofile = \"poly9\"\n[initial]\n" + initial +
         "[invert]\nuntil = 1.1\nstep = 0.005\nverify = false\n";
}

double value_at(const Trajectory& rows, const std::string& column, double t) {
  for (std::size_t k = 0; k < rows.rows(); ++k)
    if (std::abs(rows.value(k, "t") - t) < 1e-9) return rows.value(k, column);
  ADD_FAILURE() << "no row at t = " << t;
  return NAN;
}

// Torque at 0.05 s before the move, at its begin, 0.1 s and 0.2 s later, by an independent program (sparse Newton
// iteration over all instants, extrapolated to vanishing step).
struct Published {
  double angle, torque[4];
};

TEST(ElasticArm, TorqueOfTheBeamAgreesWithAnIndependentSolution) {
  for (const Published& expected : {Published{0.5, {0.106942, 1.014180, 4.142762, 2.995522}},
                                    Published{0.5 * M_PI, {0.3315771, 3.14962, 12.92738, 9.245413}}}) {
    const Inversion run = invert(read_problem_text(arm(4, expected.angle), "arm.toml"));
    ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
    EXPECT_EQ(run.summary.method, "stable-inversion");
    // Of the largest: steps of 5, 2.5 and 1.25 ms, extrapolated. When the move begins the torque has a kink, across
    // which the other program has extrapolated.
    constexpr double digits[] = {3e-6, 1.5e-4, 3e-6, 3e-6};
    const double times[] = {0.25, 0.3, 0.4, 0.5};
    for (int k = 0; k < 4; ++k)
      EXPECT_NEAR(value_at(run.trajectory, "u", times[k]), expected.torque[k], digits[k] * expected.torque[2]) << k;
  }
}

// Stretch and shear add oscillations to the internal dynamics that neither grow nor decay; the straight arm at rest is
// an equilibrium at both ends of the path, which a stiff potential makes hard to see from far.
TEST(ElasticArm, TorqueOfTheBeamWithStretchAndShearAgreesToo) {
  Problem p = read_problem_text(arm(4, 0.5 * M_PI, Beam::stretch_and_shear), "arm.toml");
  p.settings.of<InvertSettings>().method = "stable-inversion";
  const Inversion run = invert(p);
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  const double times[] = {0.25, 0.3, 0.4, 0.5}, torque[] = {0.3267913, 3.171515, 12.94393, 9.168229};
  for (int k = 0; k < 4; ++k)
    EXPECT_NEAR(value_at(run.trajectory, "u", times[k]), torque[k], 1e-3 * torque[2])
        << "the oscillations of the two solutions differ";
}

TEST(ElasticArm, StopsWhenAsked) {
  int polls = 0;
  const InterruptScope scope([&] { return ++polls > 2000; });
  EXPECT_THROW(invert(read_problem_text(arm(4, 0.5), "arm.toml")), Interrupted);
  EXPECT_EQ(polls, 2001) << "the first refusal ends it";
}

// Two links with an elastic elbow, the middle of the second led along a path.
std::string links(double angle) {
  return R"TOML(
name = "links"
[world]
dimension = 2
[[body]]
name = "arm1"
mass = 1.0
inertia = 0.08333333
position = [0.5, 0]
[[body]]
name = "arm2"
mass = 1.0
inertia = 0.08333333
position = [1.5, 0]
[[joint]]
name = "base"
type = "revolute"
between = ["ground", "arm1"]
at = [0, 0]
coordinate = "a"
[[joint]]
name = "elbow"
type = "revolute"
between = ["arm1", "arm2"]
at = [1, 0]
coordinate = "b"
stiffness = 50.0
damping = 0.25
[[actuator]]
name = "M"
on = "a"
[[output]]
name = "y"
expr = "a + 0.5*b"
[[trajectory]]
outputs = ["y"]
from = [0]
to = [)TOML" +
         std::to_string(angle) + "]\nduration = 1.5\nprofile = \"poly9\"\n[invert]\nuntil = 1.5\nverify = false\n";
}

// At a right angle the components of directors cease to be coordinates of their own motion.
TEST(ElasticArm, TurnsAsFarInDirectorsAsInAngles) {
  constexpr double angle = 1.5707963;
  const Inversion minimal = invert(read_problem_text(links(angle), "links.toml", {}, "minimal"));
  const Inversion director = invert(read_problem_text(links(angle), "links.toml", {}, "director"));
  ASSERT_EQ(minimal.summary.status, RunStatus::done) << minimal.summary.message;
  ASSERT_EQ(director.summary.status, RunStatus::done) << director.summary.message;
  double largest = 0.0;
  const auto torque = [](const Inversion& run, double t) { return value_at(run.trajectory, "M", t); };
  for (const double t : {0.0, 0.3, 0.6, 0.9, 1.2}) largest = std::max(largest, std::abs(torque(minimal, t)));
  for (const double t : {0.0, 0.3, 0.6, 0.9, 1.2})
    EXPECT_NEAR(torque(director, t), torque(minimal, t), 1e-6 * largest) << "extrapolated, at t = " << t;
}

TEST(ElasticArm, NothingToInvertStablyIsSaid) {
  const std::string flat = R"TOML(
name = "flat"
[system]
coordinates = ["x"]
kinetic = "x'^2/2"
[[system.input]]
name = "F"
force = { x = "1" }
[[system.output]]
name = "y"
expr = "x"
[[trajectory]]
outputs = ["y"]
from = [0]
to = [1]
duration = 1.0
profile = "poly9"
[initial]
x = 0
[invert]
method = "stable-inversion"
)TOML";
  try {
    invert(read_problem_text(flat, "flat.toml"));
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(
        e.what(),
        "stable-inversion: there is no internal dynamics to keep bounded, the inputs follow algebraically from the "
        "outputs; use method = \"taylor\"");
  }
}

}  // namespace
}  // namespace invar
