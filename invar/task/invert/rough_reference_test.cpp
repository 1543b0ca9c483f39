// References that lack derivatives: refused, unless they are accepted; then the pieces between the knots are right and
// a warning stays.
#include <gtest/gtest.h>

#include <cmath>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/task/invert/invert.h"

namespace invar {
namespace {

// m x'' = F, and x shall follow a profile from 0 to 1 in the first second.
Problem rough_cart(const std::string& profile, bool accept) {
  Problem problem = read_problem_text(R"toml(name = "cart"
[system]
coordinates = ["x"]
kinetic = "x'^2"
[[system.input]]
name = "F"
force = { x = "1" }
[[system.output]]
name = "place"
expr = "x"
[[trajectory]]
outputs = "place"
from = 0
to = 1
duration = 1
profile = ")toml" + profile + R"toml("
[initial]
x = 0
[invert]
until = 1.5
step = 0.05
)toml",
                                      "cart.toml");
  problem.settings.of<InvertSettings>().accept_rough_reference = accept;
  return problem;
}

bool tells_of(const std::vector<std::string>& list, const std::string& words) {
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& w) { return w.find(words) != std::string::npos; });
}

TEST(RoughReference, IsRefusedUnlessItIsAccepted) {
  for (const char* profile : {"poly3", "linear"}) {
    EXPECT_THROW(invert(rough_cart(profile, false)), InputError) << profile;
    const Inversion run = invert(rough_cart(profile, true));
    EXPECT_EQ(run.summary.status, RunStatus::done) << profile << ": " << run.summary.message;
    EXPECT_TRUE(tells_of(run.summary.warnings, "accepted as it is: trajectory of output \"place\": the inputs need 2"));
    EXPECT_TRUE(tells_of(run.summary.warnings, "where derivatives jump (t = 0, 1")) << profile;
  }
}

// 3τ² - 2τ³ has the second derivative 6 - 12τ; before its end the force is twice that, and zero afterwards.
TEST(RoughReference, PiecesBetweenTheKnotsAreExact) {
  const Inversion run = invert(rough_cart("poly3", true));
  for (std::size_t i = 0; i < run.inputs.rows(); ++i) {
    const double t = run.inputs.value(i, "t");
    if (std::abs(t - 1.0) < 1e-9 || t == 0.0) continue;
    EXPECT_NEAR(run.inputs.value(i, "F"), t < 1.0 ? 2.0 * (6.0 - 12.0 * t) : 0.0, 1e-12) << t;
  }
}

// A jump of the speed is an impulse, which no finite force is: a simulation stays behind, and the run says so.
TEST(RoughReference, WhatVerificationFindsIsToldAndIsNoFailure) {
  const Inversion run = invert(rough_cart("linear", true));
  EXPECT_TRUE(
      tells_of(run.summary.warnings, "the inputs do not stand the test, as is to be expected of a rough reference"));
}

TEST(RoughReference, SmoothOnesAreNotConcerned) {
  const Inversion run = invert(rough_cart("poly5", true));
  EXPECT_EQ(run.summary.status, RunStatus::done);
  EXPECT_FALSE(tells_of(run.summary.warnings, "accepted"));
}

}  // namespace
}  // namespace invar
