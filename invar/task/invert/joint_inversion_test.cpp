// A formulation is only a way to write the same problem: what is solved in joint coordinates and written in directors
// is what directors themselves give.
#include "invar/task/invert/joint_inversion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/read/read_problem.h"
#include "invar/task/invert/inversion_summary.h"
#include "invar/task/invert/invert.h"
#include "invar/task/stable_inversion/stable_inversion.h"

namespace invar {
namespace {

// A driven arm turns about the vertical and carries a thin pendulum that stands upright: two axes of the rod have no
// mass, and the internal dynamics is unstable.
constexpr const char* furuta = R"TOML(
name = "furuta"
[world]
gravity = [0, 0, -9.81]
[[body]]
name = "arm"
mass = 1.0
inertia = [0.01, 0.01, 0.01]
position = [0, 0, 0]
[[body]]
name = "rod"
mass = 0.1
inertia = ["0.1*0.09/12", "0.1*0.09/12", 0]
position = [0.2, 0, 0.15]
[[joint]]
name = "base"
type = "revolute"
between = ["ground", "arm"]
at = [0, 0, 0]
axis = [0, 0, 1]
coordinate = "turn"
[[joint]]
name = "hinge"
type = "revolute"
between = ["arm", "rod"]
at = [0.2, 0, 0]
axis = [1, 0, 0]
coordinate = "tilt"
[[actuator]]
name = "M"
on = "turn"
[[output]]
name = "turned"
coordinate = "turn"
[[trajectory]]
outputs = ["turned"]
from = 0
to = 3.0
start = 0.5
duration = 1.5
profile = "poly7"
[invert]
until = 2.5
step = 0.05
)TOML";

// Four links in a plane, closed by a joint that no tree has, driven at one crank.
constexpr const char* four_bar = R"TOML(
name = "four bar"
[world]
dimension = 2
gravity = [0, -9.81]
[[body]]
name = "crank"
mass = 1.0
inertia = 0.1
position = [0, 0.5]
[[body]]
name = "coupler"
mass = 2.0
inertia = 0.3
position = [1, 1]
[[body]]
name = "rocker"
mass = 1.5
inertia = 0.2
position = [2, 0.5]
[[joint]]
name = "A"
type = "revolute"
between = ["ground", "crank"]
at = [0, 0]
coordinate = "alpha"
[[joint]]
name = "B"
type = "revolute"
between = ["crank", "coupler"]
at = [0, 1]
[[joint]]
name = "C"
type = "revolute"
between = ["coupler", "rocker"]
at = [2, 1]
[[joint]]
name = "D"
type = "revolute"
between = ["ground", "rocker"]
at = [2, 0]
[[actuator]]
name = "M"
on = "alpha"
[[output]]
name = "turned"
coordinate = "alpha"
[[trajectory]]
outputs = ["turned"]
from = 0
to = -0.8
duration = 1.0
profile = "poly7"
[invert]
until = 1.0
step = 0.05
)TOML";

Problem read(const char* text, const std::string& formulation = "director") {
  return read_problem_text(text, "model.toml", {}, formulation);
}

constexpr double solved_to = 1e-9;  // of the size of a kind of unknowns: Newton's method in both coordinates

double largest(const Jet& jet, const Dae& dae, UnknownKind kind) {
  double most = 0.0;
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j)
    if (dae.unknowns[j].kind == kind) most = std::max(most, std::abs(jet.x[j][0]));
  return most;
}

// At the start both ways of solving are there: coordinates, multipliers and inputs are the same.
TEST(JointInversion, WritesWhatDirectorsGive) {
  for (const char* text : {furuta, four_bar}) {
    const Problem problem = read(text);
    const auto joints = JointInversion::of(problem);
    ASSERT_NE(joints, nullptr) << problem.name;
    const InverseStructure directors = analyse_inverse(problem);
    EXPECT_LT(joints->structure().dae.unknowns.size(), directors.dae.unknowns.size());
    EXPECT_EQ(joints->structure().unknowns, directors.unknowns);
    EXPECT_EQ(joints->structure().index, directors.index);
    EXPECT_EQ(joints->structure().degrees_of_freedom, directors.degrees_of_freedom);
    const Jet& written = joints->as_asked(joints->structure().start);
    for (std::size_t j = 0; j < directors.dae.unknowns.size(); ++j) {
      const DaeUnknown& x = directors.dae.unknowns[j];
      EXPECT_EQ(joints->dae().unknowns[j].name, x.name);
      EXPECT_NEAR(written.x[j][0], directors.start.x[j][0],
                  solved_to * (1e-3 + largest(directors.start, directors.dae, x.kind)))
          << x.name;
    }
  }
}

