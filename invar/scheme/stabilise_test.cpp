// Laws of stabilisation: velocities stay on the constraints, and what the scheme keeps without it it keeps with it.
#include "invar/scheme/stabilise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/scheme/steps/stepper.h"
#include "invar/scheme/test_systems.h"
#include "invar/system/start/start.h"

namespace invar {
namespace {

using test::squared;

// Two masses on rods in space, the second one on the first.
test::TestSystem spherical_double_pendulum() {
  System s;
  for (const char* name : {"x1", "y1", "z1", "x2", "y2", "z2"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  for (std::size_t i = 0; i < 6; ++i) s.kinetic += 0.5 * (i < 3 ? 1.0 : 2.0) * squared(v[i]);
  s.potential = 9.81 * (q[2] + 2.0 * q[5]);
  s.add_constraint("upper", 0.5 * (squared(q[0]) + squared(q[1]) + squared(q[2]) - 1.0));
  s.add_constraint("lower", 0.5 * (squared(q[3] - q[0]) + squared(q[4] - q[1]) + squared(q[5] - q[2]) - 1.0));
  s.invariants = {{"Lz", q[0] * v[1] - q[1] * v[0] + 2.0 * (q[3] * v[4] - q[4] * v[3])}};
  return {"double", s, {1.0, 0.0, 0.0, 1.0, 1.0, 0.0}, {0.0, 1.0, 0.5, -1.0, 1.0, 0.0}, 2.0, 0.02};
}

// A pendulum with its angle as a further coordinate, which has no mass.
test::TestSystem pendulum_with_angle() {
  test::TestSystem t = test::pendulum();
  t.system.add_coordinate("angle");
  const Exprs q = positions(t.system);
  t.system.add_constraint("angle", q[0] * cos(q[2]) + q[1] * sin(q[2]));
  t.q0.push_back(std::atan2(0.6, 0.8));
  t.v0.push_back(1.0);
  return t;
}

struct Kept {
  double energy = 0.0, momentum = 0.0, velocity = 0.0;  // largest changes; largest violation
  std::vector<double> end;
};

Kept run(const test::TestSystem& t, double h, int steps, bool stabilised) {
  StepperOptions options;
  options.scheme.stabilise = stabilised;
  Stepper stepper(t.system, *find_scheme("energy-momentum"), options);
  const State start = consistent_start(t.system, {0.0, t.q0, t.v0, {}, {}}).state;
  stepper.start(start, h);
  Exprs quantities = {t.system.kinetic + t.system.potential,
                      t.system.invariants.empty() ? Expr(0.0) : t.system.invariants[0].expr};
  for (const Expr& rate : equations(t.system).constraint_rate) quantities.push_back(rate);
  StateFunction values(t.system, quantities);
  const std::vector<double> first = values(start);
  Kept kept;
  for (int k = 0; k < steps; ++k) {
    EXPECT_EQ(stepper.advance(h, [](double, std::span<double>) {}).status, NewtonStatus::converged) << t.name << k;
    const State now = {
        stepper.t(), {stepper.q().begin(), stepper.q().end()}, {stepper.v().begin(), stepper.v().end()}, {}, {}};
    const std::vector<double> x = values(now);
    kept.energy = std::max(kept.energy, std::abs(x[0] - first[0]));
    kept.momentum = std::max(kept.momentum, std::abs(x[1] - first[1]));
    for (std::size_t i = 2; i < x.size(); ++i) kept.velocity = std::max(kept.velocity, std::abs(x[i]));
    kept.end = now.q;
  }
  return kept;
}

TEST(Stabilise, KeepsEnergyMomentumAndVelocities) {
  constexpr double round_off = 1e-10;  // hundreds of coarse steps of a motion of about 50 J
  for (const test::TestSystem& t : {spherical_double_pendulum(), pendulum_with_angle()}) {
    const Kept kept = run(t, 2.0 * t.step, 200, true), plain = run(t, 2.0 * t.step, 200, false);
    EXPECT_LT(kept.energy, round_off) << t.name;
    EXPECT_LT(kept.momentum, round_off) << t.name;
    EXPECT_LT(kept.velocity, round_off) << t.name;
    EXPECT_GT(plain.velocity, 1e-3) << t.name << ": or stabilisation would prove nothing";
  }
}

TEST(Stabilise, IsOfTheSameOrder) {
  const test::TestSystem t = spherical_double_pendulum();
  const auto end = [&](int halvings) {
    return run(t, t.step / (1 << halvings), static_cast<int>(std::lround(0.5 / t.step)) << halvings, true).end;
  };
  const auto distance = [](const std::vector<double>& x, const std::vector<double>& y) {
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return std::sqrt(sum);
  };
  const auto coarse = end(0), middle = end(1), fine = end(2);
  EXPECT_NEAR(std::log2(distance(coarse, middle) / distance(middle, fine)), 2.0, 0.15);
}

TEST(Stabilise, SaysWhereItCannotKeepThem) {
  const SchemeInfo& info = find_scheme("energy-momentum")->info;
  EXPECT_TRUE(keeps_invariants_stabilised(pendulum_with_angle().system, info));
  EXPECT_FALSE(keeps_invariants_stabilised(test::turning_arm().system, info)) << "the mass matrix is not constant";
  EXPECT_FALSE(keeps_invariants_stabilised(test::pendulum().system, find_scheme("bdf2")->info));
}

}  // namespace
}  // namespace invar
