// Laws of what a report shows besides the table: drawings by formulas, units, energy balances, still pictures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "invar/read/read_problem.h"
#include "invar/report/plot/paper_plot.h"
#include "invar/report/rows/energy_balance.h"
#include "invar/report/scene/make_scene.h"
#include "invar/report/scene/snapshots.h"
#include "invar/report/scene/view.h"
#include "invar/task/control/control.h"
#include "invar/task/invert/invert.h"
#include "invar/task/optimize/optimize.h"
#include "invar/task/simulate/simulate.h"

namespace invar {
namespace {

// A cart with a pendulum, pushed; all kinds of drawing.
constexpr const char* scene_cart = R"toml(
name = "cart"
[parameters]
r = 0.5
[system]
coordinates = ["s", "phi"]
kinetic = "s'^2/2 + (s'^2 + 2*r*s'*phi'*cos(phi) + r^2*phi'^2)/2"
potential = "-9.81*r*cos(phi)"
force = { phi = "-0.1*phi'" }
[[system.input]]
name = "F"
force = { s = "1" }
[[system.output]]
name = "tip_x"
expr = "s + r*sin(phi)"
[[system.output]]
name = "tip_z"
expr = "-r*cos(phi)"
[initial]
s = 0.0
phi = 0.3
[simulate]
until = 1.0
step = 0.01
[simulate.inputs]
F = "2*sin(3*t)"
[optimize]
horizon = 1.0
intervals = 20
final = { s = 0.5, phi = 0.0 }
[[draw]]
name = "cart"
box = ["s", "0"]
size = ["r", 0.2]
angle = "phi/2"
[[draw]]
name = "rod"
link = [["s", "0"], ["s + r*sin(phi)", "-r*cos(phi)"]]
[[draw]]
name = "tip"
trace = ["s + r*sin(phi)", "-r*cos(phi)"]
[[draw]]
name = "push"
arrow = ["s", "0"]
vector = ["F", "0"]
[[draw]]
name = "wheel"
circle = ["s", "-0.1"]
radius = "0.05 + s^2"
[units]
m = ["s", "tip_x", "tip_z"]
rad = ["phi"]
N = ["F"]
)toml";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

const SceneItem& item_of(const Scene& scene, const std::string& name) {
  return *std::find_if(scene.items.begin(), scene.items.end(), [&](const SceneItem& i) { return i.name == name; });
}

TEST(Drawing, FollowsItsFormulas) {
  const Problem p = read_problem_text(scene_cart, "p.toml");
  const Simulation run = simulate(p);
  const Scene scene = make_scene(p, run.trajectory);
  ASSERT_EQ(scene.items.size(), 5u);
  const SceneItem &box = item_of(scene, "cart"), &rod = item_of(scene, "rod"), &push = item_of(scene, "push"),
                  &wheel = item_of(scene, "wheel");
  const std::vector<double> t = run.trajectory.column("t");
  EXPECT_EQ(box.shape.size, (std::vector<double>{0.5, 0.2}));
  for (std::size_t k = 0; k < scene.time.size(); ++k) {
    const auto row = static_cast<std::size_t>(std::find(t.begin(), t.end(), scene.time[k]) - t.begin());
    ASSERT_LT(row, t.size());
    const double s = run.trajectory.value(row, "s"), phi = run.trajectory.value(row, "phi");
    EXPECT_DOUBLE_EQ(box.places[2 * k], s);
    EXPECT_DOUBLE_EQ(box.details[k], phi / 2);
    EXPECT_NEAR(std::hypot(rod.places[4 * k + 2] - rod.places[4 * k], rod.places[4 * k + 3]), 0.5, 1e-14);
    EXPECT_NEAR(push.details[2 * k], 2.0 * std::sin(3.0 * scene.time[k]), 1e-12);
    EXPECT_DOUBLE_EQ(wheel.details[k], 0.05 + s * s);
  }
}

TEST(Drawing, APathThatOutputsFollowIsShownAsWanted) {
  std::string text = scene_cart;
  text += R"(
[[trajectory]]
outputs = ["tip_x"]
from = [0.1]
to = [0.6]
duration = 1.0
profile = "poly7"
[[trajectory]]
outputs = ["tip_z"]
expr = ["-0.4"]
)";
  const Problem p = read_problem_text(text, "p.toml");
  const Scene scene = make_scene(p, simulate(p).trajectory);
  const SceneItem& tip = item_of(scene, "tip");
  ASSERT_EQ(tip.details.size(), tip.places.size());
  EXPECT_DOUBLE_EQ(tip.details.front(), 0.1);
  EXPECT_DOUBLE_EQ(tip.details[tip.details.size() - 2], 0.6);
  EXPECT_DOUBLE_EQ(tip.details.back(), -0.4);
}

