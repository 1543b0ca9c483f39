// Laws of intervals in joint coordinates: the optimum of the equations in redundant coordinates, with fewer variables.
#include "invar/task/transcription/reduced_interval.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/program/ipopt_solver.h"
#include "invar/read/read_problem.h"
#include "invar/task/optimize/first_guess.h"
#include "invar/task/optimize/prepare_optimum.h"

namespace invar {
namespace {

// Two hinges and a slide in space, the last without a name for its axis, with friction.
constexpr const char* slide_crane = R"toml(
name = "crane"
[world]
gravity = [0, 0, -9.81]
[[body]]
name = "column"
mass = 3.0
inertia = [0.3, 0.2, 0.1]
position = [0, 0, 0.5]
[[body]]
name = "boom"
mass = 2.0
inertia = [0.02, 0.2, 0.2]
position = [0.6, 0.1, 1.0]
[[body]]
name = "hand"
mass = 0.5
inertia = [0.01, 0.02, 0.03]
position = [1.2, 0, 1.0]
[[joint]]
name = "foot"
type = "revolute"
between = ["ground", "column"]
at = [0, 0, 0]
axis = [0, 0, 1]
coordinate = "a"
damping = 0.3
[[joint]]
name = "shoulder"
type = "revolute"
between = ["column", "boom"]
at = [0.1, 0, 1.0]
axis = [0, 1, 0]
coordinate = "b"
[[joint]]
name = "slide"
type = "prismatic"
between = ["boom", "hand"]
at = [1.2, 0, 1.0]
axis = [1, 0, 0]
coordinate = "s"
[[actuator]]
name = "u"
on = "a"
[[actuator]]
name = "v"
on = "b"
[[actuator]]
name = "F"
on = "s"
[optimize]
horizon = 1.0
intervals = 10
guess = "line"
tolerance = 1e-12
rest = true
final = { a = 0.7, b = -0.4, s = 0.2 }
)toml";

// A platform that floats in the plane with a rotor: final values are entries of directors, none a joint coordinate.
constexpr const char* floating_hull = R"toml(
name = "platform"
[world]
dimension = 2
[[body]]
name = "hull"
mass = 2.0
inertia = 3.0
position = [1, 2]
[[body]]
name = "rotor"
mass = 1.0
inertia = 0.5
position = [1.2, 2]
[[joint]]
name = "axle"
type = "revolute"
between = ["hull", "rotor"]
at = [1.2, 2]
coordinate = "alpha"
[[actuator]]
name = "u"
on = "alpha"
[optimize]
horizon = 2.0
intervals = 10
guess = "line"
tolerance = 1e-12
final = { "hull.d1.x" = 0.8, "hull.d1.y" = 0.6, "alpha'" = 0.0 }
)toml";

Problem in_directors(const std::string& text, const std::string& scheme) {
  Problem problem = read_problem_text(text, "model.toml", {}, std::string("director"));
  problem.settings.of<OptimizeSettings>().scheme = scheme;
  return problem;
}

// Two forms of one problem, both solved from one guess.
struct Both {
  Prepared prepared;
  OptimalTask task = prepare_optimum(prepared);
  Transcription whole{task.system, task.scheme, task.settings};
  Transcription fewer{task.system, task.scheme, task.settings, {}, {}, task.joints};
  MeshMotion guess = first_guess(task, whole, task.settings.intervals, GuessKind::line).value();

  explicit Both(Problem problem) : prepared(std::move(problem)) {}

  NonlinearProgram program(Transcription& form) const {
    return form.program(task.settings.intervals, task.first_node(), task.goal.ranges);
  }
  Solution solved(Transcription& form) const {
    MeshMotion first = guess;
    form.guess_unknowns(first);
    return solve(program(form), form.pack(first), {task.settings.tolerance, 300, {}});
  }
};

double largest_difference(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b,
                          std::size_t first) {
  double most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = first; i < a[k].size(); ++i) most = std::max(most, std::abs(a[k][i] - b[k][i]));
  return most;
}

