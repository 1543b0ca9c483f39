// The plant of the ACROBOTER papers, one explicit step of order four per sample with Baumgarte's terms, against a
// program of its own that does the same; and a drift that is small.
#include <gtest/gtest.h>

#include <cmath>

#include "examples/compare.h"
#include "invar/read/read_problem.h"
#include "invar/record/read_csv.h"
#include "invar/task/control/control.h"
#include "invar/task/simulate/simulate.h"

namespace invar::examples {
namespace {

TEST(Baumgarte, OneStepPerSampleIsThatOfTheSource) {
  constexpr double solved = 1e-8;  // by Newton's method of the controller in both programs, times the gains
  Problem problem = read_problem(folder / "acroboter_control/model.toml");
  ControlSettings& settings = problem.settings.of<ControlSettings>();
  settings.scheme = "rk4";
  settings.substeps = 1;
  settings.baumgarte = Baumgarte{false, 40.0, 60.0};
  const ControlRun run = control(problem);
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  const Trajectory expected = read_csv(folder / "acroboter_control/reference_one_step.csv");
  std::size_t row = 0;
  for (std::size_t i = 0; i < expected.rows(); ++i) {
    while (row + 1 < run.trajectory.rows() && run.trajectory.value(row, "t") < expected.value(i, "t") - 1e-9) ++row;
    for (const char* name : {"x1", "x2", "z2", "x3", "z3", "x4", "z4"})
      EXPECT_NEAR(run.trajectory.value(row, name), expected.value(i, name), solved)
          << name << " at " << expected.value(i, "t");
  }
}

// Six hinges of which one constraint is redundant and others have no terms but their violations: a drift that is small
// for the motion is no failure.
TEST(Baumgarte, SmallDriftOfVanishingTermsIsNoFailure) {
  Problem problem = read_problem(folder / "bricard/model.toml");
  SimulateSettings& settings = problem.settings.of<SimulateSettings>();
  settings.method = "rk4";
  settings.baumgarte = Baumgarte();
  settings.project = false;
  const Simulation run = simulate(problem);
  EXPECT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  EXPECT_LT(run.summary.accuracy.drift_position, 1e-6);
}

}  // namespace
}  // namespace invar::examples
