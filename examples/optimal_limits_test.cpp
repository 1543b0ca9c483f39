// One optimum in all schemes: whatever equations the steps obey, the costs of ever finer meshes tend to the same limit,
// which was computed independently. bench/optimal_limits.py has the same for all schemes and finer meshes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "examples/compare.h"
#include "invar/scheme/scheme.h"
#include "invar/task/optimize/optimize.h"

namespace invar::examples {
namespace {

struct LimitRun {
  const char *model, *formulation, *scheme;
  int intervals, meshes;
  double limit;      // of one mesh: its cost
  double tolerance;  // relative, of the limit
};

constexpr double arm_limit = 3981028.325274, satellite_limit = 1434215.960878;
constexpr double same_limit = 1e-5;
// Inputs that are held change the motion with the first power of the step if they act at the ends of steps only, and
// two further terms are removed here.
constexpr double first_order = 1e-3;
// The cost of one mesh of 40 intervals, by the mid-point rule, was computed independently, too.
constexpr double satellite_of_midpoints = 1.452798502, computed = 1e-9;
// One mesh: a rotor turns by up to half a right angle in an interval, of which the square is left.
constexpr double one_mesh = 2e-2;

const LimitRun limit_runs[] = {
    {"arm_swing/model.toml", "minimal", "variational", 20, 3, arm_limit, same_limit},
    {"arm_swing/model.toml", "minimal", "variational-midpoint", 16, 3, arm_limit, same_limit},
    {"arm_swing/model.toml", "minimal", "radau5", 16, 3, arm_limit, same_limit},
    {"arm_swing/model.toml", "minimal", "lie-rk4", 16, 3, arm_limit, same_limit},
    {"arm_swing/model.toml", "minimal", "generalized-alpha", 80, 3, arm_limit, first_order},
    {"arm_swing/model.toml", "minimal", "bdf2", 80, 3, arm_limit, first_order},
    {"arm_swing/model.toml", "director", "variational", 16, 3, arm_limit, same_limit},
    {"arm_swing/model.toml", "lie", "lie-variational", 16, 3, arm_limit, same_limit},
    {"satellite_reorientation/model.toml", "minimal", "variational", 20, 3, satellite_limit, same_limit},
    {"satellite_reorientation/model.toml", "minimal", "variational-midpoint", 20, 3, satellite_limit, same_limit},
    {"satellite_reorientation/directors.toml", "director", "midpoint", 40, 1, satellite_of_midpoints, computed},
    {"satellite_reorientation/directors.toml", "lie", "lie-variational", 40, 1, 1e-6 * satellite_limit, one_mesh},
};

class OptimalLimit : public testing::TestWithParam<LimitRun> {};

TEST_P(OptimalLimit, IsThatOfTheContinuousProblem) {
  const LimitRun& wanted = GetParam();
  Problem problem = read_problem(folder / wanted.model, {}, std::string(wanted.formulation));
  OptimizeSettings& s = problem.settings.of<OptimizeSettings>();
  s.scheme = wanted.scheme;
  s.intervals = wanted.intervals;
  s.refine = wanted.meshes;
  const Optimum found = optimize(problem);
  ASSERT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  const OptimizationSummary& o = *found.summary.part<OptimizationSummary>();
  ASSERT_TRUE(o.limit || wanted.meshes == 1) << o.mesh.no_limit;
  EXPECT_NEAR(o.limit.value_or(o.cost), wanted.limit, wanted.tolerance * wanted.limit);
  // The motion of the mesh is that of a simulation with the same steps.
  EXPECT_LE(o.replay.value_or(1.0), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(All, OptimalLimit, testing::ValuesIn(limit_runs), [](const auto& of) {
  std::string name = std::string(of.param.model).substr(0, 3) + "_" + of.param.formulation + "_" + of.param.scheme;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace invar::examples
