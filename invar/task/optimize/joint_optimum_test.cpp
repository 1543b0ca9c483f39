// Laws of optima that are sought in joint coordinates and written in directors: they are those of joint coordinates, on
// all constraints, and come to those of steps in directors with the square of the step.
#include "invar/task/optimize/joint_optimum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "invar/read/read_problem.h"
#include "invar/task/optimize/optimize.h"

namespace invar {
namespace {

// Two links in the plane with a motor in each joint, lifted against gravity.
const std::string arm = R"toml(
name = "arm"
[world]
dimension = 2
gravity = [0, -9.81]
[[body]]
name = "upper"
mass = 2
inertia = 0.1
position = [0.5, 0]
[[body]]
name = "lower"
mass = 1
inertia = 0.05
position = [1.4, 0]
[[joint]]
name = "shoulder"
type = "revolute"
between = ["ground", "upper"]
at = [0, 0]
coordinate = "a"
[[joint]]
name = "elbow"
type = "revolute"
between = ["upper", "lower"]
at = [1, 0]
coordinate = "b"
[[actuator]]
name = "u"
on = "a"
[[actuator]]
name = "w"
on = "b"
[optimize]
horizon = 1.0
final = { a = 0.7, b = -0.4 }
rest = true
guess = "line"
)toml";

Optimum optimum(const std::string& text, const std::string& formulation, int intervals,
                const std::string& scheme = "auto") {
  Problem problem = read_problem_text(text, "arm.toml", {}, formulation);
  OptimizeSettings& settings = problem.settings.of<OptimizeSettings>();
  settings.intervals = intervals;
  settings.scheme = scheme;
  return optimize(problem);
}

const OptimizationSummary& about(const Optimum& found) { return *found.summary.part<OptimizationSummary>(); }

double largest_multiplier_difference(const Optimum& a, const Optimum& b) {
  double most = 0.0;
  for (const std::string& name : a.trajectory.columns)
    if (name.starts_with("lambda."))
      for (std::size_t k = 1; k < a.trajectory.rows(); ++k)
        most = std::max(most, std::abs(a.trajectory.value(k, name) - b.trajectory.value(k, name)));
  return most;
}

TEST(JointOptimum, IsThatOfJointCoordinatesOnAllConstraints) {
  constexpr double same = 1e-9, on_constraints = 1e-12;
  const Optimum directors = optimum(arm, "director", 20), joints = optimum(arm, "minimal", 20);
  ASSERT_EQ(directors.summary.status, RunStatus::done) << directors.summary.message;
  ASSERT_TRUE(about(directors).joints);
  EXPECT_EQ(about(directors).joints->count, 2U);
  EXPECT_LT(about(directors).joints->left_over, on_constraints);
  EXPECT_EQ(directors.summary.formulation, "director");
  EXPECT_NEAR(about(directors).cost, about(joints).cost, same * about(joints).cost);
  ASSERT_EQ(directors.inputs.values.size(), joints.inputs.values.size());
  for (std::size_t i = 0; i < joints.inputs.values.size(); ++i)
    EXPECT_NEAR(directors.inputs.values[i], joints.inputs.values[i], 1e-6 * about(joints).cost);
  for (std::size_t k = 0; k <= 20; ++k)
    for (const char* column : {"a", "b", "a'", "b'", "energy.total"})
      EXPECT_NEAR(directors.trajectory.value(k, column), joints.trajectory.value(k, column), 1e-6) << column << k;
  EXPECT_LT(directors.summary.accuracy.drift_position, on_constraints);
  EXPECT_LT(directors.summary.accuracy.drift_velocity, on_constraints);
}

TEST(JointOptimum, MultipliersComeToThoseOfStepsInDirectors) {
  double difference[2];
  for (const int finer : {0, 1}) {
    const Optimum in_joints = optimum(arm, "director", 40 << finer),
                  steps = optimum(arm, "director", 40 << finer, "energy-momentum");
    ASSERT_EQ(steps.summary.status, RunStatus::done) << steps.summary.message;
    EXPECT_FALSE(about(steps).joints) << "a scheme that is named is taken in the coordinates that are named";
    difference[finer] = largest_multiplier_difference(in_joints, steps);
  }
  EXPECT_GT(difference[0], 0.0);
  EXPECT_LT(difference[1], 0.3 * difference[0]);  // a quarter, as far as the coarse mesh shows the order
}

TEST(JointOptimum, LeavesToDirectorsWhatJointsDoNotHave) {
  Problem problem = read_problem_text(arm, "arm.toml", {}, std::string("director"));
  OptimizeSettings& settings = problem.settings.of<OptimizeSettings>();
  settings.intervals = 20;
  settings.bounds.push_back({"force", multipliers(problem.system).back(), -1e4, 1e4});
  const Optimum held = optimize(problem);
  EXPECT_EQ(held.summary.status, RunStatus::done) << held.summary.message;
  EXPECT_FALSE(about(held).joints);
}

}  // namespace
}  // namespace invar
