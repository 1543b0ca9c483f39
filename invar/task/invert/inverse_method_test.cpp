// `auto` tries what can work, in an order that it explains.
#include "invar/task/invert/inverse_method.h"

#include <gtest/gtest.h>

#include "invar/read/read_problem.h"
#include "invar/task/invert/invert.h"

namespace invar {
namespace {

// A pendulum that stands on a cart; the way of the cart is given.
Problem upright_model(const std::string& trajectory, const std::string& initial = "s = 0.0\nphi = 0.0\n") {
  return read_problem_text(R"TOML(
name = "upright"
[system]
coordinates = ["s", "phi"]
kinetic = "s'^2 + ((s' + 0.6*cos(phi)*phi')^2 + (0.6*sin(phi)*phi')^2)/4"
potential = "0.5*9.81*0.6*cos(phi)"
[[system.input]]
name = "F"
force = { s = "1" }
[[system.output]]
name = "way"
expr = "s"
[[trajectory]]
outputs = "way"
)TOML" + trajectory + "[initial]\n" +
                               initial,
                           "upright.toml");
}

TEST(InverseMethod, TrajectoriesThatDoNotBeginAtRestAreFollowed) {
  const Problem p = upright_model("expr = \"t + 0.1*sin(2*t)\"\n[invert]\nuntil = 0.4\n", "s = 0.0\nphi = 0.02\n");
  const Inversion run = invert(p);
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  EXPECT_EQ(run.summary.method, "taylor");
  EXPECT_EQ(run.summary.part<InversionSummary>()->method_reason,
            "taylor was taken: the trajectories do not begin at rest, so the motion is followed from the given start");
  // The motion is that of the given start.
  EXPECT_DOUBLE_EQ(run.trajectory.value(0, "phi"), 0.02);
}

TEST(InverseMethod, FromRestOnTheBoundedMotionIsSought) {
  const Inversion run = invert(
      upright_model("from = 0.0\nto = 0.5\nstart = 1.0\nduration = 1.0\nprofile = \"poly9\"\n[invert]\nuntil = 3.0\n"));
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  EXPECT_EQ(run.summary.method, "stable-inversion");
  EXPECT_EQ(run.summary.part<InversionSummary>()->method_reason,
            "stable-inversion was taken: the internal dynamics is unstable, and of all motions only one stays bounded");
}

TEST(InverseMethod, IfNoneWorksEachIsExplained) {
  // An elastic arm, unstable inside, shall reach farther than it is long.
  const Problem p = read_problem_text(R"TOML(
name = "elastic arm"
[system]
coordinates = ["a", "b"]
kinetic = "2/3*a'^2 + (a' + b')^2/6 + cos(b)*a'*(a' + b')/2"
potential = "b^2/2"
[[system.input]]
name = "M"
force = { a = "1" }
[[system.output]]
name = "height"
expr = "sin(a + b/2)"
[initial]
a = 0.0
b = 0.0
[[trajectory]]
outputs = "height"
from = 0.0
to = 1.5
duration = 1.0
profile = "poly9"
)TOML",
                                      "arm.toml");
  const Inversion run = invert(p);
  EXPECT_EQ(run.summary.status, RunStatus::failed);
  EXPECT_EQ(run.summary.message.find("no method worked; stable-inversion: "), 0U) << run.summary.message;
  EXPECT_NE(run.summary.message.find("; taylor: the internal dynamics is unstable and has left all bounds at "),
            std::string::npos)
      << run.summary.message;
  EXPECT_EQ(run.summary.message.find("use --method stable-inversion"), std::string::npos) << "it has been tried";
}

TEST(InverseMethod, TellsWhatWasGivenUp) {
  EXPECT_EQ(choice_in_words({InverseMethod::taylor, "the start is given"},
                            {{InverseMethod::stable_inversion, "no equilibrium"}}),
            "taylor was taken: the start is given; stable-inversion was given up: no equilibrium");
  EXPECT_EQ(choice_in_words({InverseMethod::direct, ""}, {}), "") << "who asks for a method knows why";
}

}  // namespace
}  // namespace invar
