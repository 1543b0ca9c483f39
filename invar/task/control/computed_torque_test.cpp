// Computed torque by implicit Euler on masses and springs, whose samples can be computed by hand.
#include "invar/task/control/controllers.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/task/control/control.h"
#include "invar/task/control/controllers.h"
#include "invar/task/control/sampled_loop.h"

namespace invar {
namespace {

constexpr double rounding = 1e-11;       // of one sample: Newton's method on linear equations, inputs up to 1e3
constexpr double by_differences = 1e-7;  // of an eigenvalue from central differences with 1e-6

constexpr double m = 2.0, m2 = 0.5, k = 30.0, kp = 40.0, kd = 9.0, kp2 = 3.0, kd2 = 0.2, h = 0.02;

// A driven mass x whose position is the output.
Problem mass(const std::string& potential, const std::string& trajectory) {
  return read_problem_text(R"toml(name = "mass"
[parameters]
m = 2.0
k = 30.0
[system]
coordinates = ["x"]
kinetic = "m/2*x'^2"
potential = ")toml" + potential +
                               R"toml("
[[system.input]]
name = "F"
force = { x = "1" }
[[system.output]]
name = "position"
expr = "x"
[[trajectory]]
outputs = ["position"]
)toml" + trajectory + R"toml(
[initial]
x = 0.0
[control]
controller = "computed-torque"
scheme = "radau5"
substeps = 4
period = 0.02
until = 1.0
proportional = { x = 40.0 }
derivative = { x = 9.0 }
)toml",
                           "mass.toml");
}

// The driven mass pulls a second one, z, by a spring; nothing prescribes where that is.
Problem two_masses(const std::string& gains) {
  return read_problem_text(R"toml(name = "two masses"
[parameters]
m = 2.0
m2 = 0.5
k = 30.0
[system]
coordinates = ["x", "z"]
kinetic = "m/2*x'^2 + m2/2*z'^2"
potential = "k/2*(x - z)^2"
[[system.input]]
name = "F"
force = { x = "1" }
[[system.output]]
name = "position"
expr = "x"
[[trajectory]]
outputs = ["position"]
expr = ["0"]
[initial]
x = 0.0
z = 0.0
[control]
controller = "computed-torque"
scheme = "radau5"
substeps = 4
period = 0.02
until = 1.0
)toml" + gains,
                           "two_masses.toml");
}

// exp(A h) of a small matrix by its series.
Eigen::MatrixXd exponential(const Eigen::MatrixXd& a) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Identity(a.rows(), a.cols()), term = sum;
  for (int i = 1; i < 30; ++i) {
    term = term * a / i;
    sum += term;
  }
  return sum;
}

// From one sample to the next of x' = A x + b u with the held u = -K x: the upper left block of exp([A b; 0 0] h), less
// its right column times K.
Eigen::MatrixXd sampled(const Eigen::MatrixXd& a, const Eigen::VectorXd& b, const Eigen::RowVectorXd& gain) {
  const Eigen::Index n = a.rows();
  Eigen::MatrixXd both = Eigen::MatrixXd::Zero(n + 1, n + 1);
  both.topLeftCorner(n, n) = a;
  both.topRightCorner(n, 1) = b;
  const Eigen::MatrixXd map = exponential(both * h);
  return map.topLeftCorner(n, n) - map.topRightCorner(n, 1) * gain;
}

double radius(const Eigen::MatrixXd& map) { return map.eigenvalues().cwiseAbs().maxCoeff(); }

TEST(ComputedTorque, ADrivenMassHasTheEigenvaluesOfItsSampledFeedback) {
  // The wanted state stands still, so F = -K_P x - K_D x', held for a sample.
  Eigen::Matrix2d map;
  map << 1.0 - h * h * kp / (2.0 * m), h - h * h * kd / (2.0 * m), -h * kp / m, 1.0 - h * kd / m;
  const LoopStability found = loop_stability(mass("0", "expr = [\"0\"]"));
  EXPECT_EQ(found.trouble, "");
  EXPECT_NEAR(found.spectral_radius, radius(map), by_differences);
}

TEST(ComputedTorque, TooMuchDampingForTheirPeriodMakesLoopsUnstable) {
  // K_D h/m = 2 is the limit without K_P: then v changes its sign in every sample.
  for (const double share : {0.9, 1.2}) {
    Problem p = mass("0", "expr = [\"0\"]");
    p.settings.of<ControlSettings>().proportional = {0.0};
    p.settings.of<ControlSettings>().derivative = {share * 2.0 * m / h};
    EXPECT_NEAR(loop_stability(p).spectral_radius, std::max(1.0, 2.0 * share - 1.0), by_differences);
    std::vector<std::string> warnings;
    check_loop(p, warnings);
    EXPECT_EQ(warnings.size(), share > 1.0 ? 1u : 0u);
  }
}

