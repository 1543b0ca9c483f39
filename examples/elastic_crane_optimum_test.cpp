// Least effort of a crane with a boom that bends and a heavy cable: where the boom becomes stiff, that of a crane with
// a stiff boom, which was computed independently.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "examples/compare.h"
#include "invar/record/initial_table.h"
#include "invar/task/equilibrium/equilibrium.h"
#include "invar/task/optimize/optimize.h"

namespace invar::examples {
namespace {

// The crane of the example with this modulus of elasticity, from where it then rests to 1 m further.
Problem crane_from_rest_to_rest(const std::string& modulus) {
  std::ostringstream all;
  all << std::ifstream(folder / "elastic_crane" / "optimal.toml").rdbuf();
  std::string text = all.str();
  text.replace(text.find("E = 2.1e11"), 10, "E = " + modulus);
  const std::string crane = text.substr(0, text.find("[initial]"));
  const Problem unloaded = read_problem_text(crane, "crane.toml");
  const Outcome rest = find_equilibrium(unloaded);
  EXPECT_EQ(rest.summary.status, RunStatus::done) << rest.summary.message;
  std::vector<double> q;
  for (const Variable& x : unloaded.system.coordinates) q.push_back(rest.trajectory.value(0, x.name()));
  std::ostringstream goal;
  goal.precision(17);
  for (const char* x : {"x", "load.x", "cable.n1.x"})
    goal << '"' << x << "\" = " << rest.trajectory.value(0, x) + 1.0 << '\n';
  for (const char* y : {"boom.n1.y", "boom.n2.y"}) goal << '"' << y << "\" = " << rest.trajectory.value(0, y) << '\n';
  return read_problem_text(crane + initial_table(unloaded.system, q, std::vector<double>(q.size(), 0.0)) +
                               "[optimize]\nhorizon = 2.5\nrest = true\nguess = \"line\"\n[optimize.final]\n" +
                               goal.str(),
                           "crane.toml");
}

double least_effort(Problem problem, int intervals) {
  problem.settings.of<OptimizeSettings>().intervals = intervals;
  const Optimum found = optimize(problem);
  EXPECT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  return found.summary.part<OptimizationSummary>()->cost;
}

TEST(ElasticCraneOptimum, TendsToThatOfAStiffBoom) {
  constexpr double stiff = 12202.64;  // examples/elastic_crane/stiff_optimum.py
  const Problem problem = crane_from_rest_to_rest("2.1e14");
  const double coarse = least_effort(problem, 120), fine = least_effort(problem, 240);
  // Held inputs and steps leave h², of which a third of the change is still to come.
  EXPECT_NEAR(fine + (fine - coarse) / 3.0, stiff, 1e-3 * stiff);
}

}  // namespace
}  // namespace invar::examples
