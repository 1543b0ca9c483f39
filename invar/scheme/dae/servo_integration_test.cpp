// Inverse dynamics with the equations of schemes: energy, orders, and what is said of inputs at the nodes.
#include "invar/scheme/dae/servo_integration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/dae/test_servo_cranes.h"
#include "invar/scheme/dae/test_dae_schemes.h"
#include "invar/system/equations.h"
#include "invar/system/state_function.h"

namespace invar {
namespace {

using test::ServoModel;

// Two links that the inputs move directly (index 3): the tip follows a line.
ServoModel arm() {
  System s;
  s.add_coordinate("a");
  s.add_coordinate("b");
  const Exprs q = positions(s);
  const Expr x1 = cos(q[0]), y1 = sin(q[0]), x2 = x1 + cos(q[0] + q[1]), y2 = y1 + sin(q[0] + q[1]);
  s.kinetic = 0.0;
  for (const Expr& place : {x1, y1, x2, y2}) s.kinetic += 0.5 * test::squared(ddt(place));
  s.potential = 9.81 * (y1 + y2);
  s.add_input("A", {1.0, 0.0});
  s.add_input("B", {0.0, 1.0});
  return {s,
          {{"x", x2, {test::rest_to_rest(s.graph, "x", 1.0, 0.2, 1.0)}},
           {"y", y2, {test::rest_to_rest(s.graph, "y", 1.0, 1.2, 1.0)}}},
          test::guess_of({0.0, std::acos(0.0), 19.62, 0.0})};
}

double end_of(const ServoModel& p) { return p.targets[0].follow[0].function->knots().back(); }

DaeMotion run(const ServoModel& p, std::string_view scheme, double h, Level level) {
  static const std::vector<Reference> none;
  DaeMotion motion =
      integrate(ServoSystem{p.system, p.targets, none, level}, test::scheme(scheme), 0.0, end_of(p), h, p.guess);
  EXPECT_TRUE(motion.complete) << scheme << ' ' << h << ": " << motion.fault << " at " << motion.failed_at;
  return motion;
}

State node(const DaeMotion& motion, Eigen::Index k, std::size_t coordinates) {
  State s{motion.t[static_cast<std::size_t>(k)], {}, {}, {}, {}};
  for (Eigen::Index j = 0; j < static_cast<Eigen::Index>(coordinates); ++j) {
    s.q.push_back(motion.value(k, j));
    s.v.push_back(motion.rate(k, j));
  }
  return s;
}

// The mean of two nodes.
State middle(const State& a, const State& b) {
  State m = a;
  for (std::size_t i = 0; i < m.q.size(); ++i) m.q[i] = 0.5 * (a.q[i] + b.q[i]);
  return m;
}

// u · B(q_m) (q1 - q0) in every step, against T1 + V1 - T0 - V0.
void expect_work_is_energy(const ServoModel& p, double h, Level level) {
  const DaeMotion motion = run(p, "energy-momentum", h, level);
  const std::size_t n = p.system.coordinates.size();
  const Equations e = equations(p.system);
  const Exprs energies = {e.kinetic, e.potential};
  StateFunction energy(p.system, energies);
  StateFunction force(p.system, e.applied);  // Bᵀu: nothing else is applied
  // Newton's method leaves rounding in sums of energies and works of the size that they have during the whole motion.
  double size = 0.0, worst = 0.0, moved = 0.0;
  for (Eigen::Index k = 1; k < motion.value.rows(); ++k) {
    const State before = node(motion, k - 1, n), after = node(motion, k, n);
    const Vector u = motion.step_input.row(k - 1).transpose();
    const std::vector<double> f = force(middle(before, after), {u.data(), static_cast<std::size_t>(u.size())});
    double work = 0.0;
    for (std::size_t i = 0; i < n; ++i) work += f[i] * (after.q[i] - before.q[i]);
    const std::vector<double> e0 = energy(before), e1 = energy(after);
    size = std::max({size, std::abs(e1[0]), std::abs(e1[1])});
    worst = std::max(worst, std::abs(e1[0] + e1[1] - e0[0] - e0[1] - work));
    moved = std::max(moved, std::abs(work));
  }
  constexpr double round_off = 1e-12;
  EXPECT_LT(worst, round_off * size) << "h = " << h;
  EXPECT_GT(moved, 1e-4 * size) << "the inputs do work";
}

TEST(EnergyMomentumInversion, WorkOfTheInputsIsTheChangeOfEnergyInEveryStep) {
  for (const double parts : {40.0, 150.0, 600.0}) {
    SCOPED_TRACE(parts);
    for (const ServoModel& p : {test::overhead_crane_model(), test::rotary_crane_model()})
      expect_work_is_energy(p, end_of(p) / parts, Level::velocity);
    expect_work_is_energy(arm(), end_of(arm()) / parts, Level::position);
  }
}

// ---- Orders ----

// The index-1 form is algebraic for flat systems: exact at every node.
DaeMotion exact(const ServoModel& p, double h) {
  const Dae dae = servo(p.system, p.targets);
  return integrate(extend(dae, offsets(signature(dae)), 1, p.guess), test::scheme("implicit-euler"), 0.0, end_of(p), h,
                   p.guess);
}

// Largest error of an input from `since` on, relative to its largest value.
double input_error(const ServoModel& p, const DaeMotion& motion, double h, double since) {
  const DaeMotion wanted = exact(p, h);
  double worst = 0.0;
  for (const Input& u : p.system.inputs) {
    const auto i = static_cast<Eigen::Index>(motion.column(u.name)),
               j = static_cast<Eigen::Index>(wanted.column(u.name));
    const double size = wanted.value.col(j).cwiseAbs().maxCoeff();
    for (Eigen::Index k = 0; k < motion.value.rows(); ++k)
      if (motion.t[static_cast<std::size_t>(k)] >= since)
        worst = std::max(worst, std::abs(motion.value(k, i) - wanted.value(k, j)) / size);
  }
  return worst;
}

double order(const ServoModel& p, std::string_view scheme, Level level, double parts, double since) {
  const double h = end_of(p) / parts;
  return std::log2(input_error(p, run(p, scheme, h, level), h, since) /
                   input_error(p, run(p, scheme, 0.5 * h, level), 0.5 * h, since));
}

TEST(ServoSchemes, AreOfSecondOrderWhereInputsActDirectly) {
  constexpr double tolerance = 0.1;
  for (const Scheme& s : schemes())
    if (s.info.inverse_index > 0) {
      EXPECT_NEAR(order(arm(), s.info.name, Level::position, 200.0, 0.0), 2.0, tolerance) << s.info.name;
    }
}

TEST(ServoSchemes, AreOfSecondOrderOnCranesWithPrescribedVelocities) {
  // Errors that change their sign in every step have amplitudes that are not yet small against those of second order.
  constexpr double tolerance = 0.35;
  for (const std::string_view scheme : {"midpoint", "energy-momentum", "variational-midpoint"}) {
    EXPECT_NEAR(order(test::overhead_crane_model(), scheme, Level::velocity, 400.0, 0.0), 2.0, tolerance) << scheme;
    EXPECT_NEAR(order(test::rotary_crane_model(), scheme, Level::velocity, 400.0, 0.0), 2.0, tolerance) << scheme;
  }
}

TEST(ServoSchemes, GeneralizedAlphaDampsTheErrorOfAKnot) {
  // Over the whole motion of first order, since the fifth derivative of the path jumps at the start; later better.
  const ServoModel p = test::overhead_crane_model();
  EXPECT_NEAR(order(p, "generalized-alpha", Level::velocity, 400.0, 0.0), 1.0, 0.1);
  EXPECT_GT(order(p, "generalized-alpha", Level::velocity, 400.0, 0.3), 2.0);
}

// What servo.h says of positions that are prescribed: the inputs do not converge.
TEST(ServoSchemes, PrescribedPositionsAreTooMuchForMidPointSchemesOnCranes) {
  EXPECT_LT(order(test::overhead_crane_model(), "energy-momentum", Level::position, 200.0, 0.0), 0.1);
}

TEST(ServoSchemes, PositionsOfOutputsFollowTheirTrajectories) {
  const ServoModel crane = test::overhead_crane_model();
  const auto miss = [](const ServoModel& p, std::string_view scheme, double h, Level level) {
    const DaeMotion motion = run(p, scheme, h, level);
    StateFunction outputs(p.system, Exprs{p.targets[0].expr, p.targets[1].expr});
    double worst = 0.0;
    for (Eigen::Index k = 0; k < motion.value.rows(); ++k)
      for (std::size_t i = 0; i < 2; ++i) {
        const State at = node(motion, k, p.system.coordinates.size());
        double wanted[1];
        p.targets[i].follow[0].function->series(at.t, Side::left, wanted);
        worst = std::max(worst, std::abs(outputs(at)[i] - wanted[0]));
      }
    return worst;
  };
  constexpr double round_off = 1e-14, tolerance = 0.1;
  EXPECT_LT(miss(arm(), "energy-momentum", 0.01, Level::position), round_off);
  for (const std::string_view scheme : {"midpoint", "energy-momentum", "generalized-alpha"}) {
    const double coarse = miss(crane, scheme, 0.02, Level::velocity), fine = miss(crane, scheme, 0.01, Level::velocity);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, tolerance) << scheme;
  }
}

TEST(ServoSchemes, RefusePrescribedAccelerations) {
  ServoModel p = arm();
  p.targets[0].expr = at(p.system.coordinates[0], 2);
  EXPECT_THROW(run(p, "energy-momentum", 0.1, Level::position), InputError);
}

// ---- From the middle of steps to nodes ----

TEST(AtNodes, AStraightLineStaysAndWhatChangesItsSignVanishes) {
  const std::vector<double> t = {0.0, 0.5, 1.0, 1.5, 2.0, 2.5}, knots = {0.0, 2.5};
  std::vector<double> in_steps;
  for (std::size_t k = 0; k + 1 < t.size(); ++k)
    in_steps.push_back(3.0 + 2.0 * (t[k] + 0.25) + (k % 2 == 0 ? 0.7 : -0.7));
  const std::vector<double> nodes = at_nodes(t, in_steps, 3.0, knots);
  constexpr double round_off = 1e-14;
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(nodes[k], 3.0 + 2.0 * t[k], round_off);
}

TEST(AtNodes, AKinkAtAKnotStays) {
  const std::vector<double> t = {0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0}, knots = {1.5};
  std::vector<double> in_steps;
  for (std::size_t k = 0; k + 1 < t.size(); ++k) in_steps.push_back(std::abs(t[k] + 0.25 - 1.5));
  const std::vector<double> nodes = at_nodes(t, in_steps, 1.5, knots);
  constexpr double round_off = 1e-14;
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(nodes[k], std::abs(t[k] - 1.5), round_off);
}

TEST(AtNodes, ShortPiecesHaveTheirOwnFormulas) {
  EXPECT_EQ(at_nodes(std::vector{0.0, 1.0}, std::vector{2.0}, 1.0, {}), (std::vector{1.0, 2.0}));
  EXPECT_EQ(at_nodes(std::vector{0.0, 1.0, 2.0}, std::vector{2.0, 4.0}, 1.0, {}), (std::vector{1.0, 3.0, 5.0}));
}

}  // namespace
}  // namespace invar
