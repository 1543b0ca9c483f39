// Equilibria as a task: the same in every formulation, read back, judged, told in words.
#include "invar/task/equilibrium/equilibrium.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "invar/read/read_problem.h"
#include "invar/task/run/simulate_settings.h"
#include "invar/task/simulate/simulate.h"

namespace invar {
namespace {

constexpr double same = 1e-9;  // lengths of order one, forces in balance to 1e-10 of their terms

std::string with_start(const std::string& text, const std::string& initial) {
  const std::size_t old = text.find("[initial]");
  return (old == std::string::npos ? text : text.substr(0, old)) + "\n" + initial;
}

const EquilibriumSummary& part(const Outcome& outcome) { return *outcome.summary.part<EquilibriumSummary>(); }

Outcome equilibrium_of(const std::string& text, const std::string& formulation = {}, const Overrides& set = {}) {
  const auto chosen = formulation.empty() ? std::nullopt : std::optional(formulation);
  return find_equilibrium(read_problem_text(text, "model.toml", set, chosen));
}

std::string all_sentences(const Outcome& outcome) {
  std::string text;
  for (const std::string& s : part(outcome).sentences(outcome.summary)) text += s + "\n";
  return text;
}

// Two arms on pins with a spring between the tip and a hook, in the plane.
const std::string arms = R"toml(
name = "arms"
[parameters]
k = 300.0
[world]
dimension = 2
gravity = [0, -9.81]
[[body]]
name = "upper"
mass = 2.0
inertia = 0.2
position = [0.5, 0.1]
[[body]]
name = "lower"
mass = 1.0
inertia = 0.1
position = [1.5, 0.1]
[[joint]]
name = "shoulder"
type = "revolute"
between = ["ground", "upper"]
at = [0, 0.1]
coordinate = "phi"
damping = 0.4
[[joint]]
name = "elbow"
type = "revolute"
between = ["upper", "lower"]
at = [1, 0.1]
stiffness = 3.0
rest = 0.2
[[spring]]
between = [{ on = "ground", at = [1.2, 1.5] }, { on = "lower", at = [0.5, 0] }]
stiffness = "k"
rest = 0.6
[equilibrium]
method = "minimum"
)toml";

TEST(Equilibrium, IsTheSameInEveryFormulation) {
  const Outcome director = equilibrium_of(arms, "director");
  ASSERT_EQ(director.summary.status, RunStatus::done) << director.summary.message;
  EXPECT_EQ(director.trajectory.rows(), 1u);
  for (const std::string formulation : {"minimal", "lie"}) {
    const Outcome other = equilibrium_of(arms, formulation);
    ASSERT_EQ(other.summary.status, RunStatus::done) << other.summary.message;
    EXPECT_EQ(part(other).stability, part(director).stability);
    EXPECT_NEAR(part(other).lowest_frequency, part(director).lowest_frequency, 1e-7);
    for (const char* column : {"phi", "upper.x", "upper.y", "lower.x", "lower.y", "lower.d1.x", "lower.d1.y"})
      EXPECT_NEAR(other.trajectory.value(0, column), director.trajectory.value(0, column), same) << column;
  }
}

// Read back, the place is a start that the simulation does not leave.
TEST(Equilibrium, ReadBackStaysAtRest) {
  for (const std::string formulation : {"director", "minimal", "lie"}) {
    const Outcome found = equilibrium_of(arms, formulation);
    ASSERT_EQ(found.texts.size(), 1u);
    EXPECT_EQ(found.texts[0].name, "initial.toml");
    Problem problem = read_problem_text(with_start(arms, found.texts[0].text), "model.toml", {}, formulation);
    SimulateSettings& settings = problem.settings.of<SimulateSettings>();
    settings.until = 0.5;
    settings.step = 0.005;
    const Simulation run = simulate(problem);
    ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
    EXPECT_TRUE(run.summary.initial_changes.empty());
    for (const char* column : {"phi", "lower.x", "lower.y"})
      for (const double x : run.trajectory.column(column))
        EXPECT_NEAR(x, found.trajectory.value(0, column), 1e-8) << formulation << " " << column;
  }
}

TEST(Equilibrium, InputsAndSignalsAreHeldAsTheyBegin) {
  const std::string text = R"toml(
name = "held"
[system]
coordinates = ["x"]
kinetic = "x'^2/2"
potential = "50*x^2"
force = { x = "10*s + 3*s'" }
[[system.input]]
name = "F"
force = { x = "2" }
[[signal]]
name = "s"
from = 1.0
to = 5.0
duration = 1.0
profile = "poly5"
[initial]
x = 0.0
[simulate]
inputs = { F = "7 + t" }
)toml";
  const Outcome found = equilibrium_of(text);
  ASSERT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  EXPECT_NEAR(found.trajectory.value(0, "x"), (10.0 + 14.0) / 100.0, 1e-12);
  ASSERT_FALSE(found.summary.warnings.empty());
  EXPECT_NE(found.summary.warnings.back().find("held"), std::string::npos);
}

TEST(Equilibrium, TellsInWords) {
  const std::string pendulum = R"toml(
name = "pendulum"
[parameters]
start = 0.3
[system]
coordinates = ["phi"]
kinetic = "phi'^2/2"
potential = "-9.81*cos(phi)"
[initial]
phi = "start"
)toml";
  EXPECT_NE(all_sentences(equilibrium_of(pendulum)).find("stable (lowest frequency 0.4985 Hz)"), std::string::npos);
  const Outcome up = equilibrium_of(pendulum, {}, {{"start", 3.0}});
  EXPECT_EQ(up.summary.status, RunStatus::done);  // that it is unstable is a finding
  const std::string words = all_sentences(up);
  EXPECT_NE(words.find("unstable (grows with 3.132 1/s)"), std::string::npos) << words;
  EXPECT_NE(words.find("a stable one lies downhill"), std::string::npos) << words;
  ASSERT_TRUE(part(up).stays.has_value());
  EXPECT_LT(*part(up).stays, 1e-9);
}

