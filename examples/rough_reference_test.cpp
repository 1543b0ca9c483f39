// The published path of the slewing crane, accepted as it is [Yang 2017, section 6.2.2, figure 6.16]: between the jumps
// of its derivatives the inputs are those of the closed form.
#include <gtest/gtest.h>

#include "examples/compare.h"
#include "invar/read/read_problem.h"
#include "invar/task/invert/invert.h"

namespace invar::examples {
namespace {

// Closed form of navy_crane_spatial/reference.py with the three-phase profile in place of the polynomial, 13 digits:
// tip of the boom, torques.
struct Instant {
  double t, x3, y3, u1, u2, u3, u4;
};
constexpr Instant closed_form[] = {
    {2, 8.648385086847, 0.4532498092642, -31.89463096256, -10.31092226213, -98.69922832711, 145.8062822528},
    {8, 7.637251454153, 4.083183834466, -90.821440699, -14.94848015739, -98.16588537941, 10.04024937215},
    {12, 3.454581896229, 7.941401886459, -77.17001144506, 37.73792862972, -98.20963231395, -4.908543127922},
    {17, -1.446777442544, 8.538549937299, -56.26991165177, 4.302402653424, -97.61715912345, -146.8418389692}};

TEST(RoughReference, PublishedPathOfTheSlewingCrane) {
  Problem problem = read_problem(folder / "navy_crane_spatial/published_profile.toml");
  InvertSettings& settings = problem.settings.of<InvertSettings>();
  settings.accept_rough_reference = true;
  settings.verify = false;
  settings.step = 0.5;
  const Inversion run = invert(problem);
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  const std::vector<double> times = run.trajectory.column("t");
  for (const Instant& at : closed_form) {
    const auto row = static_cast<std::size_t>(std::lround(at.t / settings.step));
    ASSERT_NEAR(times[row], at.t, 1e-9);
    const auto near = [&](const char* column, double expected) {
      EXPECT_NEAR(run.trajectory.value(row, column), expected, 2e-11 * std::max(1.0, std::abs(expected)))
          << column << " at " << at.t << ": digits of the closed form";
    };
    near("x3", at.x3), near("y3", at.y3);
    near("u1", at.u1), near("u2", at.u2), near("u3", at.u3), near("u4", at.u4);
  }
}

}  // namespace
}  // namespace invar::examples
