// Laws of ways to a goal: they keep the constraints and arrive, bodies turn evenly, and what floats turns its parts
// against each other.
#include <gtest/gtest.h>

#include <cmath>

#include "invar/read/read_problem.h"
#include "invar/task/transcription/configuration.h"
#include "invar/task/transcription/goal.h"

namespace invar {
namespace {

constexpr double round_off = 1e-10;      // of the steps onto the constraints
constexpr double chords_as_arcs = 2e-2;  // an angle from steps of finite size, relative
constexpr std::size_t intervals = 20;
constexpr double turned = 2.0;  // rad

const std::string bodies = R"toml([world]
dimension = 2
[[body]]
name = "hull"
mass = 5
inertia = 3
position = [0, 0]
[[body]]
name = "wheel"
mass = 2
inertia = 1
position = [0.5, 0]
[[joint]]
name = "axle"
type = "revolute"
between = ["hull", "wheel"]
at = [0.5, 0]
coordinate = "alpha"
[[actuator]]
name = "u"
between = ["hull", "wheel"]
torque = 1
)toml";

const std::string goal_of_the_hull = R"toml([optimize]
horizon = 4
final = { "hull.d1.x" = "cos(2)", "hull.d1.y" = "sin(2)", "hull.d2.x" = "-sin(2)", "hull.d2.y" = "cos(2)" }
)toml";

struct Way {
  Problem problem;
  std::vector<std::vector<double>> line;

  std::size_t index(const std::string& name) const {
    std::size_t i = 0;
    while (problem.system.coordinates[i].name() != name) ++i;
    return i;
  }
  double value(std::size_t k, const std::string& name) const { return line[k][index(name)]; }
};

Way way(const std::string& text) {
  Way w{read_problem_text(text, "way.toml"), {}};
  const Goal goal = find_goal(w.problem.system, w.problem.settings.of<OptimizeSettings>(), w.problem.q0);
  w.line = line_to(w.problem.system, goal, w.problem.q0, intervals, w.problem.settings.of<OptimizeSettings>().horizon);
  return w;
}

double angle(const Way& w, std::size_t k, const std::string& body) {
  return std::atan2(w.value(k, body + ".d1.y"), w.value(k, body + ".d1.x"));
}

void keeps_constraints_and_arrives(const Way& w) {
  Constraints constraints(w.problem.system, {});
  ASSERT_EQ(w.line.size(), intervals + 1);
  EXPECT_EQ(w.line.front(), w.problem.q0);
  for (const auto& q : w.line) EXPECT_LE(constraints(0.0, q).value.cwiseAbs().maxCoeff(), round_off);
  EXPECT_NEAR(angle(w, intervals, "hull"), turned, round_off);
}

TEST(GoalLine, WhatFloatsTurnsItsPartsAgainstEachOther) {
  const Way w = way("name = \"floating\"\n" + bodies + goal_of_the_hull);
  keeps_constraints_and_arrives(w);
  // Spins are to each other as the moments about the common centre of mass.
  const double reduced_mass = 5.0 * 2.0 / 7.0, hull = 3.0 + reduced_mass * 0.25, wheel = 1.0;
  EXPECT_NEAR(w.value(intervals, "alpha"), -turned * (1.0 + hull / wheel), chords_as_arcs * turned * hull);
  for (std::size_t k = 0; k <= intervals; ++k) {
    EXPECT_NEAR(5.0 * w.value(k, "hull.x") + 2.0 * w.value(k, "wheel.x"), 1.0, round_off);  // the centre of mass stays
    EXPECT_NEAR(5.0 * w.value(k, "hull.y") + 2.0 * w.value(k, "wheel.y"), 0.0, round_off);
  }
}

TEST(GoalLine, WhatIsHeldTurnsEvenly) {
  const Way w = way("name = \"held\"\n" + bodies + R"toml([[joint]]
name = "base"
type = "revolute"
between = ["ground", "hull"]
at = [0, 0]
[[actuator]]
name = "drive"
between = ["ground", "hull"]
torque = 1
)toml" + goal_of_the_hull);
  keeps_constraints_and_arrives(w);
  for (std::size_t k = 0; k <= intervals; ++k)
    EXPECT_NEAR(angle(w, k, "hull"), turned * static_cast<double>(k) / intervals, round_off);
}

// A floating system cannot move its centre of mass: then the line is straight, and the solver will say that the goal is
// out of reach.
TEST(GoalLine, GoalsThatContradictTheMomentaHaveALineToo) {
  const Way w =
      way("name = \"moved\"\n" + bodies + "[optimize]\nhorizon = 4\nfinal = { \"hull.x\" = 1, \"wheel.x\" = 1.5 }\n");
  ASSERT_EQ(w.line.size(), intervals + 1);
  EXPECT_NEAR(w.value(intervals, "hull.x"), 1.0, round_off);
  EXPECT_NEAR(w.value(intervals, "wheel.x"), 1.5, round_off);
}

}  // namespace
}  // namespace invar
