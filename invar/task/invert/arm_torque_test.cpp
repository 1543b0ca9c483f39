// The torque of an elastic arm with many elements, against the limit of ever more elements and ever smaller steps,
// which another program extrapolates (see stable_inversion/test_beam_torques.h).
#include <gtest/gtest.h>

#include <cmath>

#include "invar/read/read_problem.h"
#include "invar/task/invert/invert.h"

namespace invar {
namespace {

constexpr const char* arm_of_sixteen = R"toml(
name = "arm"
[world]
dimension = 2
[[body]]
name = "hub"
mass = 1.0
inertia = 0.05
position = [0, 0]
[[joint]]
name = "axle"
type = "revolute"
between = ["ground", "hub"]
at = [0, 0]
coordinate = "phi"
[[body]]
name = "tip"
mass = 0.2
inertia = 0.0
position = [1, 0]
[[beam]]
name = "arm"
points = [[0, 0], [1, 0]]
elements = 16
EI = 10.0
mass_per_length = 0.5
rigid = ["shear", "extension"]
from = "hub"
to = "tip"
[[actuator]]
name = "u"
on = "phi"
[[output]]
name = "angle"
expr = "atan2(tip.y, tip.x)"
[[trajectory]]
outputs = "angle"
from = 0.0
to = "pi/2"
start = 0.3
duration = 0.5
profile = "poly9"
[invert]
until = 1.1
step = 0.0025
[simulate]
until = 1.1
step = 0.0025
)toml";

TEST(ArmTorque, SixteenElementsAreAtTheLimit) {
  constexpr double begin = 0.3;      // of the move
  constexpr double accurate = 5e-4;  // N m: 2e-5 of the largest torque, 14 N m, as the run says of its steps, and more
  const Inversion found = invert(read_problem_text(arm_of_sixteen, "model.toml"));
  ASSERT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  const std::pair<double, double> limit[] = {{-0.05, 0.3152073}, {0.0, 3.18543}, {0.1, 12.47591}, {0.2, 9.145514}};
  for (const auto& [t, torque] : limit) {
    std::size_t nearest = 0;
    for (std::size_t k = 0; k < found.inputs.rows(); ++k)
      if (std::abs(found.inputs.value(k, "t") - begin - t) < std::abs(found.inputs.value(nearest, "t") - begin - t))
        nearest = k;
    EXPECT_NEAR(found.inputs.value(nearest, "u"), torque, accurate) << t;
  }
  const auto& replay = found.summary.part<InversionSummary>()->round_trip;
  ASSERT_TRUE(replay.has_value());
  EXPECT_LT(*replay, 1e-5);  // rad: the accuracy of the torque, times what a simulation makes of it
}

}  // namespace
}  // namespace invar
