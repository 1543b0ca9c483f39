// Laws of optimal control: exact optima of a mass on a line, derivatives against differences, replay, and wishes that
// cannot be met.
#include "invar/task/optimize/optimize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "invar/base/error.h"
#include "invar/model/trajectory/profile.h"
#include "invar/task/optimize/first_guess.h"
#include "invar/task/optimize/prepare_optimum.h"
#include "invar/task/transcription/transcription.h"

namespace invar {
namespace {

constexpr double solver_error =
    1e-7;  // of a cost, where bounds are active: the interior-point method stays a little inside

Expr squared(const Expr& x) { return x * x; }

// A unit mass on a line that a force u shall move by 1 from rest to rest.
Problem mass_on_a_line(int intervals) {
  Problem p;
  p.name = "mass";
  System& s = p.system;
  s.add_coordinate("x");
  s.kinetic = 0.5 * squared(velocities(s)[0]);
  s.potential = 0.0;
  s.add_input("u", {1.0});
  p.q0 = p.v0 = {0.0};
  OptimizeSettings& o = p.settings.of<OptimizeSettings>();
  o.intervals = intervals;
  o.final = {{"x", positions(s)[0], 1.0, 1.0}};
  o.rest = true;
  return p;
}

// A pendulum in Cartesian coordinates on a cart that a force F pulls.
Problem cart() {
  Problem p;
  p.name = "cart";
  System& s = p.system;
  for (const char* name : {"s", "x", "y"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (3.0 * squared(v[0]) + squared(v[1]) + squared(v[2]));
  s.potential = 9.81 * q[2];
  s.add_constraint("rod", 0.5 * (squared(q[1] - q[0]) + squared(q[2]) - 1.0));
  s.add_input("F", {1.0, 0.0, 0.0});
  p.q0 = {0.0, 0.0, -1.0};
  p.v0 = {0.0, 0.0, 0.0};
  OptimizeSettings& o = p.settings.of<OptimizeSettings>();
  o.horizon = o.shortest = o.longest = 2.0;
  o.intervals = 20;
  o.final = {{"s", q[0], 1.0, 1.0}, {"x", q[1], 1.0, 1.0}};
  o.rest = true;
  return p;
}

void expect_optimal(const Optimum& found) {
  constexpr double same_motion = 1e-8;  // two ways to solve the same equations
  ASSERT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  ASSERT_TRUE(found.summary.part<OptimizationSummary>());
  ASSERT_TRUE(found.summary.part<OptimizationSummary>()->replay);
  EXPECT_LE(*found.summary.part<OptimizationSummary>()->replay, same_motion);
}

TEST(Optimize, LeastEffortOfAMassIsThatOfTheExactDiscreteOptimum) {
  // With u constant in N intervals of size 1/N: u_k ∝ (N-1)/2 - k, and ½∫u² dt = 6 N²/(N²-1).
  for (const int n : {2, 5, 40}) {
    const Optimum found = optimize(mass_on_a_line(n));
    expect_optimal(found);
    const double exact = 6.0 * n * n / (static_cast<double>(n) * n - 1.0);
    EXPECT_NEAR(found.summary.part<OptimizationSummary>()->cost, exact, 1e-9 * exact);
  }
}

TEST(Optimize, ShortestTimeOfAMassIsBangBang) {
  // |u| ≤ 1: full force forth for 1 s, full force back for 1 s.
  Problem p = mass_on_a_line(10);
  OptimizeSettings& o = p.settings.of<OptimizeSettings>();
  o.cost = Expr(1.0);
  o.shortest = 0.5;
  o.longest = 5.0;
  o.horizon = 2.5;
  o.bounds = {{"u", inputs(p.system)[0], -1.0, 1.0}};
  const Optimum found = optimize(p);
  expect_optimal(found);
  EXPECT_NEAR(found.summary.part<OptimizationSummary>()->horizon, 2.0, solver_error);
  EXPECT_NEAR(found.inputs.value(0, "u"), 1.0, 1e-6);
  EXPECT_NEAR(found.inputs.value(9, "u"), -1.0, 1e-6);
  EXPECT_EQ(found.summary.part<OptimizationSummary>()->active_bounds.size(), 2u);
}

TEST(Optimize, EndCostReplacesAFinalValue) {
  // ½∫u² + ½ w (x(1) - 1)² with rest: the way d minimises J₁d² + ½ w (d - 1)², J₁ = 6 N²/(N²-1), so d = w/(2 J₁ + w).
  Problem p = mass_on_a_line(8);
  const Expr x = positions(p.system)[0];
  p.settings.of<OptimizeSettings>().final.clear();
  p.settings.of<OptimizeSettings>().end_cost = 0.5 * 10.0 * squared(x - 1.0);
  const Optimum found = optimize(p);
  expect_optimal(found);
  const double unit = 6.0 * 64.0 / 63.0;
  EXPECT_NEAR(found.trajectory.value(8, "x"), 10.0 / (2.0 * unit + 10.0), 1e-9);
}

TEST(Optimize, MotionsWithConstraintsStayOnThemAndBalanceEnergy) {
  const Optimum found = optimize(cart());
  expect_optimal(found);
  EXPECT_LE(found.summary.part<OptimizationSummary>()->energy_balance_relative, 1e-9);
  for (std::size_t k = 0; k < found.trajectory.rows(); ++k)
    EXPECT_LE(found.trajectory.value(k, "drift.position"), 1e-10);
  EXPECT_NEAR(found.trajectory.value(20, "x"), 1.0, 1e-12);
  EXPECT_NEAR(found.trajectory.value(20, "y"), -1.0, 1e-9);
}

TEST(Optimize, FullyGivenGoalIsTheSameAsItsIndependentPart) {
  Problem full = cart();
  full.settings.of<OptimizeSettings>().final.push_back({"y", positions(full.system)[2], -1.0, -1.0});
  const double a = optimize(cart()).summary.part<OptimizationSummary>()->cost,
               b = optimize(full).summary.part<OptimizationSummary>()->cost;
  EXPECT_NEAR(a, b, 1e-8 * a);
}

// A crane in minimal coordinates: trolley s, cable length l, swing angle a; force and winch.
Problem crane(int intervals) {
  Problem p;
  p.name = "crane";
  System& s = p.system;
  for (const char* name : {"s", "l", "a"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  const Expr vx = v[0] + v[1] * sin(q[2]) + q[1] * v[2] * cos(q[2]);
  const Expr vz = v[1] * cos(q[2]) - q[1] * v[2] * sin(q[2]);
  s.kinetic = 0.5 * (10.0 * squared(v[0]) + 10.0 * squared(v[1]) + 100.0 * (squared(vx) + squared(vz)));
  s.potential = -981.0 * q[1] * cos(q[2]);
  s.add_input("F", {1.0, 0.0, 0.0});
  s.add_input("M", {0.0, 10.0, 0.0});
  s.outputs = {{"x", q[0] + q[1] * sin(q[2])}, {"z", q[1] * cos(q[2])}};
  p.q0 = {0.0, 4.0, 0.0};
  p.v0 = {0.0, 0.0, 0.0};
  OptimizeSettings& o = p.settings.of<OptimizeSettings>();
  o.horizon = o.shortest = o.longest = 3.0;
  o.intervals = intervals;
  o.scheme = "midpoint";
  o.final = {{"s", q[0], 5.0, 5.0}, {"l", q[1], 1.0, 1.0}, {"a", q[2], 0.0, 0.0}};
  o.rest = true;
  return p;
}

bool warns(const Summary& summary, const std::string& words) {
  for (const std::string& w : summary.warnings)
    if (w.find(words) != std::string::npos) return true;
  return false;
}

TEST(Optimize, MotionsThatOnlyACoarseMeshAllowsAreToldFromRealOnes) {
  // Through a cable of no length there are cheap ways on coarse meshes; the real cost is 83 249 (R. Siebert 2012,
  // section 7.2).
  constexpr double real = 83249.0, error_of_mesh = 0.05;
  int warnings = 0;
  for (const int intervals : {10, 12, 16, 20, 24, 40})
    for (const GuessKind guess : {GuessKind::line, GuessKind::hold}) {
      Problem p = crane(intervals);
      p.settings.of<OptimizeSettings>().guess = guess;
      const Optimum found = optimize(p);
      const bool warned = warns(found.summary, "several solutions") || warns(found.summary, "too coarse");
      const double error = std::abs(found.summary.part<OptimizationSummary>()->cost / real - 1.0);
      EXPECT_TRUE(warned || found.summary.status != RunStatus::done || error < error_of_mesh)
          << intervals << " " << name_in(guess_kinds, guess);
      warnings += warned;
      if (intervals < 40) continue;
      EXPECT_FALSE(warned);
      constexpr double digits = 1e-8;  // of the independent solution
      EXPECT_NEAR(found.summary.part<OptimizationSummary>()->cost, 83355.8863, digits * 83355.8863);
    }
  EXPECT_GT(warnings, 0) << "these meshes no longer have false optima";
}

TEST(Optimize, AllFirstGuessesLeadToTheSameMotion) {
  double cost[3] = {};
  for (int i = 0; i < 3; ++i) {
    Problem p = crane(40);
    p.settings.of<OptimizeSettings>().guess =
        std::vector{GuessKind::line, GuessKind::inverse, GuessKind::hold}[static_cast<std::size_t>(i)];
    const Optimum found = optimize(p);
    expect_optimal(found);
    cost[i] = found.summary.part<OptimizationSummary>()->cost;
  }
  EXPECT_NEAR(cost[1], cost[0], solver_error * cost[0]);
  EXPECT_NEAR(cost[2], cost[0], solver_error * cost[0]);
}

TEST(Optimize, InverseDynamicsGivesAGuessThatMovesAsTheSystemDoes) {
  // The crane is flat in the position of its load: all equations hold but for the error of the steps, which is of third
  // order each.
  double largest[2] = {};
  for (const std::size_t fine : {0u, 1u}) {
    const std::size_t intervals = fine ? 200 : 100;
    const Problem p = crane(static_cast<int>(intervals));
    const Prepared prepared(p);
    const OptimalTask task = prepare_optimum(prepared);
    Transcription form(task.system, task.scheme, task.settings);
    const std::optional<MeshMotion> guess = first_guess(task, form, intervals, GuessKind::inverse);
    ASSERT_TRUE(guess);
    const NonlinearProgram program = form.program(intervals, task.first_node(), task.goal.ranges);
    std::vector<double> rows(program.row_lower.size());
    program.rows(form.pack(*guess), rows);
    for (const double r : rows) largest[fine] = std::max(largest[fine], std::abs(r));
    EXPECT_NEAR(guess->x.back()[0], 5.0, 1e-9);
    EXPECT_NEAR(guess->x.back()[1], 1.0, 1e-9);
  }
  EXPECT_NEAR(std::log2(largest[0] / largest[1]), 3.0, 0.2);
}

TEST(Optimize, CostsOfFinerMeshesLeadToTheirLimit) {
  // 6 N²/(N²-1) = 6 + 6/N² + 6/N⁴ + …: extrapolation leaves the last term.
  Problem p = mass_on_a_line(10);
  p.settings.of<OptimizeSettings>().refine = 3;
  const Optimum found = optimize(p);
  expect_optimal(found);
  const OptimizationSummary& o = *found.summary.part<OptimizationSummary>();
  ASSERT_EQ(o.meshes.size(), 3u);
  EXPECT_EQ(o.intervals, 40u);
  for (const auto& mesh : o.meshes) {
    const double square = static_cast<double>(mesh.intervals * mesh.intervals);
    EXPECT_NEAR(mesh.cost, 6.0 * square / (square - 1.0), 1e-8);
  }
  EXPECT_NEAR(o.limit.value_or(0.0), 6.0, 5.0 * 6.0 / std::pow(40.0, 4));
  EXPECT_NEAR(o.order.value_or(0.0), 2.0, 0.02);
}

TEST(Optimize, CostatesSatisfyTheConditionsOfAnOptimum) {
  // u = λ_p since ∂H/∂u = 0; λ_q is constant since nothing depends on x; H = ½u² + λ_q v.
  const Optimum found = optimize(mass_on_a_line(10));
  expect_optimal(found);
  const Trajectory& c = found.costates;
  ASSERT_EQ(c.rows(), 10u);
  constexpr double solved = 1e-8;
  for (std::size_t k = 0; k < c.rows(); ++k) {
    EXPECT_NEAR(c.value(k, "costate.dynamics.x"), found.inputs.value(k, "u"), solved);
    EXPECT_NEAR(c.value(k, "costate.kinematics.x"), c.value(0, "costate.kinematics.x"), solved);
    const double v = 0.5 * (found.trajectory.value(k, "x'") + found.trajectory.value(k + 1, "x'"));
    const double u = found.inputs.value(k, "u");
    EXPECT_NEAR(c.value(k, "hamiltonian"), 0.5 * u * u + c.value(k, "costate.kinematics.x") * v, solved);
  }
}

TEST(Optimize, SignalsAreKnownInTheMiddleOfAnInterval) {
  // The cost ½(u - c(t))² is least where the input is the signal.
  Problem p = mass_on_a_line(8);
  const Variable c = p.system.graph.reference("c");
  p.signals = {{"c", c, polynomial_move(5, {0.0, 3.0, 0.0, 1.0})}};
  p.settings.of<OptimizeSettings>().final.clear();
  p.settings.of<OptimizeSettings>().rest = false;
  p.settings.of<OptimizeSettings>().cost = 0.5 * squared(inputs(p.system)[0] - at(c));
  const Optimum found = optimize(p);
  expect_optimal(found);
  for (std::size_t k = 0; k < 8; ++k) {
    double value = 0.0;
    p.signals[0].function->series(found.inputs.value(k, "t"), Side::right, {&value, 1});
    EXPECT_NEAR(found.inputs.value(k, "u"), value, 1e-8);
  }
  p.settings.of<OptimizeSettings>().longest = 2.0;
  EXPECT_THROW(optimize(p), InputError);
}

// Value, gradient and curvature of the program against differences at a random point.
TEST(Transcription, DerivativesAgreeWithDifferences) {
  Problem p = cart();
  OptimizeSettings& o = p.settings.of<OptimizeSettings>();
  const Exprs q = positions(p.system), v = velocities(p.system);
  o.shortest = 1.0;
  o.longest = 3.0;
  o.end_cost = squared(v[0]) * q[1];
  o.bounds = {{"angle", q[1] * q[2] + inputs(p.system)[0] * v[0], -1.0, 1.0}};
  o.final.push_back({"product", q[0] * v[1], 0.0, 0.0});
  for (const char* scheme :
       {"energy-momentum", "midpoint", "implicit-euler", "variational", "radau5", "generalized-alpha", "bdf2"}) {
    Transcription form(p.system, *find_scheme(scheme), o);
    const std::size_t intervals = 3;
    const double infinity = std::numeric_limits<double>::infinity();
    const NonlinearProgram program =
        form.program(intervals, std::vector<double>(6, 0.0), std::vector<Range>(6, Range{-infinity, infinity}));
    const std::size_t n = program.lower.size(), m = program.row_lower.size();
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> number(0.5, 1.5);
    std::vector<double> x(n), weight(m);
    for (double& value : x) value = number(random);
    for (double& value : weight) value = number(random);
    const double factor = 0.7;
    // ∂(factor f + weight·g)/∂x
    const auto slope = [&](const std::vector<double>& at) {
      std::vector<double> result(n), entries(program.jacobian.size());
      program.cost_gradient(at, result);
      for (double& value : result) value *= factor;
      program.jacobian_values(at, entries);
      for (std::size_t i = 0; i < entries.size(); ++i)
        result[static_cast<std::size_t>(program.jacobian[i].col)] +=
            weight[static_cast<std::size_t>(program.jacobian[i].row)] * entries[i];
      return result;
    };
    const auto lagrangian = [&](const std::vector<double>& at) {
      std::vector<double> g(m);
      program.rows(at, g);
      double sum = factor * program.cost(at);
      for (std::size_t i = 0; i < m; ++i) sum += weight[i] * g[i];
      return sum;
    };
    std::vector<double> entries(program.hessian.size()), hessian(n * n, 0.0);
    program.hessian_values(x, factor, weight, entries);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto r = static_cast<std::size_t>(program.hessian[i].row),
                 c = static_cast<std::size_t>(program.hessian[i].col);
      hessian[r * n + c] += entries[i];
      if (r != c) hessian[c * n + r] += entries[i];
    }
    const std::vector<double> exact = slope(x);
    constexpr double step = 1e-5, difference_error = 1e-6;  // step² and round-off/step, times third derivatives
    for (std::size_t j = 0; j < n; ++j) {
      std::vector<double> above = x, below = x;
      above[j] += step;
      below[j] -= step;
      EXPECT_NEAR((lagrangian(above) - lagrangian(below)) / (2 * step), exact[j], difference_error) << scheme;
      const std::vector<double> a = slope(above), b = slope(below);
      for (std::size_t i = 0; i < n; ++i)
        EXPECT_NEAR((a[i] - b[i]) / (2 * step), hessian[i * n + j], difference_error) << scheme << " " << i << " " << j;
    }
  }
}

TEST(Optimize, UnreachableGoalIsToldWithTheEquationAtFault) {
  Problem p = mass_on_a_line(10);
  p.settings.of<OptimizeSettings>().bounds = {{"u", inputs(p.system)[0], -0.1, 0.1}};
  const Optimum found = optimize(p);
  EXPECT_EQ(found.summary.status, RunStatus::failed);
  EXPECT_NE(found.summary.message.find("is violated by"), std::string::npos) << found.summary.message;
}

TEST(Optimize, TooFewIntervalsForTheGoalAreTold) {
  const Optimum found = optimize(mass_on_a_line(1));  // one force cannot both start and stop the mass
  EXPECT_EQ(found.summary.status, RunStatus::failed);
  EXPECT_NE(found.summary.message.find("can the goal be reached"), std::string::npos) << found.summary.message;
}

TEST(Optimize, InterruptionKeepsWhatThereIs) {
  RunOptions options;
  options.keep_going = [](double) { return false; };
  const Optimum found = optimize(cart(), options);
  EXPECT_EQ(found.summary.status, RunStatus::interrupted);
  EXPECT_EQ(found.trajectory.rows(), 21u);
}

TEST(Optimize, WrongProblemsAreRefused) {
  Problem no_wish = cart();
  no_wish.settings.remove<OptimizeSettings>();
  EXPECT_THROW(optimize(no_wish), InputError);
  Problem no_intervals = cart();
  no_intervals.settings.of<OptimizeSettings>().intervals = 0;
  EXPECT_THROW(optimize(no_intervals), InputError);
  Problem torn = cart();  // the rod is 1 m long
  torn.settings.of<OptimizeSettings>().final[1].lower = torn.settings.of<OptimizeSettings>().final[1].upper = 3.0;
  EXPECT_THROW(optimize(torn), InputError);
  Problem twice = cart();
  twice.settings.of<OptimizeSettings>().final.push_back({"s", positions(twice.system)[0], 2.0, 2.0});
  EXPECT_THROW(optimize(twice), InputError);
  Problem beyond = cart();
  beyond.settings.of<OptimizeSettings>().bounds = {{"s", positions(beyond.system)[0], -0.5, 0.5}};
  EXPECT_THROW(optimize(beyond), InputError);
  Problem no_body = cart();
  no_body.settings.of<OptimizeSettings>().scheme = "quaternion-energy-momentum";
  EXPECT_THROW(optimize(no_body), InputError);
  Problem no_input = cart();
  no_input.system.inputs.clear();
  EXPECT_THROW(optimize(no_input), InputError);
}

}  // namespace
}  // namespace invar
