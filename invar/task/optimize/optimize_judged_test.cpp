// Optimal motions judged by other means: closed forms, finer integration by hand, and limits looked at between the
// nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/task/optimize/optimize.h"

namespace invar {
namespace {

// A unit mass in the plane that two forces push, with this [initial] and [optimize].
Problem mass_in_the_plane(const std::string& rest, const std::string& potential = "0") {
  return read_problem_text(R"toml(name = "mass"
[system]
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
potential = ")toml" + potential +
                               R"toml("
[[system.input]]
name = "ux"
force = { x = "1" }
[[system.input]]
name = "uy"
force = { y = "1" }
)toml" + rest,
                           "mass.toml");
}

// On the cubic through the nodes, at `samples` places of every interval.
double least_between_nodes(const Trajectory& t, const std::function<double(double x, double y)>& f) {
  constexpr int samples = 200;
  double least = INFINITY;
  for (std::size_t k = 0; k + 1 < t.rows(); ++k) {
    const double h = t.value(k + 1, "t") - t.value(k, "t");
    const auto at = [&](const std::string& name, double s) {
      const double a = t.value(k, name), b = t.value(k + 1, name), va = h * t.value(k, name + "'"),
                   vb = h * t.value(k + 1, name + "'");
      return (1 + 2 * s) * (1 - s) * (1 - s) * a + s * (1 - s) * (1 - s) * va + s * s * (3 - 2 * s) * b -
             s * s * (1 - s) * vb;
    };
    for (int i = 0; i <= samples; ++i) {
      const double s = static_cast<double>(i) / samples;
      least = std::min(least, f(at("x", s), at("y", s)));
    }
  }
  return least;
}

TEST(OptimizeJudged, BrachistochroneHasTheTimeOfTheCycloid) {
  // x = R(θ - sin θ), y = -R(1 - cos θ), T = θ √(R/g); from (0, 0) to (2, -1) by bisection.
  constexpr double g = 9.81, x = 2.0, y = 1.0;
  double low = 0.1, high = 6.2;
  while (high - low > 1e-14) {
    const double middle = 0.5 * (low + high);
    ((middle - std::sin(middle)) / (1.0 - std::cos(middle)) < x / y ? low : high) = middle;
  }
  const double exact = low * std::sqrt(y / (1.0 - std::cos(low)) / g);
  EXPECT_NEAR(exact, 0.80556, 1e-5);
  Problem p = mass_in_the_plane(R"toml(
[initial]
x = 0
y = 0
[optimize]
horizon = { min = 0.2, max = 3 }
intervals = 25
refine = 3
cost = "time"
final = { x = 2, y = -1 }
path = [{ expr = "ux*x' + uy*y'", min = 0, max = 0 }]
)toml",
                                "9.81*y");
  const Optimum found = optimize(p);
  ASSERT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  const OptimizationSummary& o = *found.summary.part<OptimizationSummary>();
  ASSERT_TRUE(o.limit) << o.mesh.no_limit;
  EXPECT_NEAR(*o.order, 2.0, 0.3);
  constexpr double next_term = 2e-5;  // (h/T)³ of the finest mesh
  EXPECT_NEAR(*o.limit, exact, next_term * exact);
}

TEST(OptimizeJudged, ObstaclesBetweenNodesAreNotFlownThrough) {
  struct Disc {
    int intervals;
    double radius, offset;
  };
  for (const Disc& d : {Disc{21, 0.1, 0.02}, Disc{15, 0.05, 0.01}, Disc{33, 0.3, -0.1}}) {
    const std::string place = std::to_string(d.offset);
    Problem p = mass_in_the_plane(
        "[initial]\nx = -2\ny = " + place + "\n[optimize]\nhorizon = 1.0\nintervals = " + std::to_string(d.intervals) +
        "\nrest = true\nfinal = { x = 2, y = " + place +
        " }\npath = [{ expr = \"x^2+y^2\", min = " + std::to_string(d.radius * d.radius) + " }]\n");
    const Optimum found = optimize(p);
    ASSERT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
    constexpr double of_limit = 1.1e-3;  // what the program calls nothing
    const double least = least_between_nodes(found.trajectory, [](double x, double y) { return x * x + y * y; });
    EXPECT_GE(least, d.radius * d.radius * (1.0 - of_limit)) << d.intervals;
    // Without the disc it costs 6 N²/(N²-1) times the square of the way; the detour costs more, but not much more.
    const double n2 = d.intervals * d.intervals, straight = 96.0 * n2 / (n2 - 1.0);
    EXPECT_GT(found.summary.part<OptimizationSummary>()->cost, straight);
    EXPECT_LT(found.summary.part<OptimizationSummary>()->cost, 1.2 * straight);
  }
}

