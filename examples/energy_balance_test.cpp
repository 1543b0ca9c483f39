// Work and dissipation against energy: a scheme that keeps the energy of a free system also accounts for every joule
// that torques bring in and friction takes out [Yang 2017, section 3.5; Siebert 2012, sections 4.3 and 4.4].
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "examples/compare.h"
#include "invar/read/read_problem.h"
#include "invar/task/simulate/simulate.h"

namespace invar::examples {
namespace {

constexpr double round_off = 1e-10;  // of a balance, relative to the energy that is turned over

Trajectory run(const fs::path& model, const std::string& method, double step) {
  Problem problem = read_problem(folder / model);
  problem.settings.of<SimulateSettings>().method = method;
  problem.settings.of<SimulateSettings>().step = step;
  problem.settings.of<SimulateSettings>().every = 1;
  const Simulation result = simulate(problem);
  EXPECT_EQ(result.summary.status, RunStatus::done) << result.summary.message;
  return result.trajectory;
}

// Largest error of T + V - M (β - β₀).
double error_of_squeezer(const std::string& method) {
  constexpr double torque = 0.033, step = 3e-4;
  const Trajectory motion = run("andrews_bodies/model.toml", method, step);
  Deviation worst;
  for (std::size_t i = 0; i < motion.rows(); ++i) {
    const double energy = motion.value(i, "energy.total") - motion.value(0, "energy.total");
    worst.meet(motion.value(i, "t"), energy - torque * (motion.value(i, "beta") - motion.value(0, "beta")));
  }
  return worst.amount;
}

TEST(EnergyBalance, ConstantTorqueOnTheSqueezer) {
  constexpr double turned_over = 1.5;  // J
  EXPECT_LE(error_of_squeezer("energy-momentum"), round_off * turned_over);
}

TEST(EnergyBalance, OtherSchemesOfSecondOrderMissItVisiblyOnTheSqueezer) {
  constexpr double visible = 0.02;  // J, more than 1 % of what is turned over
  EXPECT_GE(error_of_squeezer("variational"), visible);
  EXPECT_GE(error_of_squeezer("generalized-alpha"), visible);
}

using Matrix = Eigen::Matrix3d;

// The axes of a body as columns.
Matrix axes(const Trajectory& motion, std::size_t row, const std::string& body) {
  Matrix r;
  for (int d = 0; d < 3; ++d)
    for (int c = 0; c < 3; ++c)
      r(c, d) = motion.value(row, body + ".d" + std::to_string(d + 1) + "." + std::string(1, "xyz"[c]));
  return r;
}

// ω = ½ Σ dⁱ × (d_i)' in the middle of a step, with the contravariant axes R⁻ᵀ of the mean ones.
Eigen::Vector3d spin(const Matrix& r0, const Matrix& r1, double step) {
  const Matrix contra = (0.5 * (r0 + r1)).inverse().transpose(), rate = (r1 - r0) / step;
  Eigen::Vector3d omega = Eigen::Vector3d::Zero();
  for (int i = 0; i < 3; ++i) omega += 0.5 * contra.col(i).cross(rate.col(i));
  return omega;
}

// T + D with D = Σ h k ν² of all three bearings; ν is the relative spin about the axle, which the satellite carries.
TEST(EnergyBalance, BearingFrictionOfTheRotors) {
  constexpr double friction = 100.0, turned_over = 2207.0;  // N m s, J
  for (const std::string method : {"energy-momentum", "reduced-energy-momentum"})
    for (const double step : {0.5, 0.1, 0.05}) {
      const Trajectory motion = run("satellite_rotors/friction.toml", method, step);
      double dissipated = 0.0;
      for (std::size_t i = 1; i < motion.rows(); ++i) {
        const Matrix r0 = axes(motion, i - 1, "satellite"), r1 = axes(motion, i, "satellite");
        const Matrix contra = (0.5 * (r0 + r1)).inverse().transpose();
        for (int axle = 0; axle < 3; ++axle) {
          const std::string rotor = "rotor" + std::to_string(axle + 1);
          const Eigen::Vector3d relative =
              spin(axes(motion, i - 1, rotor), axes(motion, i, rotor), step) - spin(r0, r1, step);
          dissipated += friction * std::pow(contra.col(axle).dot(relative), 2) * step;
        }
      }
      const double energy = motion.value(motion.rows() - 1, "energy.total") - motion.value(0, "energy.total");
      EXPECT_NEAR(energy + dissipated, 0.0, round_off * turned_over) << method << ", h = " << step;
    }
}

}  // namespace
}  // namespace invar::examples
