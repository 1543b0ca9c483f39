// Bounded inputs for references that neither begin nor end at rest: an aircraft that hovers and swings sideways for
// ever.
//
// Along x = A sin ωt, z = 0 the roll angle obeys e J θ'' = m (x'' cos θ + g sin θ). To first order in A its bounded
// solution is
//   θ = B sin ωt,   B = m A ω²/(m g + e J ω²),   and the moment is u2 = J θ''.
#include <gtest/gtest.h>

#include <cmath>

#include "invar/read/read_problem.h"
#include "invar/task/invert/invert.h"

namespace invar {
namespace {

constexpr const char* aircraft = R"TOML(
name = "aircraft"
[parameters]
m = 1.2
J = 0.05
e = 0.08
g = 9.81
[system]
coordinates = ["x", "z", "th"]
kinetic = "m/2*(x'^2 + z'^2) + J/2*th'^2"
potential = "m*g*z"
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
[[trajectory]]
outputs = ["px", "pz"]
expr = ["0.001*sin(2*t)", "0"]
[initial]
x = 0
z = 0
th = 0
[invert]
until = 4
step = 0.05
verify = false
)TOML";

TEST(MovingReference, InputsAreThoseOfTheEndlessMotionFromTheFirstToTheLastRow) {
  const Inversion run = invert(read_problem_text(aircraft, "aircraft.toml"));
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  const Trajectory& rows = run.trajectory;
  EXPECT_EQ(rows.value(0, "t"), 0.0);
  EXPECT_EQ(rows.value(rows.rows() - 1, "t"), 4.0);
  constexpr double A = 1e-3, w = 2.0, J = 0.05, m = 1.2, g = 9.81, e = 0.08;
  constexpr double B = m * A * w * w / (m * g + e * J * w * w), largest = J * B * w * w;
  for (std::size_t k = 0; k < rows.rows(); ++k)
    EXPECT_NEAR(rows.value(k, "u2"), -largest * std::sin(w * rows.value(k, "t")), 1e-6 * largest)
        << "terms of order A²";
  EXPECT_EQ(run.inputs.rows(), rows.rows());
}

TEST(MovingReference, SaysThatTheMotionWasCutOutOfALongerOne) {
  const Inversion run = invert(read_problem_text(aircraft, "aircraft.toml"));
  ASSERT_EQ(run.summary.warnings.size(), 2U);
  EXPECT_TRUE(run.summary.warnings[0].starts_with(
      "the trajectories are already in motion at t = 0 s: before they were continued by their formulas for"))
      << run.summary.warnings[0];
  EXPECT_TRUE(run.summary.warnings[1].starts_with("the trajectories have not come to rest at t = 4 s: after"))
      << run.summary.warnings[1];
}

}  // namespace
}  // namespace invar
