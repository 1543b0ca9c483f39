// Feedforward uses only inputs that have been judged, each at its time.
#include <gtest/gtest.h>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/task/control/control.h"
#include "invar/task/inverse_structure/invert_settings.h"

namespace invar {
namespace {

TEST(Feedforward, TakesTheInputsOfABoundedMotionAtTheirTimes) {
  // The inputs of an elastic arm whose tip shall move begin before t = 0, and their instants are not those of the
  // samples.
  const Problem problem = read_problem_text(R"TOML(
name = "elastic arm"
[system]
coordinates = ["a", "b"]
kinetic = "2/3*a'^2 + (a' + b')^2/6 + cos(b)*a'*(a' + b')/2"
potential = "25*b^2"
force = { b = "-b'/4" }
[[system.input]]
name = "M"
force = { a = "1" }
[[system.output]]
name = "tip"
expr = "a + b/2"
[initial]
a = 0.0
b = 0.0
[[trajectory]]
outputs = "tip"
from = 0.0
to = "pi/3"
start = 1.0
duration = 1.5
profile = "poly9"
[control]
controller = "feedforward"
period = 0.005
until = 3.0
)TOML",
                                            "arm.toml");
  const ControlRun run = control(problem);
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  constexpr double held = 2e-3;  // inputs that are held for 5 ms, in a motion of 1.5 s
  EXPECT_LT(run.summary.part<ControlSummary>()->errors[0].largest, held);
}

TEST(Feedforward, RefusesInputsThatASimulationRefutes) {
  Problem problem = read_problem_text(R"TOML(
name = "chain"
[system]
coordinates = ["a", "b", "c"]
kinetic = "(a'^2 + b'^2 + c'^2)/2"
potential = "20*((b - a)^2 + (c - b)^2)"
[[system.input]]
name = "F"
force = { a = "1" }
[[system.output]]
name = "far"
expr = "c"
[initial]
a = 0.0
b = 0.0
c = 0.0
[[trajectory]]
outputs = "far"
from = 0.0
to = 1.0
duration = 3.0
profile = "poly13"
[control]
controller = "feedforward"
period = 0.01
until = 3.0
)TOML",
                                      "chain.toml");
  EXPECT_LT(control(problem).summary.part<ControlSummary>()->errors[0].largest, 1e-2);
  problem.settings.of<InvertSettings>().method = "direct";
  problem.settings.of<InvertSettings>().integrator = "radau5";
  try {
    control(problem);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()).find("feedforward: the inputs are wrong: "), 0U) << e.what();
  }
}

}  // namespace
}  // namespace invar