TEST(Equilibrium, ThatThereIsNoneIsAFailureWithTheReason) {
  const Outcome outcome = equilibrium_of(R"toml(
name = "stone"
[world]
gravity = [0, 0, -9.81]
[[point]]
name = "stone"
mass = 2.0
position = [0, 1, 2]
)toml");
  EXPECT_EQ(outcome.summary.status, RunStatus::failed);
  EXPECT_NE(outcome.summary.message.find("stone.z"), std::string::npos) << outcome.summary.message;
  EXPECT_TRUE(outcome.texts.empty());
}

// A ball on a table: it may lie and be turned as one likes.
TEST(Equilibrium, OfAFamilySaysWhatIsFree) {
  const Outcome outcome = equilibrium_of(R"toml(
name = "ball"
[world]
gravity = [0, 0, -9.81]
[[body]]
name = "ball"
mass = 2.0
inertia = [0.1, 0.1, 0.1]
position = [0.3, -0.2, 0]
[[joint]]
name = "table"
type = "point-on-plane"
between = ["ground", "ball"]
at = [0.3, -0.2, 0]
axis = [0, 0, 1]
)toml");
  ASSERT_EQ(outcome.summary.status, RunStatus::done) << outcome.summary.message;
  const std::string words = all_sentences(outcome);
  EXPECT_NE(words.find("one of a family"), std::string::npos) << words;
  for (const char* name : {"ball.x", "ball.y", "rotation of ball"})
    EXPECT_NE(words.find(name), std::string::npos) << words;
  EXPECT_EQ(outcome.trajectory.value(0, "ball.x"), 0.3);
}

// An arm on a shaft that turns with a given rate, in joint coordinates: cos θ = g/(l ω²) for a point mass on an arm of
// length l that is hinged on the axis.
TEST(Equilibrium, OfAGovernorGoesRound) {
  const double omega = 5.0;
  const Outcome outcome = equilibrium_of(R"toml(
name = "governor"
[world]
gravity = [0, 0, -9.81]
[[body]]
name = "shaft"
mass = 1.0
inertia = [0.1, 0.1, 0.02]
position = [0, 0, 0]
angular_velocity = [0, 0, 5]
[[body]]
name = "arm"
mass = 2.0
inertia = [0, 0, 0]
position = [0.6, 0, -0.8]
angular_velocity = [0, 0, 5]
velocity = [0, 3, 0]
[[joint]]
name = "bearing"
type = "revolute"
between = ["ground", "shaft"]
at = [0, 0, 0]
axis = [0, 0, 1]
coordinate = "phi"
[[joint]]
name = "hinge"
type = "revolute"
between = ["shaft", "arm"]
at = [0, 0, 0]
axis = [0, 1, 0]
coordinate = "theta"
)toml",
                                         "minimal");
  ASSERT_EQ(outcome.summary.status, RunStatus::done) << outcome.summary.message;
  ASSERT_EQ(part(outcome).steady.size(), 1u);
  EXPECT_EQ(part(outcome).steady[0].first, "phi");
  EXPECT_NEAR(part(outcome).steady[0].second, omega, same);
  EXPECT_NEAR(outcome.trajectory.value(0, "arm.z"), -9.81 / (omega * omega), same);  // l = 1: z = -cos θ
}

TEST(Equilibrium, RedundantJointsAreLeftOut) {
  // A parallelogram with three parallel cranks of length one, in space: most of its constraints follow from the others.
  std::string text = R"toml(
name = "cranks"
[world]
gravity = [0, 0, -9.81]
[[body]]
name = "beam"
mass = 3.0
inertia = [0.01, 1, 1]
position = [1.6, 0, -0.8]
)toml";
  for (const char* at : {"0", "1", "2"}) {
    const std::string n = at;
    text += "[[body]]\nname = \"crank" + n + "\"\nmass = 1.0\ninertia = [0.1, 0.1, 0.01]\nposition = [\"" + n +
            " + 0.3\", 0, -0.4]\n";
    text += "[[joint]]\nname = \"low" + n + "\"\ntype = \"revolute\"\nbetween = [\"ground\", \"crank" + n +
            "\"]\nat = [" + n + ", 0, 0]\naxis = [0, 1, 0]\n";
    text += "[[joint]]\nname = \"high" + n + "\"\ntype = \"revolute\"\nbetween = [\"crank" + n +
            "\", \"beam\"]\nat = [\"" + n + " + 0.6\", 0, -0.8]\naxis = [0, 1, 0]\n";
  }
  for (const std::string formulation : {"director", "minimal"}) {
    const Outcome outcome = equilibrium_of(text, formulation);
    ASSERT_EQ(outcome.summary.status, RunStatus::done) << formulation << ": " << outcome.summary.message;
    EXPECT_NEAR(outcome.trajectory.value(0, "beam.x"), 1.0, same);
    EXPECT_NEAR(outcome.trajectory.value(0, "beam.z"), -1.0, same);
    EXPECT_EQ(part(outcome).stability, StabilityKind::stable);
  }
}

TEST(Equilibrium, CoarseTolerancesAreRefused) {
  EXPECT_TRUE(find_error(EquilibriumSettings{.tolerance = 0.1}).has_value());
  EXPECT_FALSE(find_error(EquilibriumSettings{}).has_value());
}

}  // namespace
}  // namespace invar
