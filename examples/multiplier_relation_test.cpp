// Costates with and without multipliers: λ of the full equations of motion is P(q_m) times λ of the equations that the
// discrete null space P leaves over, and the inputs follow from either [Siebert 2012, eqs. 7.17 to 7.22].
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "examples/compare.h"
#include "invar/read/read_problem.h"
#include "invar/system/nodal.h"
#include "invar/system/state_function.h"
#include "invar/task/optimize/optimize.h"

namespace invar::examples {
namespace {

constexpr double costate_error = 1e-6;  // relative to the largest; the solver ends at slopes of this size

Optimum solve(Problem problem, const std::string& scheme) {
  problem.settings.of<OptimizeSettings>().scheme = scheme;
  Optimum found = optimize(problem);
  EXPECT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  return found;
}

// The configuration in the middle of interval k, as the mean of its nodes.
State middle(const Problem& problem, const Trajectory& motion, std::size_t k) {
  State state;
  for (const Variable& x : problem.system.coordinates)
    state.q.push_back(0.5 * (motion.value(k, x.name()) + motion.value(k + 1, x.name())));
  return state;
}

TEST(MultiplierRelation, CostatesOfTheFullAndTheReducedEquationsDifferByTheNullSpace) {
  const Problem problem = read_problem(folder / "arm_torques" / "model.toml");
  const System& system = problem.system;
  ASSERT_TRUE(system.nodal);
  const NodalMap& map = *system.nodal;
  const Optimum full = solve(problem, "energy-momentum"), reduced = solve(problem, "reduced-energy-momentum");
  const std::size_t n = system.coordinates.size(), freedoms = map.null_space.size();
  Exprs entries, directions;
  for (const Exprs& column : map.null_space) entries.insert(entries.end(), column.begin(), column.end());
  for (const Input& input : system.inputs)
    directions.insert(directions.end(), input.direction.begin(), input.direction.end());
  StateFunction null_space(system, entries), input_directions(system, directions);
  double worst = 0.0, largest = 0.0;
  for (std::size_t k = 0; k < full.costates.rows(); ++k) {
    const State state = middle(problem, full.trajectory, k);
    const std::vector<double> p = null_space(state), b = input_directions(state);
    std::vector<double> lambda;
    for (const Variable& x : system.coordinates)
      lambda.push_back(full.costates.value(k, "costate.dynamics." + x.name()));
    for (std::size_t i = 0; i < n; ++i) {
      // A named angle follows the bodies; P is silent about it.
      if (std::ranges::any_of(map.followers, [&](const NodalMap::Follower& f) { return f.coordinate == i; })) continue;
      double by_null_space = 0.0;
      for (std::size_t f = 0; f < freedoms; ++f)
        by_null_space += p[f * n + i] * reduced.costates.value(k, "costate.motion of freedom " + std::to_string(f + 1));
      worst = std::max(worst, std::abs(lambda[i] - by_null_space));
      largest = std::max(largest, std::abs(lambda[i]));
    }
    for (std::size_t j = 0; j < system.inputs.size(); ++j) {
      double u = 0.0;
      for (std::size_t i = 0; i < n; ++i) u += b[j * n + i] * lambda[i];
      EXPECT_NEAR(u, full.inputs.value(k, system.inputs[j].name), costate_error * (1.0 + std::abs(u)));
    }
  }
  EXPECT_GT(largest, 0.0);
  EXPECT_LE(worst, costate_error * largest);
}

}  // namespace
}  // namespace invar::examples
