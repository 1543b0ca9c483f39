// Stable inversion: the computed torque moves the elastic arm so that its tip follows, from rest to rest.
#include "invar/task/stable_inversion/stable_inversion.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "invar/dae/array_solver.h"
#include "invar/dae/derivative_array.h"
#include "invar/dae/test_servo_systems.h"

namespace invar {
namespace {

using namespace test;

constexpr double share = 0.5, angle = 1.0, duration = 1.5;

using State = std::array<double, 4>;  // a, b, a', b'

// The equations of the arm by hand, solved for the accelerations.
State rate(const State& x, double torque) {
  const double cs = std::cos(x[1]), sn = std::sin(x[1]), a = x[2], b = x[3];
  const double M11 = 5.0 / 3.0 + cs, M12 = 1.0 / 3.0 + 0.5 * cs, M22 = 1.0 / 3.0;
  const double f1 = torque + sn * b * (a + 0.5 * b), f2 = -50.0 * x[1] - 0.25 * b - 0.5 * sn * a * a;
  const double det = M11 * M22 - M12 * M12;
  return {a, b, (M22 * f1 - M12 * f2) / det, (M11 * f2 - M12 * f1) / det};
}

double taylor(const Derivatives& derivatives, double h) {
  double sum = 0.0;
  for (std::size_t k = derivatives.size(); k-- > 0;) sum = derivatives[k] + sum * h / static_cast<double>(k + 1);
  return sum;
}

void classical_runge_kutta(State& x, const Derivatives& torque, double t, double h) {
  const auto shift = [&](const State& k, double by) {
    State y = x;
    for (std::size_t i = 0; i < 4; ++i) y[i] += by * k[i];
    return y;
  };
  const State k1 = rate(x, taylor(torque, t)), k2 = rate(shift(k1, 0.5 * h), taylor(torque, t + 0.5 * h));
  const State k3 = rate(shift(k2, 0.5 * h), taylor(torque, t + 0.5 * h)),
              k4 = rate(shift(k3, h), taylor(torque, t + h));
  for (std::size_t i = 0; i < 4; ++i) x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
}

TEST(StableInversion, TorqueMovesTheElasticArmFromRestToRest) {
  const ServoProblem p = elastic_arm(share, angle, duration);
  const Offsets o = offsets(signature(p.dae));
  const BoundedMotion motion =
      stable_inversion(p.dae, o, {.start = 0.0, .end = duration, .guess = p.guess, .k = 0, .times = {0.3, 0.777}});
  ASSERT_EQ(motion.status, BoundedMotion::Status::converged) << motion.iterations << " " << motion.error;
  EXPECT_EQ(motion.at_start.kind, ZeroDynamics::Kind::unstable);

  JetEvaluator evaluator(p.dae);
  ArraySolver solver(p.dae, o, judge_array(evaluator, o, p.dae, motion.jets.front(), 0));
  State x = {0.0, 0.0, 0.0, 0.0};
  double worst = 0.0, largest_torque = 0.0;
  for (std::size_t n = 0; n + 1 < motion.jets.size(); ++n) {
    Jet jet = motion.jets[n];
    constexpr int orders = 12, substeps = 40;
    solver.lengthen(jet, orders);
    ASSERT_GT(jet.x[2].size(), static_cast<std::size_t>(orders));
    largest_torque = std::max(largest_torque, std::abs(jet.x[2][0]));
    std::vector<double> wanted(1);
    p.dae.references[0].function->series(jet.t, Side::right, wanted);
    worst = std::max(worst, std::abs(x[0] + share * x[1] - wanted[0]));
    const double h = (motion.jets[n + 1].t - jet.t) / substeps;
    for (int i = 0; i < substeps; ++i) classical_runge_kutta(x, jet.x[2], i * h, h);
  }
  constexpr double followed = 1e-7;  // Runge-Kutta of order four with 2000 steps per second
  EXPECT_LT(worst, followed);
  EXPECT_NEAR(x[0], angle, followed);
  EXPECT_NEAR(x[1], 0.0, followed);
  // The rigid arm would need 8/3 times the largest acceleration of the tip, about 11 N m; the spring stores the rest.
  EXPECT_LT(largest_torque, 20.0);
}

TEST(StableInversion, NeedsNoPreActuationWhereTheInternalDynamicsIsStable) {
  const ServoProblem p = elastic_arm(0.3, angle, duration);
  const BoundedMotion motion = stable_inversion(p.dae, offsets(signature(p.dae)), {.end = duration, .guess = p.guess});
  ASSERT_EQ(motion.status, BoundedMotion::Status::converged);
  EXPECT_EQ(motion.pre_actuation, 0.0);
  EXPECT_GT(motion.post_actuation, 0.0);
}

}  // namespace
}  // namespace invar