// Inputs along the whole motion, and velocities that are those of the coordinates.
TEST(JointInversion, GivesTheInputsOfJointCoordinatesAndTheMotionOfDirectors) {
  for (const char* text : {furuta, four_bar}) {
    const Inversion directors = invert(read(text)), joints = invert(read(text, "minimal"));
    ASSERT_EQ(directors.summary.status, RunStatus::done) << directors.summary.message;
    ASSERT_EQ(directors.inputs.rows(), joints.inputs.rows());
    for (std::size_t k = 0; k < joints.inputs.rows(); ++k)
      EXPECT_NEAR(directors.inputs.row(k)[1], joints.inputs.row(k)[1], 1e-12);
    const Problem problem = read(text);
    const Trajectory& t = directors.trajectory;
    for (const Variable& q : problem.system.coordinates) {
      const std::vector<double> x = t.column(q.name()), v = t.column(q.name() + "'"), time = t.column("t");
      for (std::size_t k = 0; k + 1 < x.size(); ++k) {
        // The trapezoidal rule, with the error of steps of 1/20 s.
        const double moved = 0.5 * (time[k + 1] - time[k]) * (v[k] + v[k + 1]);
        EXPECT_NEAR(x[k + 1] - x[k], moved, 5e-3) << q.name();
      }
    }
    EXPECT_LT(directors.summary.part<InversionSummary>()->equation_residual, 1e-11);
  }
}

// Directors themselves, which need another way to the same bounded motion: axes without mass have velocities too.
TEST(StableInversion, KnowsVelocitiesOfDirectorsWithoutMass) {
  std::string text = furuta;
  text.replace(text.find("to = 3.0"), 8, "to = 0.3");
  const Problem problem = read(text.c_str());
  const auto joints = JointInversion::of(problem);
  ASSERT_NE(joints, nullptr);
  const InverseStructure directors = analyse_inverse(problem);
  const auto motion_of = [&](const InverseStructure& s) {
    StableInversionSettings settings;
    settings.end = problem.settings.of<InvertSettings>().until;
    settings.decay = 1e-6;
    settings.guess = s.start;
    settings.k = s.extra_orders;
    settings.times = {0.0, 0.5 * settings.end, settings.end};
    return stable_inversion(s.dae, s.formal, settings);
  };
  const BoundedMotion bodies = motion_of(directors), angles = motion_of(joints->structure());
  ASSERT_EQ(bodies.status, BoundedMotion::Status::converged);
  ASSERT_EQ(bodies.jets.size(), angles.jets.size());
  constexpr double mesh = 1e-6;  // states differ, and so do the errors of collocation
  for (std::size_t k = 0; k < angles.jets.size(); ++k) {
    const Jet& wanted = joints->as_asked(angles.jets[k]);
    for (std::size_t j = 0; j < problem.system.coordinates.size(); ++j) {
      ASSERT_GT(bodies.jets[k].x[j].size(), 1U) << problem.system.coordinates[j].name();
      EXPECT_NEAR(bodies.jets[k].x[j][1], wanted.x[j][1], mesh) << problem.system.coordinates[j].name();
    }
  }
}

TEST(JointInversion, IsLeftOutWhereCoordinatesMatter) {
  EXPECT_EQ(JointInversion::of(read(furuta, "minimal")), nullptr);
  Problem integrated = read(four_bar);
  integrated.settings.of<InvertSettings>().method = "projection";
  EXPECT_EQ(JointInversion::of(integrated), nullptr);
  Problem moved = read(furuta);  // bodies that the joints do not hold together
  moved.q0[0] += 0.1;
  EXPECT_EQ(JointInversion::of(moved), nullptr);
}

}  // namespace
}  // namespace invar
