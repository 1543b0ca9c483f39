// Inputs of elastic arms of 4, 8 and 16 elements against those of another program, and how they depend on the elements
// and on the times at which inputs may begin and end.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "invar/read/read_problem.h"
#include "invar/task/inverse_structure/invert_settings.h"
#include "invar/task/invert/invert.h"
#include "invar/task/stable_inversion/test_beam_torques.h"
#include "invar/task/stable_inversion/test_elastic_beam.h"

namespace invar {
namespace {

using test::BeamKind;

Inversion beam_inputs(int elements, BeamKind kind, bool rest_at_both_ends, double pre, double post) {
  Problem p = read_problem_text(test::beam_arm(elements, kind), "arm.toml");
  InvertSettings& settings = p.settings.of<InvertSettings>();
  settings.method = "space-time";
  settings.pre_actuation = pre;
  settings.post_actuation = post;
  settings.extrapolate = false;
  settings.rest_at_both_ends = rest_at_both_ends;
  settings.verify = false;
  return invert(p);
}

// `t` from the begin of the move, with rows every 2.5 ms.
double beam_torque(const Inversion& run, double t) {
  const double first = run.trajectory.value(0, "t");
  return run.trajectory.value(static_cast<std::size_t>(std::lround((t + 0.3 - first) / 0.0025)), "u");
}

void expect_torques_and_order(BeamKind kind) {
  const bool rigid = kind == BeamKind::rigid_sections;
  std::array<double, 3> error{};
  for (std::size_t n = 0; n < 3; ++n) {
    const int elements = 4 << n;
    const Inversion run = beam_inputs(elements, kind, true, 0.0, 0.0);
    ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
    const double largest = rigid ? test::largest_torque_rigid[n] : test::largest_torque_elastic[n];
    for (const test::BeamTorques& row : test::beam_torques)
      EXPECT_NEAR(beam_torque(run, row.t), rigid ? row.rigid_sections[n] : row.stretch_and_shear[n], 1e-6 * largest)
          << elements << " elements, t = " << row.t;
    for (std::size_t k = 0; k < 3; ++k)
      error[n] = std::hypot(
          error[n], beam_torque(run, test::limit_times[k]) - (rigid ? test::limit_rigid[k] : test::limit_elastic[k]));
  }
  // Linear elements: order 2, of which the step of 2.5 ms takes or adds a little.
  EXPECT_GT(std::log2(error[0] / error[1]), 1.8);
  EXPECT_NEAR(std::log2(error[1] / error[2]), 2.0, 0.25);
}

TEST(BeamTorque, AgreesWithAnotherProgramAndIsOfOrderTwoInTheElements) {
  expect_torques_and_order(BeamKind::rigid_sections);
}

TEST(BeamTorque, AgreesAlsoWithStretchAndShear) { expect_torques_and_order(BeamKind::stretch_and_shear); }

// Oscillations that neither grow nor decay begin at rest: inputs do not depend on when that was, and when the end is.
TEST(BeamTorque, DoesNotDependOnTheTimesOfTheEnds) {
  for (const int elements : {4, 8}) {
    const Inversion run = beam_inputs(elements, BeamKind::stretch_and_shear, false, 0.05, 0.05);
    ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
    for (const auto& [pre, post] : {std::pair(0.05, 0.0925), std::pair(0.1225, 0.05)}) {
      const Inversion other = beam_inputs(elements, BeamKind::stretch_and_shear, false, pre, post);
      ASSERT_EQ(other.summary.status, RunStatus::done) << other.summary.message;
      // What the slowest direction, 48 1/s, leaves after 0.35 s.
      for (double t = -0.2; t < 0.8; t += 0.05)
        EXPECT_NEAR(beam_torque(other, t), beam_torque(run, t), 1e-6 * test::largest_torque_elastic[0]) << t;
    }
  }
}

}  // namespace
}  // namespace invar