TEST(ComputedTorque, AMassOnASpringHasTheEigenvaluesOfItsSampledFeedback) {
  // At the wanted place x = 0.1 the input holds the spring; around it, the spring acts all the time and the feedback is
  // held.
  Eigen::Matrix2d a;
  a << 0.0, 1.0, -k / m, 0.0;
  const LoopStability found = loop_stability(mass("k/2*x^2", "expr = [\"0.1\"]"));
  EXPECT_NEAR(found.spectral_radius, radius(sampled(a, Eigen::Vector2d(0.0, 1.0 / m), Eigen::RowVector2d(kp, kd))),
              by_differences);
  ASSERT_EQ(found.inputs.size(), 1u);
  EXPECT_NEAR(found.inputs[0], 0.1 * k, rounding);
}

TEST(ComputedTorque, WhatTheOutputsLeaveFreeMovesAsImplicitEulerSays) {
  // With x = 0 wanted: m2 (y - y₀)/h = -k z, z = z₀ + h y, and the input holds the spring.
  const Problem p = two_masses("");
  const std::unique_ptr<Controller> controller = make_controller(p);
  double z = 0.01, y = -0.3;
  controller->remember(std::vector<double>{0.0, z, 0.0, y});
  const std::vector<double> q = {0.0, 0.5}, v = {0.0, 0.0}, held = {0.0};
  for (int i = 0; i < 20; ++i) {
    const double next = (z + h * y) / (1.0 + h * h * k / m2);
    y = (next - z) / h;
    z = next;
    double u = 0.0;
    ASSERT_TRUE(controller->sample({h * i, q, v, held}, {&u, 1})) << controller->fault();
    const std::vector<double> memory = controller->memory();
    EXPECT_NEAR(memory[1], z, rounding);
    EXPECT_NEAR(memory[3], y, rounding);
    EXPECT_NEAR(u, -k * z, rounding * k);
  }
}

TEST(ComputedTorque, GainsActOnAllCoordinates) {
  const Problem p = two_masses("proportional = { x = 40, z = 3 }\nderivative = { x = 9, z = 0.2 }\n");
  const std::unique_ptr<Controller> controller = make_controller(p);
  const double z0 = 0.02, y0 = 0.1, x = 0.03, zm = -0.04, v = 0.5, vz = -0.7;
  controller->remember(std::vector<double>{0.0, z0, 0.0, y0});
  const std::vector<double> q = {x, zm}, rates = {v, vz}, held = {0.0};
  double u = 0.0;
  ASSERT_TRUE(controller->sample({0.0, q, rates, held}, {&u, 1}));
  // m2 ((z - z₀)/h - y₀)/h = -k z - K_P (z - z_m) - K_D ((z - z₀)/h - v_z)
  const double z = (m2 / (h * h) * (z0 + h * y0) + kp2 * zm + kd2 * (z0 / h + vz)) / (m2 / (h * h) + k + kp2 + kd2 / h);
  EXPECT_NEAR(controller->memory()[1], z, rounding);
  EXPECT_NEAR(u, -k * z - kp * x - kd * v, rounding * k);
}

TEST(ComputedTorque, TheLoopHasTheModesOfThePlantAndOfTheWantedMotion) {
  // Without gains on z, the wanted motion of z does not see the plant: the modes are those of the plant under the
  // feedback of x, and those of implicit Euler, 1/√(1 + h²k/m2) in size.
  Eigen::Matrix4d a;
  a << 0, 0, 1, 0, 0, 0, 0, 1, -k / m, k / m, 0, 0, k / m2, -k / m2, 0, 0;
  const Eigen::MatrixXd plant =
      sampled(a, Eigen::Vector4d(0.0, 0.0, 1.0 / m, 0.0), Eigen::RowVector4d(kp, 0.0, kd, 0.0));
  const double wanted = 1.0 / std::sqrt(1.0 + h * h * k / m2);
  const LoopStability found = loop_stability(two_masses("proportional = { x = 40 }\nderivative = { x = 9 }\n"));
  EXPECT_NEAR(found.spectral_radius, std::max(wanted, radius(plant)), by_differences);
}

TEST(ComputedTorque, TheCornerOfARampTakesOneSample) {
  // The speed s must be reached within a sample: F = m s/h, then nothing more, as long as no feedback answers
  // that the plant lags half a sample behind.
  Problem p = mass("0", "from = [0.0]\nto = [0.6]\nstart = 0.1\nduration = 0.4\nprofile = \"linear\"");
  p.settings.of<ControlSettings>().proportional = p.settings.of<ControlSettings>().derivative = {0.0};
  const ControlRun run = control(p);
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  const std::vector<double> u = run.inputs.column("F"), t = run.inputs.column("t");
  const double force = m * (0.6 / 0.4) / h;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const bool begins = std::abs(t[i] - 0.12) < 1e-9, ends = std::abs(t[i] - 0.52) < 1e-9;
    EXPECT_NEAR(u[i], begins ? force : ends ? -force : 0.0, rounding * force / h) << t[i];
  }
}

TEST(ComputedTorque, NeedsAnOutputForEveryInput) {
  Problem p = two_masses("");
  p.system.inputs.push_back(p.system.inputs.front());
  EXPECT_THROW(make_controller(p), InputError);
}

}  // namespace
}  // namespace invar
