// Elastic arms whose tip is led along a path, against solutions found elsewhere and in other coordinates.
#include <gtest/gtest.h>

#include <cmath>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/read/read_problem.h"
#include "invar/task/invert/invert.h"
#include "invar/task/stable_inversion/stable_inversion.h"
#include "invar/task/stable_inversion/test_elastic_beam.h"

namespace invar {
namespace {

using test::BeamKind;

std::string arm(int elements, double angle, BeamKind beam = BeamKind::rigid_sections) {
  return test::beam_arm(elements, beam, false, angle, 0.005);
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
  Problem p = read_problem_text(arm(4, 0.5 * M_PI, BeamKind::stretch_and_shear), "arm.toml");
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