// The force of a drive points where it pushes, whichever body of the joint comes first.
TEST(Drawing, ForcesPointWhereTheyPush) {
  for (const char* between : {"[\"ground\", \"cart\"]", "[\"cart\", \"ground\"]"}) {
    const Problem p = read_problem_text(std::string(R"(
name = "slide"
[world]
dimension = 2
[[body]]
name = "cart"
mass = 2.0
inertia = 1.0
position = [0, 0]
[[joint]]
name = "rail"
type = "prismatic"
at = [0, 0]
axis = [1, 0]
coordinate = "s"
between = )") + between + R"(
[[actuator]]
name = "F"
on = "s"
[simulate]
until = 1.0
step = 0.1
inputs = { F = "3" }
)",
                                        "p.toml");
    const Simulation run = simulate(p);
    const Scene scene = make_scene(p, run.trajectory);
    EXPECT_GT(item_of(scene, "F").details.front() * run.trajectory.column("cart.x").back(), 0.0) << between;
  }
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

// With friction and a force that changes in time the remainder is an error of quadrature: of second order.
TEST(EnergyBalance, ClosesWithSecondOrder) {
  std::vector<double> error;
  for (const double step : {0.02, 0.01, 0.005}) {
    Problem p = read_problem_text(scene_cart, "p.toml");
    p.settings.of<SimulateSettings>().step = step;
    const auto balance = energy_balance(p, simulate(p).trajectory, false);
    ASSERT_TRUE(balance);
    EXPECT_GT(largest(balance->work), 0.1);
    error.push_back(largest(balance->change));
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2.0, 0.15);
  EXPECT_NEAR(std::log2(error[1] / error[2]), 2.0, 0.15);
}

// Held inputs with constant directions do exactly the work of the discrete equations.
TEST(EnergyBalance, OfLeastEffortClosesToRoundOff) {
  std::string text = scene_cart;
  text.replace(text.find("force = { phi"), std::string("force = { phi = \"-0.1*phi'\" }").size(), "");
  const Problem p = read_problem_text(text, "p.toml");
  const Optimum run = optimize(p);
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  const auto balance = energy_balance(p, run.trajectory, true);
  ASSERT_TRUE(balance);
  constexpr double solver =
      1e-9;  // the equations hold to the tolerance of the solver, 1e-10 relative, in each interval
  EXPECT_LT(largest(balance->change), solver * std::max(1.0, largest(balance->work)));
}

TEST(EnergyBalance, IsLeftOutWhereMotionsAreGivenInTime) {
  std::string text = scene_cart;
  text.replace(text.find("[initial]"), 0, "[[system.constraint]]\nname = \"driven\"\nexpr = \"s - 0.1*sin(t)\"\n");
  const Problem p = read_problem_text(text, "p.toml");
  EXPECT_FALSE(energy_balance(p, simulate(p).trajectory, false));
}

TEST(PaperPlot, HasPanelsByKindAndUnit) {
  const Problem p = read_problem_text(scene_cart, "p.toml");
  const Simulation run = simulate(p);
  const std::string svg = paper_plot(p, run.summary, report_table(p, run.summary, run.trajectory, nullptr));
  std::size_t last = 0;
  for (const char* title : {">outputs [m]<", ">inputs [N]<", ">coordinates [m]<", ">coordinates [rad]<", ">energy [J]<",
                            ">energy change minus work [J]<"}) {
    const std::size_t place = svg.find(title);
    ASSERT_NE(place, std::string::npos) << title;
    EXPECT_GT(place, last) << title;
    last = place;
  }
  EXPECT_EQ(svg.find("drift"), std::string::npos);  // there are no constraints
}

// Inputs of least effort are steps: pieces of the curve are level and upright in turn. And the Hamiltonian is there.
TEST(PaperPlot, HeldInputsAreSteps) {
  const Problem p = read_problem_text(scene_cart, "p.toml");
  const Optimum run = optimize(p);
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  const std::string svg = paper_plot(p, run.summary, report_table(p, run.summary, run.trajectory, &run.costates));
  EXPECT_NE(svg.find(">hamiltonian<"), std::string::npos);
  const std::size_t path = svg.find("d=\"M", svg.rfind("<path", svg.find("<title>F</title>")));
  std::string data = svg.substr(path + 4, svg.find('"', path + 4) - path - 4);  // a place, and pieces after an l
  data.erase(0, data.find('l') + 1);
  std::size_t pieces = 0;
  for (const char* next = data.c_str(); *next != '\0'; ++pieces) {
    char* end = nullptr;
    const long across = std::strtol(next, &end, 10), up = std::strtol(end, &end, 10);
    EXPECT_EQ(pieces % 2 == 0 ? up : across, 0) << data;
    next = end;
  }
  EXPECT_GE(pieces, 2u * 20u - 1u);
}

// However long a motion is, all of it is shown, by rows of the result. Smooth curves through the frames follow it, or
// there are none.
TEST(Frames, FollowAFastMotionToItsEndOrAreHeld) {
  const Problem p = read_problem_text(scene_cart, "p.toml");
  constexpr double unseen = 0.01;  // m: one part in a hundred of the room that the swing takes, 1 m
  for (const double until : {2.0, 20.0, 2000.0, 20000.0}) {
    Trajectory motion{{"t", "s", "phi", "s'", "phi'", "F"}, {}};
    for (double t = 0.0; t <= until; t += 0.01)
      motion.append(std::vector{t, 0.0, std::sin(6.0 * t), 0.0, 6.0 * std::cos(6.0 * t), 0.0});
    const Scene scene = make_scene(p, motion, {.times = {0.57}});
    EXPECT_EQ(scene.time.front(), 0.0);
    EXPECT_EQ(scene.time.back(), motion.row(motion.rows() - 1)[0]);
    EXPECT_NE(std::find(scene.time.begin(), scene.time.end(), motion.row(57)[0]), scene.time.end());
    EXPECT_EQ(scene.held, until > 10000.0) << until;  // 2000 s are 1,900 swings
    EXPECT_EQ(scene.note.find("instants, nothing in between") != std::string::npos, scene.held) << scene.note;
    const SceneItem& rod = item_of(scene, "rod");
    for (std::size_t k = 0; k < scene.time.size(); ++k)
      EXPECT_NEAR(std::hypot(rod.places[4 * k + 2], rod.places[4 * k + 3]), 0.5, 1e-14) << scene.time[k];
    // Half-way between frames at equal distances the cubic is (−1, 9, 9, −1)/16 of the frames around.
    const auto half_way = [&](std::size_t k, std::size_t i) {
      const auto at = [&](std::size_t frame) { return rod.places[4 * frame + i]; };
      return (9.0 * (at(k - 1) + at(k)) - at(k - 2) - at(k + 1)) / 16.0;
    };
    const double usual = scene.time[1] - scene.time[0];
    for (std::size_t k = 2; k + 1 < scene.time.size() && !scene.held; ++k) {
      if (std::abs(scene.time[k + 1] - scene.time[k - 2] - 3.0 * usual) > 0.1 * usual) continue;  // beside 0.57
      EXPECT_NEAR(std::hypot(half_way(k, 2), half_way(k, 3)), 0.5, unseen) << "between frames, at " << scene.time[k];
    }
  }
}

// What slides along the ground has a rail under it wherever it goes, in place of a sign that it leaves behind.
TEST(MechanismScenes, ARailIsAsLongAsTheWay) {
  const Problem p = read_problem_text(R"(
name = "slider"
[world]
dimension = 2
gravity = [0, 0]
[[body]]
name = "cart"
mass = 1.0
inertia = 0.1
position = [1, 2]
velocity = [0.6, 0.8]
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground", "cart"]
at = [1, 2]
axis = [3, 4]
[simulate]
until = 2.0
step = 0.01
)",
                                      "slider.toml");
  const Simulation run = simulate(p);
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  const Scene scene = make_scene(p, run.trajectory);
  const SceneItem& rail = item_of(scene, "rail");
  ASSERT_EQ(rail.kind, SceneItem::Kind::line);
  const SceneItem& cart = item_of(scene, "cart");
  for (std::size_t k = 0; k < scene.time.size(); ++k) {
    const double way = std::hypot(cart.places[2 * k] - rail.places[0], cart.places[2 * k + 1] - rail.places[1]);
    const double rest = std::hypot(cart.places[2 * k] - rail.places[2], cart.places[2 * k + 1] - rail.places[3]);
    const double length = std::hypot(rail.places[2] - rail.places[0], rail.places[3] - rail.places[1]);
    EXPECT_NEAR(way + rest, length, 1e-12) << "on the rail, between its ends";
    EXPECT_LT(length, 1.5 * 2.0) << "it goes 2 m";
  }
}

