// A top whose axis passes the vertical: three angles cannot follow it, and the run says so instead of going astray.
#include "invar/task/angle_watch.h"

#include <gtest/gtest.h>

#include "invar/model/read.h"
#include "invar/task/simulate.h"

namespace invar {
namespace {

constexpr const char* model = R"(
name = "tumbling body"
[world]
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
  EXPECT_EQ(run.summary.status, "failed");
  EXPECT_NE(run.summary.message.find("\"body\""), std::string::npos) << run.summary.message;
  EXPECT_NEAR(run.trajectory.value(run.trajectory.rows() - 1, "t"), 1.57, 0.05) << "a quarter of a turn at 1 rad/s";
}

TEST(AngleWatch, DirectorsGoOn) {
  const Simulation run = simulate(read_problem_text(model, "model.toml", {}, "director"), {});
  EXPECT_EQ(run.summary.status, "done");
}

}  // namespace
}  // namespace invar