TEST(OptimizeJudged, ConditionsThatChangeFasterThanTheMeshAreNoticed) {
  // At t = 1, in the middle of an interval of 0.2 s, the mass must be at y = 0.3; 50 ms before and after nothing is
  // asked.
  Problem p = mass_in_the_plane(R"toml([initial]
x = 0
y = 0
[optimize]
horizon = 2.0
intervals = 9
rest = true
final = { x = 1, y = 0 }
path = [{ expr = "(y - 0.3)*exp(-((t - 1)/0.02)^2)", min = -1e-3, max = 1e-3 }]
)toml");
  const Optimum found = optimize(p);
  ASSERT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  const Trajectory& t = found.trajectory;
  const double h = 2.0 / 9.0;
  const double middle = 0.5 * (t.value(4, "y") + t.value(5, "y")) + 0.125 * h * (t.value(4, "y'") - t.value(5, "y'"));
  EXPECT_NEAR(middle, 0.3, 1.1e-3);
}

TEST(OptimizeJudged, BoundsOnCoordinatesHoldBetweenNodes) {
  // Thrown against a ceiling and back: the height is least bounded by nodes that lie left and right of the top.
  Problem p = mass_in_the_plane(R"toml([initial]
x = 0
y = 0
"y'" = 2
[optimize]
horizon = 1.0
intervals = 5
final = { x = 1, y = 0, "y'" = -2 }
bounds = { y = { max = 0.3 } }
)toml");
  const Optimum found = optimize(p);
  ASSERT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  EXPECT_LE(-least_between_nodes(found.trajectory, [](double, double y) { return -y; }), 0.3 * (1.0 + 1.1e-3));
}

TEST(OptimizeJudged, ConditionsThatNoMotionOfTheMeshKeepsBetweenNodesFail) {
  // The mass must be on one side at one instant and on the other side at a later one, both within one interval.
  Problem p = mass_in_the_plane(R"toml([initial]
x = 0
y = 0
[optimize]
horizon = 2.0
intervals = 4
rest = true
final = { x = 1, y = 0 }
bounds = { ux = [-3, 3] }
path = [{ expr = "(x - 5)*exp(-((t - 1.25)/0.02)^2)", min = -1e-3 }, { expr = "(x + 5)*exp(-((t - 1.3)/0.02)^2)", max = 1e-3 }]
)toml");
  const Optimum found = optimize(p);
  EXPECT_EQ(found.summary.status, RunStatus::failed);
  EXPECT_NE(found.summary.message.find("the motion between the nodes breaks path condition \"(x "), std::string::npos)
      << found.summary.message;
  EXPECT_NE(found.summary.message.find("use more intervals, such as --intervals 8"), std::string::npos);
}

// A pendulum raised by a torque.
Problem pendulum(int intervals, double gravity) {
  return read_problem_text(
      "name = \"pendulum\"\n[system]\ncoordinates = [\"a\"]\nkinetic = \"a'^2/2\"\npotential = \"" +
          std::to_string(-gravity) +
          "*cos(a)\"\n[[system.input]]\nname = \"M\"\nforce = { a = \"1\" }\n[initial]\na = 0\n"
          "[optimize]\nhorizon = 1\nintervals = " +
          std::to_string(intervals) + "\nrest = true\nfinal = { a = 2 }\n",
      "pendulum.toml");
}

