// Signals of a model in a simulation: as inputs and in outputs they are functions of time, elsewhere they are refused.
#include <gtest/gtest.h>

#include "invar/expr/error.h"
#include "invar/model/profile.h"
#include "invar/model/read.h"
#include "invar/task/simulate.h"
#include "invar/task/verdict.h"

namespace invar {
namespace {

std::string cart(const std::string& extra) {
  return R"toml(name = "cart"
[parameters]
m = 2.0
[[signal]]
name = "c"
from = 0
to = 1
start = 0.5
duration = 2
profile = "three-phase"
accelerate = 0.5
[system]
coordinates = ["x"]
kinetic = "m/2*x'^2"
[[system.input]]
name = "F"
force = { x = "1" }
[[system.output]]
name = "behind"
expr = "3*c - x + c'"
)toml" + extra +
         "[initial]\nx = 0\n[simulate]\nuntil = 3\nstep = 0.01\nmethod = \"radau5\"\ninputs = { F = \"m*3*c''\" }\n";
}

// m x'' = 3 m c'' from rest gives x = 3 c.
TEST(SimulateSignals, InputsAndOutputsFollowThem) {
  constexpr double scheme_error = 1e-6;  // c is only C⁴ and the steps are 0.01
  const Problem problem = read_problem_text(cart(""), "cart.toml");
  const Simulation run = simulate(problem);
  ASSERT_EQ(run.summary.status, "done");
  const std::vector<double> t = run.trajectory.column("t"), x = run.trajectory.column("x");
  const std::vector<double> force = run.trajectory.column("F"), behind = run.trajectory.column("behind");
  for (std::size_t i = 0; i < t.size(); ++i) {
    double c[3];
    problem.signals[0].function->series(t[i], Side::right, c);
    EXPECT_NEAR(x[i], 3.0 * c[0], scheme_error) << t[i];
    EXPECT_NEAR(force[i], 2.0 * 3.0 * 2.0 * c[2], 1e-12) << t[i];
    EXPECT_NEAR(behind[i], 3.0 * c[0] - x[i] + c[1], 1e-12) << t[i];
  }
  EXPECT_NO_THROW(check(problem));
}

TEST(SimulateSignals, ElsewhereTheyAreRefused) {
  const Problem problem =
      read_problem_text(cart("[[system.constraint]]\nname = \"driven\"\nexpr = \"x - 3*c\"\n"), "cart.toml");
  try {
    simulate(problem);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "signal \"c\" in constraint \"driven\": invar simulate cannot use signals there yet");
  }
}

}  // namespace
}  // namespace invar
