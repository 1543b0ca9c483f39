// Section forces of beams and strings in results of inversions: by Newton's law for what hangs below a section.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "invar/read/read_problem.h"
#include "invar/task/invert/invert.h"

namespace invar {
namespace {

// A carriage lifts a load of 2 kg that hangs on 3 m of heavy string, or of a heavy bar, by 0.5 m within 1 s.
std::string lift(const std::string& member) {
  return R"toml(
name = "lift"
[world]
dimension = 2
gravity = [0, -10]
[[body]]
name = "carriage"
mass = 1.0
inertia = 1.0
position = [0, 0]
[[joint]]
name = "guide"
type = "prismatic"
between = ["ground", "carriage"]
axis = [0, 1]
coordinate = "y"
[[body]]
name = "load"
mass = 2.0
inertia = 0.1
position = [0, -3]
[[actuator]]
name = "F"
on = "y"
[[output]]
name = "height"
expr = "load.y"
[[trajectory]]
outputs = "height"
from = -3.0
to = -2.5
duration = 1.0
profile = "poly9"
[invert]
step = 0.1
)toml" + member +
         "points = [[0, 0], [0, -3]]\nmass_per_length = 0.5\nelements = 2\nfrom = \"carriage\"\nto = \"load\"\n";
}

constexpr const char* string = "[[string]]\nname = \"line\"\ninextensible = true\n";
constexpr const char* bar = "[[beam]]\nname = \"line\"\nEI = 500\nrigid = [\"shear\", \"extension\"]\n";

// The second derivative of 126x⁵ − 420x⁶ + 540x⁷ − 315x⁸ + 70x⁹.
double acceleration(double x) {
  return 2520.0 * std::pow(x, 3) - 12600.0 * std::pow(x, 4) + 22680.0 * std::pow(x, 5) - 17640.0 * std::pow(x, 6) +
         5040.0 * std::pow(x, 7);
}

void expect_what_is_below(const char* member) {
  const Inversion run = invert(read_problem_text(lift(member), "lift.toml"));
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  constexpr double solved = 1e-8;  // where Newton's method stops
  for (std::size_t k = 0; k < run.trajectory.rows(); ++k) {
    const double pull = 10.0 + 0.5 * acceleration(run.trajectory.value(k, "t"));
    // Two Gauss points in each of two elements of 1.5 m, where a linear tension is exact.
    for (int point = 1; point <= 4; ++point) {
      const double s = 0.75 * (point <= 2 ? 1.0 : 3.0) + (point % 2 == 1 ? -0.75 : 0.75) / std::sqrt(3.0);
      const double below = (2.0 + 0.5 * (3.0 - s)) * pull;
      EXPECT_NEAR(run.trajectory.value(k, "line." + std::to_string(point) + ".N"), below, solved * below);
    }
  }
}

TEST(MemberForces, AStringBearsTheWeightAndTheInertiaBelow) { expect_what_is_below(string); }
TEST(MemberForces, ABarDoesSoToo) { expect_what_is_below(bar); }

TEST(MemberForces, AStringThatIsPushedIsTold) {
  std::string text = lift(string);
  text.replace(text.find("to = -2.5"), 9, "to = -6.0");
  const Inversion run = invert(read_problem_text(text, "lift.toml"));
  const auto& warnings = run.summary.warnings;
  EXPECT_TRUE(std::ranges::any_of(warnings, [](const std::string& w) {
    return w.find("string \"line\": is compressed by up to ") == 0;
  })) << testing::PrintToString(warnings);
}

}  // namespace
}  // namespace invar
