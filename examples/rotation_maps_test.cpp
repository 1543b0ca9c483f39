// What a choice of scheme and of the map from rotation vectors to rotations costs on the satellite with a manipulator:
// the claims of [Zenzerović 2012, chapter 4], in its three motion cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "examples/compare.h"
#include "invar/read/read_problem.h"
#include "invar/task/simulate/simulate.h"

namespace invar::examples {
namespace {

struct RotationCase {
  const char *model, *reference;
};

constexpr RotationCase rotation_cases[] = {
    {"model.toml", "reference.csv"}, {"free_slider.toml", "free_slider.csv"}, {"two_axes.toml", "two_axes.csv"}};

const fs::path satellite = folder / "satellite_manipulator";

Trajectory run(const RotationCase& c, const std::string& method, RotationMap map, double step = 0.1,
               bool project = true) {
  Problem problem = read_problem(satellite / c.model);
  problem.settings.of<SimulateSettings>().step = step;
  problem.settings.of<SimulateSettings>().every = static_cast<int>(std::lround(1.0 / step));
  problem.settings.of<SimulateSettings>().method = method;
  problem.settings.of<SimulateSettings>().map = map;
  problem.settings.of<SimulateSettings>().project = project;
  const Simulation result = simulate(problem);
  EXPECT_EQ(result.summary.status, RunStatus::done) << result.summary.message;
  return result.trajectory;
}

double distance(const Trajectory& a, const Trajectory& b) {
  double worst = 0.0;
  for (const char* column : {"slider_rod.x", "slider_rod.y", "slider_rod.z"})
    worst = std::max(worst, deviation(a, b, column).amount);
  return worst;
}

double error(const RotationCase& c, const Trajectory& motion) {
  return distance(motion, read_csv(satellite / c.reference));
}

TEST(RotationMaps, CayleyErrsAsMuchAsTheExponential) {
  constexpr double alike = 0.25;  // relative difference of the errors
  constexpr double step = 0.5;    // so large that no error drowns in round-off
  for (const RotationCase& c : rotation_cases)
    for (const std::string method : {"lie-euler", "lie-rk4"}) {
      SCOPED_TRACE(std::string(c.model) + ", " + method);
      const double exponential = error(c, run(c, method, RotationMap::exponential, step));
      const double cayley = error(c, run(c, method, RotationMap::cayley, step));
      EXPECT_NEAR(cayley / exponential, 1.0, alike) << "errors " << cayley << " and " << exponential;
    }
}

TEST(RotationMaps, RotationsStayRotations) {
  constexpr double round_off = 1e-13;
  for (const RotationCase& c : rotation_cases)
    for (const RotationMap map : {RotationMap::exponential, RotationMap::cayley})
      EXPECT_LE(largest(run(c, "lie-rk4", map, 0.5).column("drift.position")), round_off)
          << c.model << ", map " << static_cast<int>(map);
}

TEST(RotationMaps, EulerDiffersFromRungeKuttaByMillimetres) {
  const double difference = distance(run(rotation_cases[0], "lie-euler", RotationMap::exponential),
                                     run(rotation_cases[0], "lie-rk4", RotationMap::exponential));
  EXPECT_GE(difference, 1e-3);
  EXPECT_LE(difference, 2e-3);
}

// Order 4 needs no projection at this step; order 1 does.
TEST(RotationMaps, WhatProjectionDoes) {
  constexpr double tenth_of_a_micrometre = 1e-7, decimetre = 0.1;
  EXPECT_LE(error(rotation_cases[0], run(rotation_cases[0], "lie-rk4", RotationMap::exponential, 0.1, false)),
            tenth_of_a_micrometre);
  EXPECT_GE(error(rotation_cases[0], run(rotation_cases[0], "lie-euler", RotationMap::exponential, 0.1, false)),
            decimetre);
}

// Where rotations do not commute, sums of the plain rates of the stages lose two orders; where they do, nothing shows.
TEST(RotationMaps, ThePrintedSumOfRatesHasOrderTwo) {
  const auto order = [](const RotationCase& c, const std::string& method) {
    return std::log2(error(c, run(c, method, RotationMap::exponential, 0.5)) /
                     error(c, run(c, method, RotationMap::exponential, 0.25)));
  };
  constexpr double tolerance = 0.3;
  EXPECT_NEAR(order(rotation_cases[2], "lie-rk4-printed"), 2.0, tolerance);
  EXPECT_NEAR(order(rotation_cases[2], "lie-rk4"), 4.0, tolerance);
  EXPECT_NEAR(order(rotation_cases[0], "lie-rk4-printed"), 4.0, tolerance);
}

}  // namespace
}  // namespace invar::examples