// A motion that comes back to the same place with every frame does not seem to rest.
TEST(Frames, DoNotMissWhatRepeatsItselfBetweenThem) {
  const Problem p = read_problem_text(scene_cart, "p.toml");
  constexpr std::size_t usual = 240, per_turn = 100, rows = (usual - 1) * per_turn + 1;
  Trajectory motion{{"t", "s", "phi", "s'", "phi'", "F"}, {}};
  for (std::size_t k = 0; k < rows; ++k) {
    const double turns = static_cast<double>(k) / per_turn;
    motion.append(std::vector{turns, 0.0, 0.3 * std::sin(2.0 * M_PI * turns), 0.0, 0.0, 0.0});
  }
  const Scene scene = make_scene(p, motion);
  EXPECT_GT(scene.time.size(), 6 * usual);  // so many in a turn at least for a cubic that misses less than a hundredth
  const SceneItem& rod = item_of(scene, "rod");
  double widest = 0.0;
  for (std::size_t k = 0; k < scene.time.size(); ++k) widest = std::max(widest, rod.places[4 * k + 2]);
  EXPECT_NEAR(widest, 0.5 * std::sin(0.3), 1e-3);  // its highest point is between two frames, where it is flat
}

TEST(ConvexOutline, HoldsAllPointsAndTurnsLeft) {
  std::vector<PlanePoint> points;
  for (int k = 0; k < 200; ++k) points.emplace_back(std::sin(37.0 * k), std::cos(11.0 * k * k));
  points.push_back(points.front());
  const std::vector<PlanePoint> outline = convex_outline(points);
  ASSERT_GE(outline.size(), 3u);
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const PlanePoint a = outline[i], b = outline[(i + 1) % outline.size()];
    for (const PlanePoint& p : points) EXPECT_GE((b - a).x() * (p - a).y() - (b - a).y() * (p - a).x(), -1e-12);
  }
  EXPECT_EQ(convex_outline({{0, 0}, {1, 1}}).size(), 2u);
  EXPECT_EQ(convex_outline({}).size(), 0u);
}

TEST(Snapshots, ShowTheTimesAskedFor) {
  const Problem p = read_problem_text(scene_cart, "p.toml");
  const Simulation run = simulate(p);
  const Scene scene = make_scene(p, run.trajectory);
  EXPECT_EQ(count(snapshots_svg(scene), "<g opacity"), 2u);
  const std::string five = snapshots_svg(p, run.trajectory, {.title = "five"});
  EXPECT_NE(five.find("t = 0, 0.25, 0.5, 0.75, 1 s"), std::string::npos);
  const std::string three = snapshots_svg(scene, {.title = "<&>", .times = {0.0, 0.25, 1.0, 1.0}});
  EXPECT_EQ(count(three, "<g opacity"), 3u);
  EXPECT_NE(three.find("t = 0, 0.25, 1 s"), std::string::npos);
  EXPECT_EQ(three.find("<&>"), std::string::npos);
  EXPECT_EQ(snapshots_svg(Scene{}), "");
  Scene broken = scene;
  for (SceneItem& item : broken.items)
    std::fill(item.places.begin(), item.places.end(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(count(snapshots_svg(broken), "nan"), 0u);
}

}  // namespace
}  // namespace invar
