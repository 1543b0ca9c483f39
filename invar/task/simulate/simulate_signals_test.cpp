// Signals of a model in a simulation are functions of time like any other, wherever they stand.
#include <gtest/gtest.h>

#include "invar/base/error.h"
#include "invar/model/trajectory/profile.h"
#include "invar/read/read_problem.h"
#include "invar/scheme/scheme.h"
#include "invar/task/check/verdict.h"
#include "invar/task/invert/invert.h"
#include "invar/task/simulate/simulate.h"

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
  ASSERT_EQ(run.summary.status, RunStatus::done);
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

// A driven constraint x = 3 c takes the force m x'' = 6 c'' without the input.
TEST(SimulateSignals, ConstraintsFollowThemWithEveryScheme) {
  for (const Scheme& scheme : schemes()) {
    if (scheme.info.open_chains) continue;  // a cart is no chain of bodies
    Problem problem =
        read_problem_text(cart("[[system.constraint]]\nname = \"driven\"\nexpr = \"x - 3*c\"\n"), "cart.toml");
    problem.settings.of<SimulateSettings>().method = scheme.info.name;
    problem.settings.of<SimulateSettings>().inputs.clear();
    const Simulation run = simulate(problem);
    ASSERT_EQ(run.summary.status, RunStatus::done) << scheme.info.name << ": " << run.summary.message;
    const std::vector<double> t = run.trajectory.column("t"), x = run.trajectory.column("x"),
                              drift = run.trajectory.column("drift.position");
    for (std::size_t i = 0; i < t.size(); ++i) {
      double c[1];
      problem.signals[0].function->series(t[i], Side::right, c);
      EXPECT_NEAR(x[i], 3.0 * c[0], 1e-12) << scheme.info.name << " at " << t[i];
      EXPECT_NEAR(drift[i], 0.0, 1e-12) << scheme.info.name;
    }
    EXPECT_NO_THROW(check(problem));
  }
}

// Forces and potentials: m x'' = 6 c'' and V = -6 c'' x both give x = 3 c.
TEST(SimulateSignals, ForcesAndPotentialsFollowThemWithEveryScheme) {
  constexpr double second_order = 1e-3;  // steps of 0.01 and a third derivative of some 20
  for (const char* key : {"force = { x = \"6*c''\" }", "potential = \"-6*c''*x\""})
    for (const Scheme& scheme : schemes()) {
      if (scheme.info.open_chains) continue;
      std::string text = cart("");
      text.insert(text.find("[[system.input]]"), std::string(key) + "\n");
      Problem problem = read_problem_text(text, "cart.toml");
      problem.settings.of<SimulateSettings>().method = scheme.info.name;
      problem.settings.of<SimulateSettings>().inputs.clear();
      const Simulation run = simulate(problem);
      ASSERT_EQ(run.summary.status, RunStatus::done) << scheme.info.name << ": " << run.summary.message;
      const double allowed = scheme.info.order == 1 ? 30.0 * second_order : second_order;
      const std::size_t last = run.trajectory.rows() - 1;
      for (std::size_t i = 0; i <= last; i += 50) {
        double c[1];
        problem.signals[0].function->series(run.trajectory.value(i, "t"), Side::right, c);
        EXPECT_NEAR(run.trajectory.value(i, "x"), 3.0 * c[0], allowed) << scheme.info.name << " with " << key;
      }
    }
}

// A crane whose rail is lifted while the wind blows: the simulation that checks the inputs knows both.
TEST(SimulateSignals, InputsAreCheckedWithThem) {
  const std::string model = R"toml(name = "crane"
[system]
coordinates = ["s", "l", "x", "z"]
kinetic = "5*s'^2 + 5*l'^2 + 50*(x'^2 + z'^2)"
potential = "981*z"
force = { x = "wind" }
[[system.constraint]]
name = "cable"
expr = "((x - s)^2 + (z - lift)^2 - l^2)/2"
[[system.input]]
name = "F"
force = { s = "1" }
[[system.input]]
name = "M"
force = { l = "10" }
[[system.output]]
name = "load_x"
expr = "x"
[[system.output]]
name = "load_z"
expr = "z"
[initial]
s = 0
l = 4
x = 0
z = -4
[[signal]]
name = "lift"
from = 0
to = 0.5
duration = 2
profile = "poly9"
[[signal]]
name = "wind"
from = 0
to = 30
duration = 1
profile = "poly5"
[[trajectory]]
outputs = ["load_x", "load_z"]
from = [0, -4]
to = [5, -1]
duration = 3
profile = "poly9"
)toml";
  const Inversion run = invert(read_problem_text(model, "crane.toml"));
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  ASSERT_TRUE(run.summary.part<InversionSummary>()->round_trip);
  EXPECT_LT(*run.summary.part<InversionSummary>()->round_trip, 1e-9) << "order five, steps of 0.0075";
  // The wind appears in an equation of which two derivatives are needed.
  std::string rough = model;
  rough.replace(rough.find("poly5"), 5, "poly3");
  try {
    invert(read_problem_text(rough, "crane.toml"));
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "signal \"wind\": the inputs need 2 continuous derivatives, but the 2-3 polynomial has 1; choose a "
                 "smoother profile, such as poly5");
  }
}

}  // namespace
}  // namespace invar
