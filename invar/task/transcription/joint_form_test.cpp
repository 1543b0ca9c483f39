// Laws of problems written in joint coordinates: the same configurations and velocities, and every final value said
// once.
#include "invar/task/transcription/joint_form.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "invar/read/read_problem.h"
#include "invar/task/run/problem_start.h"
#include "invar/task/transcription/end_equations.h"
#include "invar/task/transcription/row_space.h"

namespace invar {
namespace {

// A platform that floats in the plane with a rotor about its centre: what turns one turns the other back.
constexpr const char* platform = R"toml(
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
position = [1, 2]
[[joint]]
name = "axle"
type = "revolute"
between = ["hull", "rotor"]
at = [1, 2]
coordinate = "alpha"
[[actuator]]
name = "u"
on = "alpha"
[[output]]
name = "spin"
angular_velocity = "hull"
[[output]]
name = "rotor_spin"
angular_velocity = "rotor"
[optimize]
horizon = 2.0
[optimize.final]
"hull.d1.x" = 0
"hull.d1.y" = 1
"hull.d2.x" = -1
"hull.d2.y" = 0
"hull.x'" = 0
"hull.y'" = 0
"spin.z" = 0
"rotor_spin.z" = 0
)toml";

struct Floating {
  explicit Floating(const std::string& text = platform)
      : problem(read_problem_text(text, "platform.toml", {}, std::string("director"))) {}

  Problem problem;
  OpenStart start{problem};
  const OptimizeSettings& settings = problem.settings.of<OptimizeSettings>();
  Goal goal = find_goal(start.system(), settings, start.point().state.q);
  std::optional<JointForm> joints = JointForm::of(problem, {start.system(), start.point().state, goal});
};

constexpr double exact = 1e-10;

TEST(RowSpace, TakesTheRowThatSaysMostFirst) {
  RowSpace space(2);
  Eigen::MatrixXd rows(3, 2);
  rows << 0.0, 1.0, 1.0, 0.5, 1.0, 0.0;
  space.add(Eigen::RowVector2d(0.0, 1.0));
  EXPECT_EQ(space.add_independent(rows), (std::vector<bool>{false, false, true}));
  EXPECT_TRUE(space.contains(Eigen::RowVector2d(3.0, -4.0)));
}

// Four directors are one angle; both speeds vanish together with the one momentum, and the centre cannot move.
TEST(JointForm, SaysEveryFinalValueOnce) {
  const Floating f;
  ASSERT_TRUE(f.joints);
  const std::vector<Limit>& final = f.joints->problem().settings.of<OptimizeSettings>().final;
  ASSERT_EQ(final.size(), 2u);
  EXPECT_EQ(final[0].name, "hull.angle");
  EXPECT_NEAR(final[0].lower, std::acos(0.0), exact);
  EXPECT_EQ(final[1].formula, at(f.joints->problem().system.coordinates.back(), 1));
  EXPECT_NEAR(final[1].lower, 0.0, exact);
}

TEST(JointForm, NodesAreOnTheConstraintsWithTheirVelocities) {
  Floating f;
  ASSERT_TRUE(f.joints);
  const double quarter = std::acos(0.0);
  MeshMotion motion{2.0, {}, {}};
  motion.x = {{0.1, 0.2, quarter, 0.3, 0.0, 0.0, 2.0, 0.0}};  // moves, angle, alpha, and their rates
  const std::vector<double> x = f.joints->nodes(motion).front();
  const std::vector<double> hull = {1.1, 2.2, 0.0, 1.0, -1.0, 0.0}, rates = {0.0, 0.0, -2.0, 0.0, 0.0, -2.0};
  const std::size_t n = f.problem.system.coordinates.size();
  for (std::size_t i = 0; i < hull.size(); ++i) {
    EXPECT_NEAR(x[i], hull[i], exact);
    EXPECT_NEAR(x[n + i], rates[i], exact);
  }
}

TEST(JointForm, IsNothingWhereTheProblemStandsInThemAlready) {
  const Problem p = read_problem_text(R"toml(
name = "mass"
[system]
coordinates = ["x"]
kinetic = "x'^2/2"
[[system.input]]
name = "u"
force = { x = "1" }
[initial]
x = 0
[optimize]
horizon = 1.0
final = { x = 1 }
)toml",
                                      "mass.toml");
  const OpenStart start(p);
  const Goal goal = find_goal(start.system(), p.settings.of<OptimizeSettings>(), start.point().state.q);
  EXPECT_FALSE(JointForm::of(p, {start.system(), start.point().state, goal}));
}

// Of the four velocities one is left: momenta keep the centre, and with one spin the other is known.
TEST(FinalValues, ThatFollowFromMomentaAndOthersAreNotSaidAgain) {
  const Floating f;
  State end = f.start.point().state;
  end.q = f.goal.q;
  const FinalValues values = without_followers(f.start.system(), f.settings.final, f.start.point().state, end);
  EXPECT_EQ(values.followers.size(), 3u);
  EXPECT_EQ(values.independent.size(), 5u);
}

TEST(FinalValues, ThatContradictMomentaAreNoFollowers) {
  const Floating f;
  State end = f.start.point().state;
  end.q = f.goal.q;
  std::vector<Limit> final = f.settings.final;
  for (Limit& limit : final)
    if (limit.name == "hull.x'") limit.lower = limit.upper = 1.0;
  const FinalValues values = without_followers(f.start.system(), final, f.start.point().state, end);
  for (const Limit& limit : values.followers) EXPECT_NE(limit.name, "hull.x'");
}

// The platform drifts with 1 mm/s, written with lengths in m, mm or km. Its final speed follows from its momentum, a
// speed that differs by a millionth contradicts it, and the spins of a platform at rest follow from one another.
TEST(FinalValues, FollowInAllUnits) {
  constexpr double drift = 1e-3, millionth = 1e-6;
  for (const double unit : {1.0, 1e-3, 1e3})  // m
    for (const double part : {0.0, millionth}) {
      std::string text = platform;
      const auto put = [&](const std::string& words, const std::string& others) {
        for (std::size_t at = 0; (at = text.find(words, at)) != std::string::npos; at += others.size())
          text.replace(at, words.size(), others);
      };
      put("[1, 2]", fmt::format("[{}, {}]", 1.0 / unit, 2.0 / unit));
      put("inertia = 3.0", fmt::format("inertia = {}\nvelocity = [{}, 0]", 3.0 / unit / unit, drift / unit));
      put("inertia = 0.5", fmt::format("inertia = {}\nvelocity = [{}, 0]", 0.5 / unit / unit, drift / unit));
      put("\"hull.x'\" = 0", fmt::format("\"hull.x'\" = {}", drift / unit * (1.0 + part)));
      const Floating f(text);
      State end = f.start.point().state;
      end.q = f.goal.q;
      std::vector<std::string> followers;
      for (const Limit& limit :
           without_followers(f.start.system(), f.settings.final, f.start.point().state, end).followers)
        followers.push_back(limit.name);
      EXPECT_EQ(followers.size(), part == 0.0 ? 3u : 2u) << unit;
      EXPECT_EQ(std::ranges::count(followers, "hull.x'"), part == 0.0 ? 1 : 0) << unit;
    }
}

}  // namespace
}  // namespace invar
