// Law of a controller given as a function: the plant does what the inputs that it returned say, sample by sample.
#include "invar/task/control/control_law.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/task/control/control.h"

namespace invar {
namespace {

// A mass on a line: between samples the force is held, so that x₁ = x₀ + h v₀ + h² F/2m, v₁ = v₀ + h F/m exactly.
Problem mass(double m) {
  Problem p;
  p.name = "mass";
  p.system.add_coordinate("x");
  p.system.kinetic = 0.5 * m * pow(velocities(p.system)[0], 2.0);
  p.system.add_input("F", {1.0});
  p.q0 = {1.0};
  p.v0 = {0.0};
  ControlSettings& settings = p.settings.of<ControlSettings>();
  settings.until = 2.0;
  settings.period = 0.05;
  return p;
}

double spring_and_damper(double x, double v) { return -30.0 * x - 8.0 * v; }

TEST(ControlLaw, ThePlantFollowsTheHeldInputs) {
  constexpr double m = 2.0, h = 0.05, round_off = 1e-12;
  int calls = 0;
  const ControlRun run = control(mass(m), [&](const Sample& s, std::span<double> u) {
    ++calls;
    u[0] = spring_and_damper(s.q[0], s.v[0]);
  });
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  ASSERT_EQ(run.trajectory.rows(), 41U);
  EXPECT_EQ(calls, 41) << "once per sample, so that it may remember";
  double x = 1.0, v = 0.0;
  for (std::size_t k = 0; k < run.trajectory.rows(); ++k) {
    const double F = spring_and_damper(x, v);
    EXPECT_NEAR(run.trajectory.value(k, "x"), x, round_off);
    EXPECT_NEAR(run.inputs.value(k, "F"), F, 100.0 * round_off);
    x += h * v + 0.5 * h * h * F / m;
    v += h * F / m;
  }
}

TEST(ControlLaw, LimitsHoldForItToo) {
  Problem p = mass(2.0);
  p.settings.of<ControlSettings>().limits = {{-5.0, 5.0, 1e300}};
  const ControlRun run =
      control(p, [](const Sample& s, std::span<double> u) { u[0] = spring_and_damper(s.q[0], s.v[0]); });
  for (std::size_t k = 0; k < run.inputs.rows(); ++k) EXPECT_LE(std::abs(run.inputs.value(k, "F")), 5.0);
}

TEST(ControlLaw, MayStandAmongTheSettings) {
  Problem p = mass(2.0);
  const ControlLaw law = [](const Sample& s, std::span<double> u) { u[0] = spring_and_damper(s.q[0], s.v[0]); };
  const ControlRun given = control(p, law);
  p.settings.of<ControlSettings>().law = law;
  const ControlRun set = control(p);
  EXPECT_EQ(given.trajectory.values, set.trajectory.values);
}

TEST(ControlLaw, AnInputThatIsNotFiniteEndsTheRun) {
  const ControlRun run =
      control(mass(1.0), [](const Sample& s, std::span<double> u) { u[0] = s.t > 1.0 ? 1.0 / (s.t - s.t) : 0.0; });
  EXPECT_EQ(run.summary.status, RunStatus::failed);
  EXPECT_NE(run.summary.message.find("not finite"), std::string::npos) << run.summary.message;
}

}  // namespace
}  // namespace invar
