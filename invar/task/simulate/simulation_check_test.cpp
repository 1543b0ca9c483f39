// Laws of the judgement: divergence and violation are failures in every unit, forces may do work, good motions pass.
#include "invar/task/simulate/simulation_check.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/record/observer.h"
#include "invar/scheme/test_systems.h"
#include "invar/task/simulate/simulate.h"

namespace invar {
namespace {

Problem checked_problem(const test::TestSystem& t, const std::string& method = "auto") {
  Problem p;
  p.name = t.name;
  p.system = t.system;
  p.q0 = t.q0;
  p.v0 = t.v0;
  p.settings.of<SimulateSettings>().until = t.duration;
  p.settings.of<SimulateSettings>().step = t.step;
  p.settings.of<SimulateSettings>().method = method;
  return p;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A mass on a spring of 1000 rad/s.
test::TestSystem stiff(double duration, double step) {
  System s;
  s.add_coordinate("x");
  s.kinetic = 0.5 * test::squared(velocities(s)[0]);
  s.potential = 0.5e6 * test::squared(positions(s)[0]);
  return {"stiff", s, {1.0}, {0.0}, duration, step};
}

TEST(Judgement, NumbersThatAreNotFiniteFailByNameAndTime) {
  const Simulation run = simulate(checked_problem(stiff(3.0, 0.1), "lie-rk4"));
  EXPECT_EQ(run.summary.status, RunStatus::failed);
  EXPECT_EQ(run.summary.message,
            "energy.kinetic is not finite at t = 2.3 s: the motion has diverged or a formula has no value there; try a "
            "smaller --step or an implicit method such as energy-momentum");
  EXPECT_EQ(run.trajectory.rows(), 23U) << "what was computed is kept";
  for (const double x : run.trajectory.values) EXPECT_TRUE(std::isfinite(x));
}

TEST(Judgement, DivergenceFailsWhileStillFinite) {
  for (const char* method : {"lie-rk4", "lie-euler", "variational"}) {
    const Simulation run = simulate(checked_problem(stiff(0.4, 0.1), method));
    EXPECT_EQ(run.summary.status, RunStatus::failed) << method;
    EXPECT_TRUE(contains(run.summary.message, "the motion has diverged: by t = ")) << run.summary.message;
  }
  EXPECT_EQ(simulate(checked_problem(stiff(0.4, 0.1))).summary.status, RunStatus::done);
}

TEST(Judgement, DampedAndDrivenMotionsDivergeToo) {
  test::TestSystem t = stiff(0.5, 0.1);
  t.system.forces[0] = -10.0 * velocities(t.system)[0];
  EXPECT_EQ(simulate(checked_problem(t, "lie-rk4")).summary.status, RunStatus::failed);
  EXPECT_EQ(simulate(checked_problem(t, "radau5")).summary.status, RunStatus::done);
}

// A mass that a force sets in motion: all of its energy is work.
TEST(Judgement, ForcesMayDoWork) {
  System s;
  s.add_coordinate("x");
  s.kinetic = 0.5 * test::squared(velocities(s)[0]);
  s.add_input("F", {1.0});
  Problem p = checked_problem({"pushed", s, {0.0}, {0.0}, 1.0, 0.01});
  const Expr t = s.graph.time();
  for (const Expr& push : {Expr(5.0), 100.0 * exp(-pow((t - 0.505) / 0.002, 2.0)), 3.0 * sin(40.0 * t)})
    for (const char* method : {"energy-momentum", "radau5", "lie-rk4"}) {
      p.settings.of<SimulateSettings>().method = method;
      p.settings.of<SimulateSettings>().inputs = {{"F", push, {}, {}}};
      const Simulation run = simulate(p);
      EXPECT_EQ(run.summary.status, RunStatus::done) << method << ": " << run.summary.message;
      EXPECT_TRUE(run.summary.warnings.empty()) << run.summary.warnings.front();
    }
}

// A pendulum of any size, judged after one row has been pulled off its circle.
TEST(Judgement, ViolatedConstraintsFailInEveryUnit) {
  for (const double length : {1e-6, 1.0, 1e6}) {
    test::TestSystem t = test::pendulum();
    const Exprs q = positions(t.system);
    t.system.constraints[0].expr = 0.5 * (test::squared(q[0]) + test::squared(q[1]) - length * length);
    for (double& x : t.q0) x *= length;
    for (double& v : t.v0) v *= length;
    t.system.potential = 9.81 * length * q[1];
    const Simulation run = simulate(checked_problem(t));
    ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
    const Observer observer(t.system);
    Trajectory spoilt = run.trajectory;
    const auto judged = [&] {
      return judge({t.system, {}, spoilt, observer.conserved(), {}, false},
                   promise_of(find_scheme("energy-momentum")->info, 1e-12));
    };
    EXPECT_EQ(judged().failure, "");
    const std::size_t row = 20, x = spoilt.index("x");
    spoilt.values[row * spoilt.columns.size() + x] *= 1.01;
    EXPECT_TRUE(contains(judged().failure, "constraint \"rod\" is violated by ")) << judged().failure;
    EXPECT_TRUE(contains(judged().failure, " at t = 0.4 s, ")) << judged().failure;
  }
}

TEST(Judgement, WhatASchemeKeepsMustBeKept) {
  const test::TestSystem t = test::turning_arm();
  const Simulation run = simulate(checked_problem(t));
  ASSERT_EQ(run.summary.status, RunStatus::done);
  const Observer observer(t.system);
  for (const char* column : {"energy.total", "momentum.phi"}) {
    Trajectory spoilt = run.trajectory;
    const std::size_t place = 10 * spoilt.columns.size();
    if (std::string(column) == "energy.total") spoilt.values[place + spoilt.index("energy.kinetic")] *= 1.05;
    spoilt.values[place + spoilt.index(column)] *= 1.05;
    const Judgement j = judge({t.system, {}, spoilt, observer.conserved(), {}, false},
                              promise_of(find_scheme("energy-momentum")->info, 1e-12));
    EXPECT_TRUE(contains(j.failure, "though the system conserves it")) << column << ": " << j.failure;
  }
}

TEST(Judgement, SchemesThatDampSaySo) {
  const Simulation run = simulate(checked_problem(test::pendulum(), "implicit-euler"));
  EXPECT_EQ(run.summary.status, RunStatus::done);
  ASSERT_FALSE(run.summary.warnings.empty());
  EXPECT_TRUE(contains(run.summary.warnings[0], "the energy changes by ")) << run.summary.warnings[0];
}

TEST(Judgement, GoodMotionsPassWithoutAWord) {
  for (const test::TestSystem& t : test::all_systems()) {
    const Simulation run = simulate(checked_problem(t, "radau5"));
    EXPECT_EQ(run.summary.status, RunStatus::done) << t.name << ": " << run.summary.message;
    EXPECT_TRUE(run.summary.warnings.empty()) << t.name << ": " << run.summary.warnings.front();
  }
  for (const test::TestSystem& t : {test::chain(2, false), test::chain(20, true), test::prestressed()}) {
    const Simulation run = simulate(checked_problem(t));
    EXPECT_EQ(run.summary.status, RunStatus::done) << t.name << ": " << run.summary.message;
    EXPECT_TRUE(run.summary.warnings.empty()) << t.name << ": " << run.summary.warnings.front();
  }
}

// A bead on a turning arm that a curved rail lifts: the mass matrix is not constant.
TEST(Judgement, StabilisationThatCostsEnergySaysHowMuch) {
  test::TestSystem t = test::turning_arm();
  t.system.add_coordinate("z");
  const Exprs q = positions(t.system);
  t.system.kinetic += 0.5 * test::squared(velocities(t.system)[2]);
  t.system.add_constraint("rail", q[2] - 0.5 * test::squared(q[1]));
  t.q0.push_back(0.72);
  t.v0.push_back(0.24);
  Problem p = checked_problem(t);
  p.settings.of<SimulateSettings>().stabilise = true;
  const Simulation run = simulate(p);
  EXPECT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  ASSERT_EQ(run.summary.warnings.size(), 1U);
  EXPECT_TRUE(contains(run.summary.warnings[0],
                       "stabilise: with this mass matrix energy-momentum does not keep energy and momenta exactly: "
                       "energy changed by "))
      << run.summary.warnings[0];
}

// Two springs in series with a massless node between them: x = cos ωt with ω² = k/2, and the node follows at half of
// it.
Problem springs(double node) {
  System s;
  s.add_coordinate("a");
  s.add_coordinate("x");
  const Exprs q = positions(s);
  s.kinetic = 0.5 * test::squared(velocities(s)[1]);
  s.potential = 50.0 * test::squared(q[0]) + 50.0 * test::squared(q[1] - q[0]);
  return checked_problem({"springs", s, {node, 1.0}, {0.0, 0.0}, 0.5, 0.001});
}

TEST(Judgement, AMasslessNodeFollowsTheClosedForm) {
  const Simulation run = simulate(springs(0.6));
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  ASSERT_EQ(run.summary.initial_changes.size(), 1U);
  EXPECT_EQ(run.summary.initial_changes[0].name, "a");
  const double second_order = 1e-4;  // h² ω³ t/24
  for (std::size_t r = 0; r < run.trajectory.rows(); ++r) {
    const double x = std::cos(std::sqrt(50.0) * run.trajectory.value(r, "t"));
    EXPECT_NEAR(run.trajectory.value(r, "x"), x, second_order);
    EXPECT_NEAR(run.trajectory.value(r, "a"), 0.5 * x, second_order);
  }
}

TEST(Judgement, AMasslessNodeThatZigzagsFails) {
  const Problem p = springs(0.5);
  Trajectory zigzag = simulate(p).trajectory;
  const std::size_t a = zigzag.index("a");
  for (std::size_t r = 0; r < zigzag.rows(); ++r)
    zigzag.values[r * zigzag.columns.size() + a] += r % 2 == 0 ? 0.1 : -0.1;
  const Observer observer(p.system);
  const Judgement j = judge({p.system, {}, zigzag, observer.conserved(), {}, true},
                            promise_of(find_scheme("energy-momentum")->info, 1e-12));
  EXPECT_TRUE(contains(j.failure, "coordinate \"a\" has no mass, but the forces on it do not balance")) << j.failure;
}

// A step of the input shifts the balance: the default scheme goes on about it, one that damps does not.
TEST(Judgement, AJumpThatSetsAMasslessNodeOscillatingIsTold) {
  Problem p = springs(0.5);
  p.system.add_input("F", {1.0, 0.0});
  p.settings.of<SimulateSettings>().step = 0.01;
  p.settings.of<SimulateSettings>().inputs = {{"F", std::nullopt, {0.0, 0.1, 0.1001, 1.0}, {0.0, 0.0, 50.0, 50.0}}};
  EXPECT_EQ(simulate(p).summary.status, RunStatus::failed);
  p.settings.of<SimulateSettings>().method = "radau5";
  EXPECT_EQ(simulate(p).summary.status, RunStatus::done);
}

}  // namespace
}  // namespace invar
