// Explicit methods in simulations: settings and what is refused, rows by dense output, the same motion in every
// formulation, redundant constraints, kinks.
#include <gtest/gtest.h>

#include <cmath>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/read/test_models.h"
#include "invar/task/simulate/kinks.h"
#include "invar/task/simulate/simulate.h"

namespace invar {
namespace {

std::string explicit_pendulum(const std::string& settings) {
  return R"toml(name = "pendulum"
[system]
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[[system.constraint]]
name = "rod"
expr = "(x^2 + y^2 - 1)/2"
[initial]
x = 1.0
y = 0.0
[simulate]
until = 3.0
step = 0.01
)toml" + settings;
}

Simulation explicit_run(const std::string& text) { return simulate(read_problem_text(text, "model.toml")); }

std::string explicit_refusal(const std::string& text) {
  try {
    explicit_run(text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

double explicit_gap(const Trajectory& a, const Trajectory& b, const std::string& column) {
  EXPECT_EQ(a.rows(), b.rows());
  const std::vector<double> x = a.column(column), y = b.column(column);
  double most = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}

TEST(ExplicitMethods, RowsOfAdaptiveStepsLieOnTheMotion) {
  const Simulation exact = explicit_run(explicit_pendulum("method = \"radau5\"\n"));
  for (const std::string treatment : {"", "baumgarte = true\n", "baumgarte = [20, 20]\n"}) {
    const Simulation run =
        explicit_run(explicit_pendulum("method = \"dormand-prince\"\nadaptive = 1e-9\n" + treatment));
    ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
    EXPECT_TRUE(run.summary.warnings.empty()) << run.summary.warnings.front();
    EXPECT_LT(run.summary.steps, 1000u) << treatment;
    for (const char* column : {"x", "y", "x'", "y'"})
      EXPECT_LT(explicit_gap(run.trajectory, exact.trajectory, column), 1e-6)
          << column << " " << treatment << ": some hundred steps of 1e-9 each, and the interpolation";
    EXPECT_LT(explicit_gap(run.trajectory, exact.trajectory, "lambda.rod"), 1e-4) << treatment << ": of lower order";
  }
}

TEST(ExplicitMethods, TheErrorAndTheFirstStepAreSettings) {
  const std::string pair = "method = \"dormand-prince\"\n";
  const Simulation usual = explicit_run(explicit_pendulum(pair + "adaptive = 1e-8\n"));
  const Simulation loose = explicit_run(explicit_pendulum(pair + "adaptive = 1e-8\nabsolute = 1e-5\n"));
  const Simulation tried = explicit_run(explicit_pendulum(pair + "adaptive = 1e-8\nfirst_step = 2.0\n"));
  EXPECT_LT(loose.summary.steps, usual.summary.steps / 2);
  EXPECT_GT(tried.summary.rejected_steps, usual.summary.rejected_steps);
}

TEST(ExplicitMethods, WhatCannotBeIsRefusedWithTheReason) {
  EXPECT_EQ(
      explicit_refusal(explicit_pendulum("method = \"midpoint\"\nbaumgarte = true\n")),
      "baumgarte: midpoint keeps the constraints without such terms (at velocity level too with stabilise = true); "
      "they are for rk4, dormand-prince, lie-rk4, lie-dormand-prince and lie-euler");
  EXPECT_EQ(
      explicit_refusal(explicit_pendulum("method = \"rk4\"\nbaumgarte = [400, 400]\n")),
      "baumgarte: with α = 400 and β = 400 errors of the constraints grow 5-fold in every step of 0.01 s with rk4; "
      "take steps below 0.00696 s, smaller numbers, or baumgarte = true, which follows the step");
  EXPECT_EQ(explicit_refusal(explicit_pendulum("method = \"rk4\"\nbaumgarte = [400, 400]\nadaptive = 1e-6\n")), "")
      << "bounds the step";
  EXPECT_NE(
      explicit_refusal(explicit_pendulum("method = \"rk4\"\nstabilise = true\n")).find("has no velocity stabilisation"),
      std::string::npos);
  std::string massless = explicit_pendulum("method = \"rk4\"\n");
  massless.replace(massless.find("\"y\"]"), 3, "\"y\", \"s\"");
  massless.replace(massless.find("9.81*y"), 6, "9.81*y + (s - x)^2");
  massless.replace(massless.find("y = 0.0"), 7, "y = 0.0\ns = 1.0");
  EXPECT_EQ(
      explicit_refusal(massless),
      "rk4: coordinate \"s\" has no mass and no constraint moves it, so that nothing tells its acceleration; use an "
      "implicit method such as radau5 or energy-momentum");
}

// The numbers of the ACROBOTER papers, α = 40 and β = 60 with steps of 0.01 s, for which they report violations of
// millimetres.
TEST(ExplicitMethods, GivenNumbersKeepTheConstraint) {
  const Simulation run = explicit_run(explicit_pendulum("method = \"rk4\"\nbaumgarte = [40, 60]\n"));
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  EXPECT_LT(run.summary.accuracy.drift_position, 1e-3);
}

std::string explicit_chain(const std::string& settings) {
  return test::two_links + "[initial]\n\"beta'\" = 2.0\n[simulate]\nuntil = 1.0\nstep = 0.005\n" + settings;
}

TEST(ExplicitMethods, EveryFormulationGivesTheSameMotion) {
  const Simulation exact = explicit_run(explicit_chain("method = \"radau5\"\nformulation = \"minimal\"\n"));
  for (const std::string how :
       {"formulation = \"director\"\nmethod = \"rk4\"\n", "formulation = \"minimal\"\nmethod = \"dormand-prince\"\n",
        "formulation = \"director\"\nmethod = \"dormand-prince\"\nadaptive = 1e-9\nbaumgarte = true\n",
        "formulation = \"lie\"\nmethod = \"lie-rk4\"\nbaumgarte = true\n",
        "formulation = \"lie\"\nmethod = \"lie-dormand-prince\"\nadaptive = 1e-9\n"}) {
    const Simulation run = explicit_run(explicit_chain(how));
    ASSERT_EQ(run.summary.status, RunStatus::done) << how << run.summary.message;
    for (const char* column : {"tip.x", "tip.y", "tip.z", "beta"})
      EXPECT_LT(explicit_gap(run.trajectory, exact.trajectory, column), 2e-6) << column << " " << how;
  }
  EXPECT_NE(explicit_refusal(explicit_chain("formulation = \"lie\"\nmethod = \"rk4\"\n"))
                .find("needs a method on the rotation group"),
            std::string::npos);
}

// A third crank that adds nothing: it is left out, as with other methods, and stays in place all the same.
TEST(ExplicitMethods, RedundantConstraintsAreLeftOut) {
  const std::string parallelogram = R"toml(name = "parallelogram"
[system]
coordinates = ["x", "y", "th"]
kinetic = "(x'^2 + y'^2) + th'^2/3"
potential = "2*9.81*y"
[[system.constraint]]
name = "left"
expr = "((x - cos(th) + 1)^2 + (y - sin(th))^2 - 1)/2"
[[system.constraint]]
name = "right"
expr = "((x + cos(th) - 1)^2 + (y + sin(th))^2 - 1)/2"
[[system.constraint]]
name = "middle"
expr = "(x^2 + y^2 - 1)/2"
[initial]
x = "sin(1)"
y = "-cos(1)"
th = 0.0
[simulate]
until = 2.0
step = 0.005
method = "dormand-prince"
)toml";
  for (const std::string how : {"", "baumgarte = true\n", "baumgarte = true\nadaptive = 1e-9\n"}) {
    const Simulation run = explicit_run(parallelogram + how);
    ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
    EXPECT_EQ(run.summary.structure.redundant_constraints.size(), 1u) << how;
    EXPECT_LT(run.summary.accuracy.drift_position, 1e-7) << how;
  }
}

// A force that rises along straight lines: kinks are where the lines meet, and steps end there.
TEST(ExplicitMethods, StepsEndWhereSignalsHaveKnots) {
  const std::string cart = R"toml(name = "cart"
[[signal]]
name = "c"
from = 0
to = 1
start = 0.37
duration = 0.4
profile = "linear"
[[signal]]
name = "smooth"
from = 0
to = 1
duration = 1.3
profile = "poly19"
[system]
coordinates = ["x"]
kinetic = "x'^2/2"
force = { x = "c + 0*smooth" }
[initial]
x = 0
[simulate]
until = 2
step = 0.5
method = "dormand-prince"
adaptive = 1e-4
)toml";
  const Problem problem = read_problem_text(cart, "cart.toml");
  EXPECT_EQ(kinks(problem, 5, 1e-4), (std::vector<double>{0.37, 0.77})) << "the other one is smooth enough";
  const Simulation run = simulate(problem);
  // x'' is a polynomial between the kinks: velocity 1.43 - 0.2 at the end, to round-off.
  EXPECT_NEAR(run.trajectory.value(run.trajectory.rows() - 1, "x'"), 2.0 - 0.77 + 0.2, 1e-13);
}

// x'' = x³ from x = x' = 1 reaches infinity before t = 2: no step is small enough there, and no solver is to blame.
TEST(ExplicitMethods, AdaptiveStepsThatComeToAPoleSayTheReason) {
  const std::string ask = R"toml(
[simulate]
until = 10
step = 10
method = "dormand-prince"
formulation = "minimal"
adaptive = 1e-3
)toml";
  const std::string formulas = R"toml(name = "pole"
[system]
coordinates = ["s"]
kinetic = "s'^2/2"
potential = "-s^4/4"
[initial]
s = 1
"s'" = 1
)toml" + ask.substr(0, ask.find("formulation")) +
                               ask.substr(ask.find("adaptive"));
  const std::string bodies = R"toml(name = "pole"
[[body]]
name = "cart"
mass = 1
inertia = [1, 1, 1]
position = [0, 0, 0]
velocity = [1, 0, 0]
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground", "cart"]
axis = [1, 0, 0]
coordinate = "s"
start = 1
[[force]]
on = "cart"
force = ["s^3", 0, 0]
)toml" + ask;
  for (const std::string& model : {formulas, bodies}) {
    const Simulation run = explicit_run(model);
    EXPECT_EQ(run.summary.status, RunStatus::failed);
    EXPECT_NE(run.summary.message.find("its error stays above what \"adaptive\" allows"), std::string::npos)
        << run.summary.message;
  }
}

TEST(Kinks, OfSampledInputsAreTheirVisibleCorners) {
  Problem problem = read_problem_text(explicit_pendulum(""), "model.toml");
  SimulateSettings& settings = problem.settings.of<SimulateSettings>();
  settings.inputs.push_back({"F", std::nullopt, {0.5, 1.0, 1.5, 2.0, 9.0}, {0.0, 1.0, 2.0, 2.0, 2.0}});
  EXPECT_EQ(kinks(problem, 4, 1e-6), (std::vector<double>{0.5, 1.5}));
}

}  // namespace
}  // namespace invar
