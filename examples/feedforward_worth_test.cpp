// What bounded inputs of a flexible arm are worth: with them its tip stands still after the move, with those of a stiff
// arm of the same inertia it swings.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "examples/compare.h"
#include "invar/task/invert/invert.h"
#include "invar/task/simulate/simulate.h"

namespace invar::examples {
namespace {

// How far the tip is from where it shall rest, at most, from the end of the move on.
double swing_left(const char* model) {
  const Simulation run = simulate(read_problem(folder / "flexible_arm_inverse" / model));
  EXPECT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  EXPECT_TRUE(run.summary.warnings.empty()) << run.summary.warnings.front();
  double largest = 0.0;
  for (std::size_t k = row_at(run.trajectory, 0.8); k < run.trajectory.rows(); ++k)
    largest = std::max(largest, std::abs(run.trajectory.value(k, "angle") - 0.5 * M_PI));
  return largest;
}

TEST(FeedforwardWorth, AnExactTorqueLeavesTheTipAtRest) { EXPECT_LT(swing_left("exact_torque.toml"), 1e-3); }

// A right angle in half a second is not slow for an arm that bends: a good part of it is still to come or to go back.
TEST(FeedforwardWorth, TheTorqueOfAStiffArmDoesNot) { EXPECT_GT(swing_left("stiff_torque.toml"), 0.3); }

TEST(FeedforwardWorth, TheTorqueInTheFileIsTheOneThatIsFound) {
  Problem problem = read_problem(folder / "flexible_arm_inverse" / "model.toml");
  problem.settings.of<InvertSettings>().verify = false;
  const Trajectory file = read_csv(folder / "flexible_arm_inverse" / "torque.csv"), found = invert(problem).inputs;
  const double first = found.value(0, "t");
  for (std::size_t k = 0; k < file.rows(); ++k) {
    const auto row = static_cast<std::size_t>(std::lround((file.value(k, "t") - first) / 0.0025));
    // Its own error, 2e-5 of 14 N m.
    EXPECT_NEAR(file.value(k, "u"), found.value(row, "u"), 3e-4) << file.value(k, "t");
  }
}

}  // namespace
}  // namespace invar::examples
