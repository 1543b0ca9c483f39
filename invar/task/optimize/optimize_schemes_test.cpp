// Optimal control with every scheme of the table: the same optimum but for the error of the steps, or a refusal in
// words.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/scheme/scheme.h"
#include "invar/task/optimize/optimize.h"

namespace invar {
namespace {

struct Plant {
  const char* name;
  const char* model;
};

// A pendulum that a torque raises, by its angle; the same on a circle; two links of bodies with motors.
const Plant plants[] = {
    {"angle", R"toml(name = "angle"
[system]
coordinates = ["a"]
kinetic = "a'^2/2"
potential = "-9.81*cos(a)"
[[system.input]]
name = "M"
force = { a = "1" }
[initial]
a = 0
[optimize]
horizon = 1.0
rest = true
final = { a = 1 }
)toml"},
    {"circle", R"toml(name = "circle"
[system]
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[[system.constraint]]
name = "rod"
expr = "(x^2 + y^2 - 1)/2"
[[system.input]]
name = "M"
force = { x = "-y", y = "x" }
[initial]
x = 0
y = -1
[optimize]
horizon = 1.0
rest = true
final = { x = "sin(1)", y = "-cos(1)" }
)toml"},
    {"bodies", R"toml(name = "bodies"
[world]
dimension = 2
gravity = [0, -9.81]
[[body]]
name = "link"
mass = 1.0
inertia = 0.1
position = [0, -1]
[[joint]]
name = "base"
type = "revolute"
between = ["ground", "link"]
at = [0, 0]
coordinate = "a"
[[actuator]]
name = "M"
between = ["ground", "link"]
torque = 1
[optimize]
horizon = 1.0
rest = true
final = { a = 1 }
)toml"},
};

double cost(const Plant& plant, std::string_view scheme, int intervals) {
  Problem p = read_problem_text(plant.model, "model.toml");
  p.settings.of<OptimizeSettings>().scheme = scheme;
  p.settings.of<OptimizeSettings>().intervals = intervals;
  const Optimum found = optimize(p);
  EXPECT_EQ(found.summary.status, RunStatus::done) << plant.name << " " << scheme << ": " << found.summary.message;
  return found.summary.part<OptimizationSummary>() ? found.summary.part<OptimizationSummary>()->cost : std::nan("");
}

class OptimizeSchemes : public testing::TestWithParam<std::string_view> {};

TEST_P(OptimizeSchemes, FindTheSameOptimumOrSayWhyNot) {
  constexpr int intervals = 20;
  const Scheme& scheme = *find_scheme(GetParam());
  for (const Plant& plant : plants) {
    // What a mesh twice as fine changes is 3/4 of the error of this one; other schemes have other constants. Of a
    // scheme of first order it is half of its own error.
    const double reference = cost(plant, "energy-momentum", intervals),
                 error = std::abs(reference - cost(plant, "energy-momentum", 2 * intervals));
    try {
      const double found = cost(plant, scheme.info.name, intervals);
      const double tolerance =
          scheme.info.order == 1 ? 3.0 * std::abs(found - cost(plant, scheme.info.name, 2 * intervals)) : 10.0 * error;
      EXPECT_NEAR(found, reference, tolerance) << plant.name << " " << scheme.info.name;
    } catch (const InputError& e) {
      const std::string words = e.what();
      EXPECT_NE(words.find(scheme.info.name), std::string::npos) << words;
      for (const char* internal : {"has no value here", "bug", "a state of", "multiplier of", "an unknown inside"})
        EXPECT_EQ(words.find(internal), std::string::npos) << plant.name << " " << words;
      if (std::string_view(plant.name) == "circle") {
        EXPECT_FALSE(scheme.info.name.starts_with("variational")) << words;
      }
    }
  }
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> list;
  for (const Scheme& s : schemes()) list.push_back(s.info.name);
  return list;
}

INSTANTIATE_TEST_SUITE_P(All, OptimizeSchemes, testing::ValuesIn(names()), [](const auto& of) {
  std::string name(of.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace invar
