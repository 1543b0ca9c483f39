// Strings with mass that a winch reels out: closed forms, limits that are known otherwise, and what every step keeps.
#include <gtest/gtest.h>

#include <cmath>

#include "invar/read/read_problem.h"
#include "invar/task/equilibrium/equilibrium.h"
#include "invar/task/simulate/simulate.h"

namespace invar {
namespace {

constexpr double gravity = 9.81;

Trajectory motion(const std::string& text) {
  Simulation outcome = simulate(read_problem_text(text, "model.toml"));
  EXPECT_EQ(outcome.summary.status, RunStatus::done) << outcome.summary.message;
  return outcome.trajectory;
}

double last(const Trajectory& rows, const std::string& column) { return rows.value(rows.rows() - 1, column); }

double largest_change(const Trajectory& rows, const std::string& column) {
  double largest = 0.0;
  for (const double x : rows.column(column)) largest = std::max(largest, std::abs(x - rows.value(0, column)));
  return largest;
}

std::string steps(double until, double step) {
  return "[simulate]\nuntil = " + std::to_string(until) + "\nstep = " + std::to_string(step) + "\n";
}

// Straight down from a drum, with nothing at its end.
std::string falling(double step) {
  return R"toml(
name = "falling"
[world]
gravity = [0, 0, -9.81]
[[string]]
name = "rope"
points = [[0, 0, 0], [0, 0, -1]]
from = "ground"
mass_per_length = 0.5
inextensible = true
elements = 3
winch = { coordinate = "l", stored = 9, inertia = 0.05, radius = 0.1 }
)toml" + steps(1.0, step);
}

// T = ½ (ρ ℓ₁ + I/R²) ℓ'², V = −½ ρ g ℓ²: ℓ = ℓ₀ cosh ω t.
TEST(StringWinch, AFallingStringUnwindsAsTheCosh) {
  const double omega = std::sqrt(0.5 * gravity / (0.5 * 10.0 + 0.05 / 0.01));
  const auto error = [&](double step) {
    const Trajectory rows = motion(falling(step));
    EXPECT_LT(largest_change(rows, "energy.total"), 1e-11);  // round-off of steps with terms of some joule
    return std::abs(last(rows, "l") - std::cosh(omega));
  };
  const double coarse = error(0.02), fine = error(0.01);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.05);
  EXPECT_LT(fine, 2e-5);
}

std::string crane(const std::string& holding) {
  return R"toml(
name = "crane"
[world]
gravity = [0, 0, -9.81]
[[point]]
name = "load"
mass = 2
position = [0.6, 0, -0.8]
velocity = [0, 0.7, 0]
)toml" + holding +
         "[[actuator]]\nname = \"F\"\non = \"l\"\n" + steps(1.0, 0.005) + "inputs = { F = \"-15\" }\n";
}