// The end of a'' = -g sin a + M by classical Runge-Kutta, M held in every interval.
double end_by_hand(const Optimum& found, double gravity) {
  constexpr int substeps = 50;
  double a = 0.0, v = 0.0;
  const double h = found.summary.until / static_cast<double>(found.inputs.rows()) / substeps;
  for (std::size_t k = 0; k < found.inputs.rows(); ++k)
    for (int i = 0; i < substeps; ++i) {
      const double M = found.inputs.value(k, "M");
      const auto f = [&](double angle) { return -gravity * std::sin(angle) + M; };
      const double a1 = v, v1 = f(a), a2 = v + 0.5 * h * v1, v2 = f(a + 0.5 * h * a1), a3 = v + 0.5 * h * v2,
                   v3 = f(a + 0.5 * h * a2), a4 = v + h * v3, v4 = f(a + h * a3);
      a += h / 6.0 * (a1 + 2 * a2 + 2 * a3 + a4);
      v += h / 6.0 * (v1 + 2 * v2 + 2 * v3 + v4);
    }
  return a;
}

TEST(OptimizeJudged, ErrorOfTheMeshIsWhatTheInputsReallyDo) {
  double before = 0.0;
  for (const int intervals : {10, 20, 40}) {
    const Optimum found = optimize(pendulum(intervals, 9.81));
    ASSERT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
    const auto& error = found.summary.part<OptimizationSummary>()->mesh.error;
    ASSERT_TRUE(error && error->end);
    const double by_hand = std::abs(end_by_hand(found, 9.81) - 2.0);
    constexpr double of_the_finer_steps = 0.03;  // 1/64 and higher powers
    EXPECT_NEAR(*error->end, by_hand, of_the_finer_steps * by_hand);
    EXPECT_NEAR(error->relative, *error->end / 2.0, 1e-9);
    EXPECT_FALSE(error->grows);
    if (before > 0.0) {
      EXPECT_NEAR(before / *error->end, 4.0, 0.5);  // second order
    }
    before = *error->end;
  }
}

TEST(OptimizeJudged, CoarseMeshesAreWarnedOf) {
  const Optimum coarse = optimize(pendulum(4, 30.0));
  const auto& warnings = coarse.summary.warnings;
  EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(), [](const std::string& w) {
    return w.find("away from what its inputs do on finer steps") != std::string::npos &&
           w.find("use more intervals, such as --intervals 8") != std::string::npos;
  }));
  EXPECT_TRUE(optimize(pendulum(40, 9.81)).summary.warnings.empty());
}

TEST(OptimizeJudged, UnstablePlantsAreJudgedByTheirStepsAlone) {
  // a'' = 100 a + M: within 1.5 s errors grow by e^15 = 3e6, so that in open loop nothing is left of the goal, although
  // the mesh is fine.
  const Optimum found = optimize(read_problem_text(
      "name = \"upright\"\n[system]\ncoordinates = [\"a\"]\nkinetic = \"a'^2/2\"\npotential = \"-50*a^2\"\n"
      "[[system.input]]\nname = \"M\"\nforce = { a = \"1\" }\n[initial]\na = 1\n"
      "[optimize]\nhorizon = 1.5\nintervals = 100\nrest = true\nfinal = { a = 2 }\n",
      "upright.toml"));
  ASSERT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  const auto& error = found.summary.part<OptimizationSummary>()->mesh.error;
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->grows);
  EXPECT_LT(error->steps, 0.1);
}

