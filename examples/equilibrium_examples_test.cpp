// Where bundled examples rest: against an independent computation, and alike in all formulations.
#include <gtest/gtest.h>

#include "examples/compare.h"
#include "invar/read/read_problem.h"
#include "invar/task/equilibrium/equilibrium.h"

namespace invar::examples {
namespace {

constexpr double same = 1e-9;  // lengths of order one

Outcome equilibrium_of(const std::string& name, const std::string& formulation) {
  Problem problem = read_problem(folder / name / "model.toml", {}, formulation);
  problem.settings.of<EquilibriumSettings>().method = RestMethod::minimum;
  return find_equilibrium(problem);
}

TEST(EquilibriumExamples, AHangingChainMeetsItsPolygonOfForces) {
  const Trajectory reference = read_csv(folder / "hanging_chain" / "reference.csv");
  for (const std::string formulation : {"director", "minimal", "lie"}) {
    const Outcome found = equilibrium_of("hanging_chain", formulation);
    ASSERT_EQ(found.summary.status, RunStatus::done) << formulation << ": " << found.summary.message;
    for (const std::string& column : reference.columns)
      EXPECT_NEAR(found.trajectory.value(0, column), reference.value(0, column), same) << formulation << " " << column;
    const auto& part = *found.summary.part<EquilibriumSummary>();
    EXPECT_EQ(part.stability, StabilityKind::stable);
    // By NumPy, from the Hessian of V + λ·Φ in the six angles of the bars.
    EXPECT_NEAR(part.lowest_frequency, 0.5171558, 1e-6) << formulation;
  }
}

TEST(EquilibriumExamples, FormulationsAgree) {
  for (const std::string name : {"double_pendulum_bodies", "four_bars", "five_bar"}) {
    const Outcome director = equilibrium_of(name, "director");
    ASSERT_EQ(director.summary.status, RunStatus::done) << name << ": " << director.summary.message;
    for (const std::string formulation : {"minimal", "lie"}) {
      const Outcome other = equilibrium_of(name, formulation);
      ASSERT_EQ(other.summary.status, RunStatus::done) << name << ": " << other.summary.message;
      EXPECT_NEAR(other.trajectory.value(0, "energy.potential"), director.trajectory.value(0, "energy.potential"), 1e-7)
          << name << " " << formulation;
    }
  }
}

}  // namespace
}  // namespace invar::examples