// A string without mass is a cable.
TEST(StringWinch, TheLighterTheStringTheMoreItMovesLikeACable) {
  const Trajectory cable = motion(crane(R"toml([[cable]]
name = "rope"
route = [{ on = "ground", at = [0, 0, 0] }, { on = "load" }]
winch = { coordinate = "l", inertia = 0.05, radius = 0.1 }
)toml"));
  const auto difference = [&](double mass) {
    const Trajectory rows = motion(
        crane("[[string]]\nname = \"rope\"\npoints = [[0, 0, 0], [0.6, 0, -0.8]]\nfrom = \"ground\"\nto = \"load\"\n"
              "inextensible = true\nelements = 1\nelement_nodes = 2\nmass_per_length = " +
              std::to_string(mass) + "\nwinch = { coordinate = \"l\", stored = 9, inertia = 0.05, radius = 0.1 }\n"));
    double sum = 0.0;
    for (const char* column : {"l", "load.x", "load.y", "load.z"})
      sum += std::abs(last(rows, column) - last(cable, column));
    return sum;
  };
  const double heavy = difference(0.002), light = difference(0.0002);
  EXPECT_NEAR(heavy / light, 10.0, 0.1);
  EXPECT_LT(light, 1e-3);
}

// Held by a force: N + N²/2EA, the power of the tension on what moves with the stretch less the energy that comes back.
TEST(StringWinch, AHangingStringIsHeldByTheForceThatItsEnergyAsksFor) {
  const double stiffness = 500.0, out = 3.0, tension = (2.0 + 0.5 * out) * gravity;
  const std::string text = R"toml(
name = "hanging"
[world]
gravity = [0, 0, -9.81]
[[point]]
name = "load"
mass = 2
position = [0, 0, -2.9]
[[string]]
name = "rope"
points = [[0, 0, 0], [0, 0, -2.9]]
length = 2.8
from = "ground"
to = "load"
mass_per_length = 0.5
EA = 500
elements = 4
winch = { coordinate = "l", stored = 9 }
[[actuator]]
name = "F"
on = "l"
[simulate]
until = 1
inputs = { F = ")toml" + std::to_string(-tension * (1.0 + 0.5 * tension / stiffness)) +
                           "\" }\n";
  const Outcome found = find_equilibrium(read_problem_text(text, "model.toml"));
  ASSERT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  EXPECT_NEAR(found.trajectory.value(0, "l"), out, 2e-6);  // six digits of the force
  // Every piece is stretched by what hangs on it.
  EXPECT_NEAR(found.trajectory.value(0, "load.z"), -out - (2.0 * out + 0.25 * out * out) * gravity / stiffness, 1e-5);
}

std::string sagging(const std::string& winch, double length, const std::string& more) {
  return "name = \"sagging\"\n[world]\ngravity = [0, 0, -9.81]\n[[string]]\nname = \"rope\"\n"
         "points = [[0, 0, 0], [1.2, 0, 0.3]]\nlength = " +
         std::to_string(length) +
         "\nfrom = \"ground\"\nto = \"ground\"\ninextensible = true\nmass_per_length = 1.5\nelements = 4\n" + winch +
         more;
}

// Reeled out by a drum that turns slowly, it hangs as a string of that length; a gear ties both.
TEST(StringWinch, ReeledOutSlowlyItHangsAsACatenary) {
  const Trajectory rows = motion(sagging("winch = { coordinate = \"l\", stored = 5 }\n", 1.6, R"toml(
[[body]]
name = "drum"
mass = 1
inertia = [1, 1, 1]
position = [0, 1, 0]
[[joint]]
name = "axle"
type = "revolute"
between = ["ground", "drum"]
at = [0, 1, 0]
axis = [0, 1, 0]
coordinate = "turn"
motion = "4*(10*(t/20)^3 - 15*(t/20)^4 + 6*(t/20)^5)"
[[joint]]
name = "winding"
type = "gear"
coordinates = ["turn", "l"]
ratio = 0.1
)toml" + steps(20.0, 0.02)));
  EXPECT_NEAR(last(rows, "l"), 2.0, 1e-9);
  const Outcome rest = find_equilibrium(read_problem_text(sagging("", 2.0, ""), "model.toml"));
  ASSERT_EQ(rest.summary.status, RunStatus::done) << rest.summary.message;
  for (const char* column : {"rope.n2.x", "rope.n4.x", "rope.n4.z", "rope.n6.z"})
    EXPECT_NEAR(last(rows, column), rest.trajectory.value(0, column), 2e-3) << column;  // swings that are left
}

// A drum on a body in space: nothing acts from outside.
std::string ship(int elements, int nodes, double step) {
  return R"toml(
name = "ship"
[[body]]
name = "ship"
mass = 5
inertia = [0.2, 0.3, 0.4]
position = [0, 0, 0]
velocity = [0, 0.3, 0]
angular_velocity = [0.1, 0.2, 0.5]
[[point]]
name = "load"
mass = 2
position = [2, 0, 0]
velocity = [1.0, 1.5, 0.4]
[[string]]
name = "rope"
points = [[0.3, 0, 0], [2, 0, 0]]
length = 1.6
from = { on = "ship", at = [0.3, 0, 0] }
to = "load"
velocity = ["s/1.6", "0.3 + 1.2*s/1.6", "0.4*s/1.6"]
mass_per_length = 0.5
EA = 500
winch = { coordinate = "l", stored = 9, inertia = 0.01, radius = 0.1 }
)toml" + ("elements = " + std::to_string(elements) + "\nelement_nodes = " + std::to_string(nodes)) +
         "\n[initial]\n\"l'\" = 0.2\n" + steps(0.4, step);
}

TEST(StringWinch, EnergyAndMomentumStayInEveryStep) {
  const Trajectory rows = motion(ship(4, 3, 0.005));
  EXPECT_LT(largest_change(rows, "energy.total"), 1e-10);  // round-off, and Newton's 1e-12 of 1 kJ
  for (const char* axis : {"x", "y", "z"}) EXPECT_LT(largest_change(rows, std::string("momentum.") + axis), 1e-10);
  const auto turning = [](double step) { return largest_change(motion(ship(4, 3, step)), "angular_momentum.z"); };
  EXPECT_NEAR(std::log2(turning(0.0025) / turning(0.00125)), 2.0, 0.3);  // it is kept to the order of the steps
}

// A load that swings while it unwinds its rope from a drum.
std::string swinging(int elements, int nodes) {
  return R"toml(
name = "swinging"
[world]
gravity = [0, 0, -9.81]
[[point]]
name = "load"
mass = 1
position = [0, 0, -1]
velocity = [1.5, 0, 0]
[[string]]
name = "rope"
points = [[0, 0, 0], [0, 0, -1]]
from = "ground"
to = "load"
velocity = ["1.5*s", 0, 0]
mass_per_length = 1
inextensible = true
winch = { coordinate = "l", stored = 5, inertia = 0.05, radius = 0.1 }
)toml" + ("elements = " + std::to_string(elements) + "\nelement_nodes = " + std::to_string(nodes)) +
         "\n" + steps(0.5, 0.001);
}

TEST(StringWinch, ErrorsFallWithTheOrderOfTheElement) {
  const auto place = [](int elements, int nodes) {
    const Trajectory rows = motion(swinging(elements, nodes));
    return Vector3(last(rows, "load.x"), last(rows, "load.z"), last(rows, "l"));
  };
  const Vector3 exact = place(16, 3);
  const auto error = [&](int elements, int nodes) { return (place(elements, nodes) - exact).norm(); };
  EXPECT_NEAR(std::log2(error(4, 2) / error(8, 2)), 2.0, 0.1);
  // The start is not smooth at the drum, where what is reeled out begins to turn.
  EXPECT_GT(0.5 * std::log2(error(2, 3) / error(8, 3)), 3.0);
}

// With nothing that acts on it the length that is out is ℓ₀ + ℓ' t.
TEST(StringWinch, SaysWhenAStringIsReeledInBeyondItsEnd) {
  const auto told = [](const std::string& kind, double until) {
    const Simulation run = simulate(read_problem_text(
        "name = \"reeled\"\n[[string]]\nname = \"rope\"\npoints = [[0, 0, 0], [0, 0, -1]]\nfrom = \"ground\"\n"
        "mass_per_length = 0.5\nelements = 3\nwinch = { coordinate = \"l\", stored = 9, inertia = 0.05, radius = 0.1 "
        "}\n" +
            kind + "\n[initial]\n\"l'\" = -2\n" + steps(until, 0.013),
        "model.toml"));
    EXPECT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
    std::string all;
    for (const std::string& warning : run.summary.warnings) all += warning + "\n";
    return all;
  };
  const std::string text = "string \"rope\": is reeled in beyond its end, by up to ";
  EXPECT_NE(told("inextensible = true", 1.0).find(text + "1 m"), std::string::npos);
  EXPECT_NE(told("EA = 500", 1.0).find(text), std::string::npos);
  EXPECT_EQ(told("inextensible = true", 0.45).find(text), std::string::npos) << "a tenth of it is still out";
}

}  // namespace
}  // namespace invar