std::string refusal(const std::string& rest) {
  try {
    optimize(mass_in_the_plane(rest));
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(OptimizeJudged, StartsOutsideTheirLimitsAreRefusedByName) {
  const std::string begin =
      "[initial]\nx = 0\ny = 0\n\"x'\" = 0.5\n[optimize]\nhorizon = 1\nrest = true\nfinal = { x = 1, y = 0 }\n";
  const std::string end = "; change the start or the limit";
  EXPECT_EQ(
      refusal(begin + "bounds = { x = [0.5, 2] }"),
      "[optimize]: the start is outside the bound on \"x\": it must be between 0.5 and 2, but [initial] makes it 0" +
          end);
  EXPECT_EQ(
      refusal(begin + "bounds = { \"x'\" = { max = 0.4 } }"),
      "[optimize]: the start is outside the bound on \"x'\": it must be at most 0.4, but [initial] makes it 0.5" + end);
  EXPECT_EQ(refusal(begin + "path = [{ expr = \"x^2 + y^2\", min = 0.01 }]"),
            "[optimize]: the start is outside path condition \"x^2 + y^2\": it must be at least 0.01, but [initial] "
            "makes it 0" +
                end);
  EXPECT_EQ(refusal(begin + "path = [{ expr = \"1/x\", max = 2 }]"),
            "[optimize]: path condition \"1/x\" has no finite value at the start (inf)");
  EXPECT_EQ(refusal(begin + "bounds = { x = [0, 2] }\npath = [{ expr = \"ux + 1\", min = 0 }]"), "accepted");
}

// A mass on a rope around the origin, on which a tangential and no other force acts: it must not go so slow at the top
// that the rope pushes.
Problem rope(const std::string& scheme) {
  return read_problem_text(R"toml(name = "rope"
[system]
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[[system.constraint]]
name = "rope"
expr = "(x^2 + y^2 - 1)/2"
[[system.input]]
name = "M"
force = { x = "-y", y = "x" }
[initial]
x = 0
y = -1
"x'" = 5
[optimize]
horizon = 1.3
intervals = 60
scheme = ")toml" + scheme + R"toml("
final = { x = -1, y = 0 }
path = [{ expr = "lambda.rope", min = 1 }]
)toml",
                           "rope.toml");
}

TEST(OptimizeJudged, MultipliersCanBeLimited) {
  // λ = v² - g y on the unit circle, from the motion alone.
  const Optimum found = optimize(rope("energy-momentum"));
  ASSERT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  double least = INFINITY;
  for (std::size_t k = 0; k + 1 < found.trajectory.rows(); ++k) {
    const auto middle = [&](const char* name) {
      return 0.5 * (found.trajectory.value(k, name) + found.trajectory.value(k + 1, name));
    };
    least = std::min(least, std::pow(middle("x'"), 2) + std::pow(middle("y'"), 2) - 9.81 * middle("y"));
  }
  EXPECT_NEAR(least, 1.0, 0.05);  // h² times the curvature of v² and y
  EXPECT_EQ(found.summary.part<OptimizationSummary>()->active_bounds, std::vector<std::string>{"lambda.rope >= 1"});
}

TEST(OptimizeJudged, MultipliersOfOtherSchemesAreRefusedInWords) {
  for (const char* scheme : {"radau5", "variational", "implicit-euler"}) {
    try {
      optimize(rope(scheme));
      ADD_FAILURE() << scheme;
    } catch (const InputError& e) {
      EXPECT_EQ(std::string(e.what()),
                std::string("[optimize]: path: \"lambda.rope\" contains a multiplier, and scheme ") + scheme +
                    " has none in the middle of the intervals; use energy-momentum or midpoint");
    }
  }
}

TEST(OptimizeJudged, WhatIsNotFiniteIsNamedWithItsTime) {
  Problem p = mass_in_the_plane(R"toml([initial]
x = 1
y = 0
[optimize]
horizon = 1
rest = true
intervals = 10
final = { x = -1, y = 0 }
guess = "line"
path = [{ expr = "sqrt(x)", max = 2 }]
)toml");
  const Optimum found = optimize(p);
  EXPECT_EQ(found.summary.status, RunStatus::failed);
  EXPECT_NE(found.summary.message.find("not finite: bound on sqrt(x) in interval"), std::string::npos)
      << found.summary.message;
  EXPECT_NE(found.summary.message.find("(t = "), std::string::npos);
}

}  // namespace
}  // namespace invar
