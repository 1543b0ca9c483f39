// `auto` tries what can work, in an order that it explains.
#include "invar/task/inverse_method.h"

#include <gtest/gtest.h>

#include "invar/model/read.h"
#include "invar/task/invert.h"

namespace invar {
namespace {

// A pendulum that stands on a cart; the way of the cart is given.
Problem upright(const std::string& trajectory, const std::string& initial = "s = 0.0\nphi = 0.0\n") {
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
  const Problem p = upright("expr = \"t + 0.1*sin(2*t)\"\n[invert]\nuntil = 0.4\n", "s = 0.0\nphi = 0.02\n");
  const Inversion run = invert(p);
  ASSERT_EQ(run.summary.status, "done") << run.summary.message;
  EXPECT_EQ(run.summary.method, "taylor");
  EXPECT_EQ(run.summary.inversion->method_reason,
            "taylor was taken: the trajectories do not begin at rest, so the motion is followed from the given start");
  // The motion is that of the given start.
  EXPECT_DOUBLE_EQ(run.trajectory.value(0, "phi"), 0.02);
}

TEST(InverseMethod, FromRestOnTheBoundedMotionIsSought) {
  const Inversion run = invert(
      upright("from = 0.0\nto = 0.5\nstart = 1.0\nduration = 1.0\nprofile = \"poly9\"\n[invert]\nuntil = 3.0\n"));
  ASSERT_EQ(run.summary.status, "done") << run.summary.message;
  EXPECT_EQ(run.summary.method, "stable-inversion");
  EXPECT_EQ(run.summary.inversion->method_reason,
            "stable-inversion was taken: the internal dynamics is unstable, and of all motions only one stays bounded");
}

TEST(InverseMethod, IfNoneWorksEachIsExplained) {
  // Beyond half the motion no bounded solution exists, and followed from its start the pendulum turns over faster and faster.
  const Inversion run = invert(upright("expr = \"exp(3*t)\"\n[invert]\nuntil = 40.0\n", "s = 1.0\nphi = 0.02\n"));
  EXPECT_EQ(run.summary.status, "failed");
  EXPECT_EQ(run.summary.message.find("no method worked; taylor: "), 0U) << run.summary.message;
  EXPECT_NE(run.summary.message.find("; stable-inversion: "), std::string::npos) << run.summary.message;
  EXPECT_EQ(run.summary.message.find("use --method stable-inversion"), std::string::npos) << "it has been tried";
}

TEST(InverseMethod, TellsWhatWasGivenUp) {
  EXPECT_EQ(choice_in_words({"taylor", "the start is given"}, {{"stable-inversion", "no equilibrium"}}),
            "taylor was taken: the start is given; stable-inversion was given up: no equilibrium");
  EXPECT_EQ(choice_in_words({"direct", ""}, {}), "") << "who asks for a method knows why";
}

}  // namespace
}  // namespace invar
