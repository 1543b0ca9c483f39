// Law of swarms: each simulation goes its own way as it would alone, in lanes or not, in one thread or more.
#include "invar/task/simulate/swarm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/task/run/simulate_settings.h"
#include "invar/task/simulate/prepared_simulation.h"

namespace invar {
namespace {

constexpr const char* cart_pole = R"toml(name = "cart pole"
[[signal]]
name = "wind"
expr = "sin(3*t)"
[system]
coordinates = ["s", "th"]
kinetic = "s'^2/2 + 0.3/2*(s'^2 + s'*cos(th)*th' + 0.25*th'^2)"
potential = "1.5*cos(th)"
force = { s = "wind - 0.1*s'", th = "-0.01*th'*t" }
[[system.input]]
name = "F"
force = { s = "1" }
[initial]
s = 0.0
th = 0.2
[simulate]
step = 0.01
)toml";

constexpr const char* arm = R"toml(name = "arm"
[world]
gravity = [0, 0, -9.81]
[[body]]
name = "upper"
mass = 2.0
inertia = [0.1, 0.2, 0.3]
position = [0.5, 0, 0]
[[body]]
name = "lower"
mass = 1.0
inertia = [0.05, 0.1, 0.07]
position = [1.5, 0, 0]
[[joint]]
name = "shoulder"
type = "spherical"
between = ["ground", "upper"]
at = [0, 0, 0]
[[joint]]
name = "elbow"
type = "revolute"
between = ["upper", "lower"]
at = [1, 0, 0]
axis = [0, 1, 0]
coordinate = "bend"
[[actuator]]
name = "F"
on = "bend"
[simulate]
step = 0.01
)toml";

Prepared prepared_with(const char* text, const std::string& method) {
  Problem p = read_problem_text(text, "m.toml", {},
                                std::string(text) == arm ? std::optional<std::string>("minimal") : std::nullopt);
  p.settings.of<SimulateSettings>().method = method;
  return Prepared(std::move(p));
}

struct Way {
  std::vector<double> q, v;
};

// One simulation alone, by the stepper.
Way alone(const Prepared& prepared, const State& start, double force, int steps) {
  Stepper stepper = prepared.part<PreparedSimulation>().stepper();
  const double h = prepared.problem().settings.of<SimulateSettings>().step;
  stepper.start(start, h);
  for (int k = 0; k < steps; ++k) stepper.advance(h, [&](double, std::span<double> u) { std::ranges::fill(u, force); });
  return {{stepper.q().begin(), stepper.q().end()}, {stepper.v().begin(), stepper.v().end()}};
}

void expect_own_ways(const char* text, const std::string& method, bool in_lanes, int threads, double tolerance) {
  SCOPED_TRACE(method);
  constexpr std::size_t count = 300;  // more than a block of lanes
  constexpr int steps = 50;
  const Prepared prepared = prepared_with(text, method);
  const PreparedSimulation& ready = prepared.part<PreparedSimulation>();
  Swarm swarm(prepared, count);
  EXPECT_EQ(swarm.in_lanes(), in_lanes);
  const std::size_t n = swarm.coordinates();
  std::vector<State> starts;
  std::vector<double> forces;
  for (std::size_t p = 0; p < count; ++p) {
    State wanted = ready.start.point().state;
    wanted.q[n - 1] += 0.01 * static_cast<double>(p % 17);
    wanted.v[0] += 0.1 * std::sin(static_cast<double>(p));
    forces.push_back(std::cos(static_cast<double>(p)));
    starts.push_back(ready.start.consistent(wanted, std::vector<double>(swarm.inputs())));
    if (p > 0) swarm.start(p, wanted.q, wanted.v);
  }
  starts[0] = ready.start.point().state;
  swarm.advance(forces, steps, threads);
  std::vector<double> q(n), v(n);
  for (std::size_t p = 0; p < count; p += 37) {
    const Way way = alone(prepared, starts[p], forces[p], steps);
    swarm.state(p, q, v);
    EXPECT_FALSE(swarm.failed(p));
    EXPECT_NEAR(swarm.t(p), 0.5, 1e-12);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(q[i], way.q[i], tolerance) << p;
      EXPECT_NEAR(v[i], way.v[i], tolerance) << p;
    }
  }
}

TEST(Swarm, FormulasInLanesGoAsAlone) {
  constexpr double by_newton = 1e-10;  // alone, accelerations are solved for
  expect_own_ways(cart_pole, "rk4", true, 1, by_newton);
  expect_own_ways(cart_pole, "dormand-prince", true, 2, by_newton);
}

TEST(Swarm, TreesInLanesGoAsAlone) {
  constexpr double round_off = 1e-12;
  expect_own_ways(arm, "rk4", true, 2, round_off);
}

TEST(Swarm, OthersGoOneAfterTheOther) {
  expect_own_ways(cart_pole, "energy-momentum", false, 2, 1e-9);
  expect_own_ways(cart_pole, "radau5", false, 1, 1e-9);
}

// x'' = -3 √x has no value below x = 0, where x = 1 with x' = -3 arrives within 0.4 s; from x = 9 at rest it takes
// longer than 1 s, since x'' is -9 at most.
TEST(Swarm, WhoCannotGoOnStaysAndTheOthersGo) {
  for (const std::string method : {"rk4", "radau5"}) {
    SCOPED_TRACE(method);
    Problem p = read_problem_text(
        "name = \"fall\"\n[system]\ncoordinates = [\"x\"]\nkinetic = \"x'^2/2\"\nforce = { x = \"-3*sqrt(x)\" }\n"
        "[initial]\nx = 1\n\"x'\" = -3\n[simulate]\nstep = 0.01\n",
        "fall.toml");
    p.settings.of<SimulateSettings>().method = method;
    Swarm swarm(Prepared(std::move(p)), 2);
    swarm.start(1, std::vector{9.0}, std::vector{0.0});
    swarm.advance({}, 100);
    EXPECT_TRUE(swarm.failed(0));
    EXPECT_FALSE(swarm.failed(1));
    EXPECT_LT(swarm.t(0), 0.4);
    EXPECT_NEAR(swarm.t(1), 1.0, 1e-12);
    std::vector<double> q(1), v(1);
    swarm.state(0, q, v);
    EXPECT_TRUE(std::isfinite(q[0]) && std::isfinite(v[0]));
    const double stuck = q[0];
    swarm.advance({});
    swarm.state(0, q, v);
    EXPECT_EQ(q[0], stuck);
    swarm.start(0);
    EXPECT_FALSE(swarm.failed(0));
    EXPECT_EQ(swarm.t(0), 0.0);
  }
}

TEST(Swarm, AdaptiveStepsAreRefused) {
  Problem p = read_problem_text(cart_pole, "m.toml");
  p.settings.of<SimulateSettings>().adaptive = 1e-6;
  EXPECT_THROW(Swarm(Prepared(std::move(p)), 2), InputError);
}

}  // namespace
}  // namespace invar
