// Singular configurations on the way: found when they are passed, at the time that is known, and only then.
#include "invar/task/simulate/singular_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "invar/model/tables/mechanism_test_support.h"
#include "invar/task/simulate/simulate.h"

namespace invar {
namespace {

// Crank of length `crank` and rocker of length 1 on a base of length 1, in the plane, crank upright; without gravity.
// With equal cranks it is a parallelogram, whose inertia is the same in every position, so that it turns evenly.
std::string four_bar(double crank, double speed) {
  const double tilt = 1.0 - crank;  // of the coupler
  return "[parameters]\nr = " + std::to_string(crank) + "\nw = " + std::to_string(speed) + R"toml(
[world]
dimension = 2
[[body]]
name = "crank"
mass = 1
inertia = 0.1
position = [0, "r/2"]
velocity = ["-w*r/2", 0]
angular_velocity = "w"
[[body]]
name = "coupler"
mass = 1
inertia = 0.1
position = [0.5, ")toml" +
         std::to_string(crank + 0.5 * tilt) + R"toml("]
velocity = ["-w*r", 0]
[[body]]
name = "rocker"
mass = 1
inertia = 0.1
position = [1, 0.5]
velocity = ["-w*r/2", 0]
angular_velocity = "w*r"
[[joint]]
name = "A"
type = "revolute"
between = ["ground", "crank"]
at = [0, 0]
[[joint]]
name = "B"
type = "revolute"
between = ["crank", "coupler"]
at = [0, "r"]
[[joint]]
name = "C"
type = "revolute"
between = ["coupler", "rocker"]
at = [1, 1]
[[joint]]
name = "D"
type = "revolute"
between = ["rocker", "ground"]
at = [1, 0]
[simulate]
method = "radau5"
step = 0.02
)toml";
}

Summary run(const std::string& text, double until, const std::string& formulation = "director") {
  Problem p = test::read(text, formulation);
  p.settings.of<SimulateSettings>().until = until;
  return simulate(p).summary;
}

TEST(SingularPath, ParallelogramLiesFlatEveryHalfTurn) {
  constexpr double in_time = 1e-4;  // radau5 at this step, and cubic interpolation
  for (const std::string formulation : {"director", "minimal"}) {
    const Summary s = run(four_bar(1.0, -1.0), 5.0, formulation);
    ASSERT_EQ(s.status, RunStatus::done) << s.message;
    const auto& found = s.structure.singular_configurations;
    ASSERT_EQ(found.size(), 2u) << formulation;
    EXPECT_NEAR(found[0].t, 0.5 * std::numbers::pi, in_time);
    EXPECT_NEAR(found[1].t, 1.5 * std::numbers::pi, in_time);
    EXPECT_EQ(found[0].dependent, 1u);
    ASSERT_EQ(s.warnings.size(), 1u);
    EXPECT_NE(s.warnings[0].find("singular configuration met at t = 1.571, 4.712 s: joint"), std::string::npos)
        << s.warnings[0];
  }
}

TEST(SingularPath, AllJointsOfTheLoopTakePart) {
  const Summary s = run(four_bar(1.0, -1.0), 2.0);
  ASSERT_EQ(s.structure.singular_configurations.size(), 1u);
  EXPECT_EQ(s.structure.singular_configurations[0].parts, std::vector<std::string>({"A", "B", "C", "D"}));
}

TEST(SingularPath, NothingIsSaidBeforeItIsReached) { EXPECT_TRUE(run(four_bar(1.0, -1.0), 1.5).warnings.empty()); }

TEST(SingularPath, CrankAndRockerTurnWithout) {
  // The crank passes both dead centres of the rocker, which are singular for a drive at the rocker but not for the
  // constraints.
  for (const std::string formulation : {"director", "minimal"}) {
    const Summary s = run(four_bar(0.4, -3.0), 6.0, formulation);
    ASSERT_EQ(s.status, RunStatus::done) << s.message;
    EXPECT_TRUE(s.structure.singular_configurations.empty()) << s.structure.singular_configurations[0].t;
    EXPECT_TRUE(s.warnings.empty());
  }
}

TEST(SingularPath, AVanishingGradientIsFound) {
  // A bead runs along the line y = x of the pair x² = y² at constant speed and meets the crossing.
  Problem p;
  for (const char* name : {"x", "y"}) p.system.add_coordinate(name);
  const Exprs q = positions(p.system), v = velocities(p.system);
  p.system.kinetic = 0.5 * (v[0] * v[0] + v[1] * v[1]);
  p.system.potential = 0.0;
  p.system.add_constraint("lines", 0.5 * (q[0] * q[0] - q[1] * q[1]));
  PassedStates path;
  for (int k = 0; k <= 10; ++k) {
    const double x = 1.0 - 0.19 * k, speed[] = {-0.95, -0.95};
    const double place[] = {x, x};
    path.pass(0.2 * k, place, speed);
  }
  const auto found = singular_configurations(p.system, path, {}, PartNames(p));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].t, 1.0 / 0.95, 1e-6);
  EXPECT_EQ(found[0].parts, std::vector<std::string>({"lines"}));
}

TEST(SingularPath, LongPathsAreThinnedOut) {
  PassedStates path;
  for (int k = 0; k < 100000; ++k) {
    const double x[] = {1.0 * k};
    path.pass(0.01 * k, x, x);
  }
  EXPECT_LE(path.count(), 2000u);
  EXPECT_GE(path.count(), 1000u);
  for (std::size_t k = 1; k < path.count(); ++k) {
    EXPECT_EQ(path.q(k)[0] - path.q(k - 1)[0], path.q(1)[0] - path.q(0)[0]);
    EXPECT_EQ(path.t(k), 0.01 * path.q(k)[0]);
  }
  path.forget_after(500.0);
  EXPECT_EQ(path.t(path.count() - 1), 500.0 - std::fmod(500.0, path.t(1)));
}

}  // namespace
}  // namespace invar
