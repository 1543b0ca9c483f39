// What the literature compares: torques on mean directors, which lose angular momentum with the square of the step, and
// other angles of a free body, which describe the same motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "examples/compare.h"
#include "invar/read/read_problem.h"
#include "invar/task/run/simulate_settings.h"
#include "invar/task/simulate/simulate.h"

namespace invar::examples {
namespace {

Trajectory simulated(Problem problem, const std::string& method, double step) {
  problem.settings.of<SimulateSettings>().method = method;
  problem.settings.of<SimulateSettings>().step = step;
  const Simulation found = simulate(problem);
  EXPECT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  return found.trajectory;
}

// Largest change of the angular momentum about z.
double lost(const char* model, double step) {
  const std::vector<double> z = simulated(read_problem(folder / "satellite_rotors" / model), "energy-momentum", step)
                                    .column("angular_momentum.z");
  double most = 0.0;
  for (const double value : z) most = std::max(most, std::abs(value - z.front()));
  return most;
}

TEST(PlainTorques, LoseAngularMomentumWithTheSquareOfTheStep) {
  constexpr double kept = 1e-9, order_error = 0.15;  // round-off of 1e3 kg m²/s; the next power of the step
  for (const char* name : {"motors", "friction"}) {
    const std::string plain = std::string("plain_") + name + ".toml";
    const double coarse = lost(plain.c_str(), 0.05), fine = lost(plain.c_str(), 0.025);
    EXPECT_GT(coarse, 1e-3) << name;
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, order_error) << name;
  }
  EXPECT_LT(lost("model.toml", 0.05), kept);
  EXPECT_LT(lost("friction.toml", 0.05), kept);
}

Problem tumbling(const std::string& angles) {
  return read_problem_text(R"toml(name = "tumbling"
[world]
gravity = [0, 0, -1]
[[body]]
name = "box"
mass = 2
inertia = [1, 2, 2.5]
position = [0.1, 0.2, 0.3]
rotation = { axis = [1, 1, 0], angle = 0.4 }
velocity = [1, 0, 2]
angular_velocity = [0.3, -0.2, 0.5]
)toml" + angles + R"toml(
[[output]]
name = "way"
orientation = "box"
[simulate]
formulation = "minimal"
until = 1.0
step = 0.01
)toml",
                           "model.toml");
}

TEST(TurningAngles, DescribeTheSameMotionWhateverTheirAxesAndStart) {
  constexpr double steps = 1e-9;  // the error of the steps, of order 5
  const Trajectory expected = simulated(tumbling(""), "radau5", 0.01);
  for (const char* angles : {"{ axes = \"zxz\", start = [2, 2, 2] }", "{ axes = \"zyx\", start = [0.5, -0.3, 1] }",
                             "{ axes = \"yxy\", start = [0, 1, 0] }", "{ axes = \"xyz\", start = [0, 0, 0] }"}) {
    const Trajectory found = simulated(tumbling(std::string("turning_angles = ") + angles), "radau5", 0.01);
    ASSERT_EQ(found.rows(), expected.rows());
    int compared = 0;
    for (const std::string& column : expected.columns)
      if (column.starts_with("way") || column.starts_with("energy")) {
        ++compared;
        EXPECT_NEAR(found.value(found.rows() - 1, column), expected.value(expected.rows() - 1, column), steps)
            << angles << " " << column;
      }
    EXPECT_GT(compared, 4);
  }
}

}  // namespace
}  // namespace invar::examples