// Multipliers are recovered: with them the motion satisfies the equations that contain them.
void expect_same_optimum(const std::string& model, const std::string& scheme, const std::string& more = "") {
  SCOPED_TRACE(scheme);
  constexpr double same = 1e-8;
  Both both(in_directors(model + more, scheme));
  ASSERT_TRUE(both.fewer.in_joints());
  ASSERT_FALSE(both.whole.in_joints());
  const std::size_t intervals = both.task.settings.intervals;
  EXPECT_LT(2 * both.fewer.variable_count(intervals), both.whole.variable_count(intervals));
  const Solution a = both.solved(both.whole), b = both.solved(both.fewer);
  ASSERT_EQ(a.status, SolverStatus::solved) << a.reason;
  ASSERT_EQ(b.status, SolverStatus::solved) << b.reason;
  EXPECT_NEAR(a.cost, b.cost, same * std::abs(a.cost));
  const MeshMotion x = both.whole.unpack(a.x, intervals), y = both.fewer.unpack(b.x, intervals);
  EXPECT_NEAR(x.horizon, y.horizon, same);
  double inputs = 1.0;
  for (const std::vector<double>& w : x.w)
    for (std::size_t i = both.whole.first_input(); i < w.size(); ++i) inputs = std::max(inputs, std::abs(w[i]));
  EXPECT_LT(largest_difference(x.x, y.x, 0), 10.0 * same);  // velocities reach some m/s
  EXPECT_LT(largest_difference(x.w, y.w, both.whole.first_input()), same * inputs);
  const NonlinearProgram program = both.program(both.whole);
  std::vector<double> rows(program.row_lower.size());
  program.rows(both.whole.pack(y), rows);
  const std::size_t equations = both.whole.equation_names().size() * intervals;
  for (std::size_t i = 0; i < equations; ++i) EXPECT_NEAR(rows[i], 0.0, same) << both.whole.row_name(i, intervals);
}

TEST(ReducedInterval, HasTheOptimumOfTheRedundantEquations) {
  for (const char* scheme :
       {"energy-momentum", "midpoint", "variational", "variational-midpoint", "implicit-euler", "radau5"})
    expect_same_optimum(slide_crane, scheme);
}

TEST(ReducedInterval, ReachesFinalValuesThatAreNoJointCoordinates) {
  for (const char* scheme : {"midpoint", "variational"}) expect_same_optimum(floating_hull, scheme);
}

TEST(ReducedInterval, KeepsLimitsOfAllKinds) {
  const std::string costs = "cost = \"u^2 + v^2/10 + F^2/10 + a'^2\"\nend_cost = \"(b + 0.1)^2 + s'\"\n",
                    places = "b = [-0.405, 0.1], u = [-7, 7], \"hand.x\" = { max = 1.21 }",
                    speeds = ", \"s'\" = [-0.28, 0.28], \"boom.d1.y'\" = { max = 1.0 }";
  expect_same_optimum(slide_crane, "energy-momentum", costs + "bounds = { " + places + " }\n");
  expect_same_optimum(slide_crane, "variational",
                      costs + "bounds = { " + places + speeds + " }\npath = " + "[{ expr = \"F*s'\", max = 4 }]\n");
}

TEST(ReducedInterval, FindsTheSameFreeHorizon) {
  std::string text = slide_crane;
  text.replace(text.find("horizon = 1.0"), 13, "horizon = { min = 0.5, max = 2 }");
  text += "cost = \"1 + (u^2 + v^2 + F^2)/500\"\n";
  expect_same_optimum(text, "variational");
}

// Ball joints have three angles, which are dependent somewhere; multipliers in limits are wanted.
TEST(ReducedInterval, LeavesWhatItCannotDescribe) {
  std::string ball = slide_crane;
  ball.replace(ball.find("type = \"revolute\""), 17, "type = \"spherical\"");
  for (const char* line : {"coordinate = \"a\"", "damping = 0.3", "axis = [0, 0, 1]"})
    ball.erase(ball.find(line), std::string(line).size());
  ball.replace(ball.find("on = \"a\""), 8, "on = \"b\"");
  ball.replace(ball.find("a = 0.7, "), 9, "");
  EXPECT_FALSE(Both(in_directors(ball, "variational")).fewer.in_joints());
  Problem held = in_directors(slide_crane, "energy-momentum");
  const Expr reaction = multipliers(held.system).back();
  held.settings.of<OptimizeSettings>().bounds.push_back({reaction.name(), reaction, -1e6, 1e6});
  EXPECT_FALSE(Both(std::move(held)).fewer.in_joints());
  EXPECT_FALSE(Both(in_directors(slide_crane, "generalized-alpha")).fewer.in_joints());
}

}  // namespace
}  // namespace invar
