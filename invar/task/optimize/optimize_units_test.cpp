// Optimal control in other units: lengths d, masses m and times T change the least effort ½∫u² by m² d² / T³ and
// nothing else.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "invar/read/read_problem.h"
#include "invar/task/optimize/optimize.h"

namespace invar {
namespace {

struct Units {
  double mass, length, time;
  double effort() const { return mass * mass * length * length / std::pow(time, 3); }
};

double least_effort(const std::string& potential, const Units& unit) {
  const Optimum found = optimize(read_problem_text(
      fmt::format(
          "name = \"mass\"\n[parameters]\nm = {}\nd = {}\nT = {}\n[system]\ncoordinates = [\"x\"]\n"
          "kinetic = \"m*x'^2/2\"\npotential = \"{}\"\n[[system.input]]\nname = \"u\"\nforce = {{ x = \"1\" }}\n"
          "[initial]\nx = 0\n[optimize]\nhorizon = \"T\"\nintervals = 40\nrest = true\nfinal = {{ x = \"d\" }}\n",
          unit.mass, unit.length, unit.time, potential),
      "mass.toml"));
  EXPECT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  EXPECT_EQ(found.summary.part<OptimizationSummary>()->second_order, SecondOrder::minimum);
  return found.summary.part<OptimizationSummary>()->cost / unit.effort();
}

TEST(OptimizeUnits, TheLeastEffortIsTheSameInAllUnits) {
  constexpr double solver = 1e-7;  // slopes are met to 1e-10 of the largest, costs better
  for (const std::string potential : {"0", "10*m*d^2/T^2*(1 - cos(2*x/d))"}) {
    const double usual = least_effort(potential, {1.0, 1.0, 1.0});
    for (const Units& unit :
         {Units{1e-9, 1e-6, 1.0}, {1e-6, 1e-3, 1.0}, {1e-6, 1e-6, 1e-3}, {1e3, 1e3, 1.0}, {1e3, 1.0, 1e3}})
      EXPECT_NEAR(least_effort(potential, unit), usual, solver * usual)
          << potential << " " << unit.mass << " " << unit.length << " " << unit.time;
  }
}

}  // namespace
}  // namespace invar
