// A top whose axis passes the vertical: three angles cannot follow it, and the run says so instead of going astray.
#include "invar/task/simulate/angle_watch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/read/read_problem.h"
#include "invar/task/simulate/simulate.h"

namespace invar {
namespace {

constexpr const char* model = R"(
name = "tumbling body"
[world]
rotations = "angles"
gravity = [0, 0, 0]
[[body]]
name = "body"
mass = 1.0
inertia = [1.0, 1.0, 1.0]
position = [0, 0, 0]
angular_velocity = [0, 1, 0]
[simulate]
until = 3.0
step = 0.01
method = "radau5"
)";

TEST(AngleWatch, StopsAtTheRightAngle) {
  const Simulation run = simulate(read_problem_text(model, "model.toml", {}, "minimal"), {});
  EXPECT_EQ(run.summary.status, RunStatus::failed);
  EXPECT_NE(run.summary.message.find("\"body\""), std::string::npos) << run.summary.message;
  EXPECT_NEAR(run.trajectory.value(run.trajectory.rows() - 1, "t"), 1.57, 0.05) << "a quarter of a turn at 1 rad/s";
}

// Quaternions have no such place: three radians at 1 rad/s, and the first axis has turned by as much.
TEST(AngleWatch, QuaternionsPassIt) {
  constexpr double left = 1e-9;  // by radau5 at this step
  std::string text = model;
  const std::string angles = "rotations = \"angles\"\n";
  text.erase(text.find(angles), angles.size());
  const Simulation run = simulate(read_problem_text(text, "model.toml", {}, "minimal"), {});
  EXPECT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  const std::size_t end = run.trajectory.rows() - 1;
  EXPECT_NEAR(run.trajectory.value(end, "body.d1.x"), std::cos(3.0), left);
  EXPECT_NEAR(run.trajectory.value(end, "body.d1.z"), -std::sin(3.0), left);
  EXPECT_NEAR(run.trajectory.value(end, "body.e0"), std::cos(1.5), left);
}

// A fast top with a little nutation: its second angle comes to within 0.03 of a right angle in each turn, in less time
// than a step takes. Either the run stops there, or it is the motion of the directors.
TEST(AngleWatch, NoStepLeapsPastTheRightAngle) {
  const std::string top = R"(
name = "top"
[world]
rotations = "angles"
gravity = [0, 0, -9.81]
[[body]]
name = "top"
mass = 15.0
inertia = [0.234375, 0.46875, 0.234375]
position = [0, 1, 0]
angular_velocity = [0, 150, -4.61538]
velocity = [4.61538, 0, 0]
[[joint]]
name = "tip"
type = "spherical"
between = ["ground", "top"]
at = [0, 0, 0]
[simulate]
until = 0.05
step = )";
  constexpr double first_pass = 0.0105;  // a quarter of a turn at 150 rad/s
  const std::string method = "\nmethod = \"radau5\"\n";
  const Simulation coarse = simulate(read_problem_text(top + "0.0005" + method, "top.toml", {}, "minimal"), {});
  EXPECT_EQ(coarse.summary.status, RunStatus::failed);
  EXPECT_NEAR(coarse.trajectory.value(coarse.trajectory.rows() - 1, "t"), first_pass, 0.001);
  const Simulation fine = simulate(read_problem_text(top + "0.0001" + method, "top.toml", {}, "minimal"), {});
  const Simulation directors = simulate(read_problem_text(top + "0.0001" + method, "top.toml", {}, "director"), {});
  ASSERT_EQ(fine.summary.status, RunStatus::done) << fine.summary.message;
  constexpr double resolved = 1e-6;  // 2e-7 from the passes, which take two or three steps each
  for (std::size_t k = 0; k < fine.trajectory.rows(); ++k)
    EXPECT_NEAR(fine.trajectory.value(k, "top.x"), directors.trajectory.value(k, "top.x"), resolved);
}

TEST(AngleWatch, DirectorsGoOn) {
  const Simulation run = simulate(read_problem_text(model, "model.toml", {}, "director"), {});
  EXPECT_EQ(run.summary.status, RunStatus::done);
}

}  // namespace
}  // namespace invar
