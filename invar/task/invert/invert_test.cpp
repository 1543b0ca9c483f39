// Laws of inversion: all methods agree, the inputs reproduce the outputs, isolated singular instants are told. Wishes
// that cannot be met: examples/wishes_test.cpp.
#include "invar/task/invert/invert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/read/test_models.h"

namespace invar {
namespace {

// The planar overhead crane.
std::string crane(const std::string& trajectory, const std::string& outputs = test::load_outputs) {
  return test::overhead_crane(outputs) + "[initial]\ns = 0.0\nl = 4.0\nx = 0.0\nz = -4.0\n" + trajectory;
}

std::string move(const std::string& profile = "poly9", double duration = 3.0, const std::string& to = "[5.0, -1.0]") {
  return "[[trajectory]]\noutputs = [\"load_x\", \"load_z\"]\nfrom = [0.0, -4.0]\nto = " + to +
         "\nduration = " + std::to_string(duration) + "\nprofile = \"" + profile + "\"\n[invert]\nstep = 0.05\n";
}

Problem read(const std::string& text) { return read_problem_text(text, "crane.toml"); }

TEST(Invert, ReproducesThePublishedInputsOfTheCrane) {
  // Closed-form flat solution at t = 0.75, 1.5, 2.25 s [Y. Yang, KIT 2017, sec. 5.3.1].
  const Inversion run = invert(read(crane(move())));
  ASSERT_EQ(run.summary.status, RunStatus::done);
  const double expected[][3] = {
      {15, 417.51828439, -139.218377455}, {30, 6.87007358509, -92.5752122356}, {45, -497.26170677, -81.44126094}};
  for (const auto& [row, force, moment] : expected) {
    EXPECT_NEAR(run.trajectory.value(static_cast<std::size_t>(row), "F"), force, 1e-8)
        << "the digits that are published";
    EXPECT_NEAR(run.trajectory.value(static_cast<std::size_t>(row), "M"), moment, 1e-8);
  }
  EXPECT_EQ(run.summary.part<InversionSummary>()->index, 5);
  EXPECT_TRUE(run.summary.part<InversionSummary>()->flat);
  EXPECT_LT(*run.summary.part<InversionSummary>()->round_trip, 1e-9);
  EXPECT_NE(run.summary.part<InversionSummary>()->verdict.find("tension.cable stays positive"), std::string::npos);
}

TEST(Invert, EveryMethodTendsToTheSameInputs) {
  const Inversion exact = invert(read(crane(move())));
  for (const char* method : {"minimal-extension", "minimal-extension-1", "projection", "direct"}) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      Problem p = read(crane(move()));
      p.settings.of<InvertSettings>().method = method;
      p.settings.of<InvertSettings>().step = k == 0 ? 0.01 : 0.005;
      p.settings.of<InvertSettings>().verify = false;
      const Inversion run = invert(p);
      ASSERT_EQ(run.summary.status, RunStatus::done) << method;
      const std::size_t stride = k == 0 ? 5 : 10;
      error[k] = 0.0;
      for (std::size_t i = 10; i < exact.trajectory.rows(); ++i)  // away from the knot at the start
        error[k] = std::max(error[k], std::abs(run.trajectory.value(i * stride, "F") - exact.trajectory.value(i, "F")));
    }
    if (std::string(method) == "minimal-extension-1") {
      EXPECT_LT(error[1], 1e-9) << "algebraic: exact at every step size";
    } else {
      EXPECT_NEAR(std::log2(error[0] / error[1]), 1.0, 0.15) << method << ": implicit Euler, first order in the inputs";
    }
  }
}

TEST(Invert, HiddenStructureIsFound) {
  std::string text = crane(move());
  text.replace(text.find("[[system.constraint]]"), text.find("[[system.input]]") - text.find("[[system.constraint]]"),
               "");
  text.replace(text.find("x = 0.0\nz = -4.0"), 16, "phi = 0.0");
  text += "[reduce]\ncoordinates = [\"s\", \"l\", \"phi\"]\nmap = { x = \"s + l*sin(phi)\", z = \"-l*cos(phi)\" }\n";
  const Inversion minimal = invert(read(text)), redundant = invert(read(crane(move())));
  EXPECT_EQ(minimal.summary.part<InversionSummary>()->formal_index, 3);
  EXPECT_EQ(minimal.summary.part<InversionSummary>()->index, 5);
  EXPECT_TRUE(minimal.summary.part<InversionSummary>()->flat);
  for (std::size_t k = 0; k < minimal.trajectory.rows(); ++k)
    EXPECT_NEAR(minimal.trajectory.value(k, "F"), redundant.trajectory.value(k, "F"), 1e-9);
}

// Pulley without mass, guided by cable 1 from (-7.5, -4) and hanging in cable 2, which runs over it to the load.
constexpr const char* pulley = R"TOML(
name = "pulley"
[system]
coordinates = ["L1", "L2", "L0", "x0", "z0", "x", "z"]
kinetic = "5*L1'^2 + 5*L2'^2 + 50*(x'^2 + z'^2)"
potential = "981*z"
[[system.constraint]]
name = "cable1"
expr = "((x0 + 7.5)^2 + (z0 + 4)^2 - L1^2)/2"
tension = "L1"
[[system.constraint]]
name = "upper"
expr = "(x0^2 + z0^2 - L0^2)/2"
[[system.constraint]]
name = "lower"
expr = "((x - x0)^2 + (z - z0)^2 - (L2 - L0)^2)/2"
[[system.input]]
name = "u1"
force = { L1 = "10" }
[[system.input]]
name = "u2"
force = { L2 = "10" }
[[system.output]]
name = "load_x"
expr = "x"
[[system.output]]
name = "load_z"
expr = "z"
[initial]
L1 = 7.5663
L2 = 15.0
L0 = 5.0
x0 = 0.0
z0 = -5.0
x = 0.0
z = -15.0
[[trajectory]]
outputs = ["load_x", "load_z"]
from = [0.0, -15.0]
to = [-5.0, -12.0]
duration = 3.0
profile = "poly9"
[invert]
step = 0.01
)TOML";

TEST(Invert, TellsWhereTheEquationsAreSingular) {
  const Inversion run = invert(read(pulley));
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  const std::vector<InversionSummary::Singular>& times = run.summary.part<InversionSummary>()->singular_times;
  ASSERT_EQ(times.size(), 3U) << run.summary.part<InversionSummary>()->verdict;
  EXPECT_EQ(times[0].t, 0.0);
  // A pulley without mass is held by the tensions alone: with none in cable 1 nothing keeps it from sliding along the
  // stretched cable 2. So these are the instants at which cable 1 begins and ceases to push.
  const std::vector<double> t = run.trajectory.column("t"), tension = run.trajectory.column("tension.cable1");
  std::vector<double> zeros;
  for (std::size_t k = 2; k < t.size(); ++k)
    if (tension[k - 1] * tension[k] < 0.0)
      zeros.push_back(t[k - 1] + (t[k] - t[k - 1]) * tension[k - 1] / (tension[k - 1] - tension[k]));
  ASSERT_EQ(zeros.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(times[k + 1].t, zeros[k], 1e-3) << "straight lines between steps of 0.01";
    EXPECT_EQ(times[k + 1].vanishing, (std::vector<std::string>{"lambda.cable1"}));
    EXPECT_NE(std::find(times[k + 1].open.begin(), times[k + 1].open.end(), "z0"), times[k + 1].open.end());
  }
  EXPECT_NE(run.summary.part<InversionSummary>()->verdict.find("The equations are singular at t = 0, "),
            std::string::npos);
}

TEST(Invert, SimulatesAPulleyWithoutMassFromARegularInstantOn) {
  const Inversion run = invert(read(pulley));
  ASSERT_TRUE(run.summary.part<InversionSummary>()->round_trip);
  EXPECT_LT(*run.summary.part<InversionSummary>()->round_trip, 1e-9) << "steps of 0.0075 s with a scheme of order five";
  EXPECT_GT(run.summary.part<InversionSummary>()->round_trip_from, 0.0);
  EXPECT_LT(run.summary.part<InversionSummary>()->round_trip_from, 0.05 * 3.0);
}

TEST(Invert, NamesAnUnknownMethod) {
  Problem p = read(crane(move()));
  p.settings.of<InvertSettings>().method = "tailor";
  try {
    invert(p);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "unknown method \"tailor\"; did you mean \"taylor\"?");
  }
}

// A pendulum that hangs from a cart.
Problem hanging(const std::string& output, const std::string& trajectory) {
  return read(R"TOML(
name = "hanging"
[system]
coordinates = ["s", "phi"]
kinetic = "s'^2 + ((s' + 0.6*cos(phi)*phi')^2 + (0.6*sin(phi)*phi')^2)/4"
potential = "-0.5*9.81*0.6*cos(phi)"
[[system.input]]
name = "F"
force = { s = "1" }
[[system.output]]
name = "y"
expr = ")TOML" +
              output + "\"\n[initial]\ns = 0.0\nphi = 0.0\n[[trajectory]]\noutputs = \"y\"\n" + trajectory);
}

TEST(Invert, SaysSoIfTheTrajectoryBeginsAwayFromTheStart) {
  const std::string move = "duration = 1.0\nprofile = \"poly9\"\n";
  const Inversion elsewhere = invert(hanging("s", "from = 1.0\nto = 2.0\n" + move));
  ASSERT_EQ(elsewhere.summary.warnings.size(), 1U);
  EXPECT_EQ(elsewhere.summary.warnings[0],
            "output \"y\" is 0 by [initial], but its trajectory begins at 1: the motion begins on the trajectory, with "
            "s = 1 instead of 0");
  EXPECT_TRUE(invert(hanging("s", "from = 0.0\nto = 2.0\n" + move)).summary.warnings.empty());
}

TEST(Invert, HasWordsForOutputsThatAreVelocities) {
  const std::string verdict = invert(hanging("s'", "from = 0.0\nto = 1.5\nduration = 1.0\nprofile = \"poly9\"\n"))
                                  .summary.part<InversionSummary>()
                                  ->verdict;
  EXPECT_NE(verdict.find("Every output is changed by the inputs directly."), std::string::npos) << verdict;
  EXPECT_EQ(verdict.find("the formulas alone suggest"), std::string::npos) << verdict;
}

TEST(Invert, CountsOneStateAsOne) {
  // m x'' = u - x', and the output is x' + x: y' + y'' remain free but for one state.
  const Problem p = read_problem_text(R"TOML(
name = "one"
[system]
coordinates = ["x"]
kinetic = "x'^2/2"
force = { x = "-x'" }
[[system.input]]
name = "u"
force = { x = "1" }
[[system.output]]
name = "y"
expr = "x' + x"
[initial]
x = 0.0
[[trajectory]]
outputs = "y"
from = 0.0
to = 1.0
duration = 1.0
profile = "poly5"
)TOML",
                                      "one.toml");
  const std::string verdict = invert(p).summary.part<InversionSummary>()->verdict;
  EXPECT_NE(verdict.find("internal dynamics with 1 state and eigenvalue -1 at rest, stable"), std::string::npos)
      << verdict;
}

TEST(Invert, NamesTheProfileOfEachOutput) {
  const std::string verdict = invert(read(crane(R"TOML(
[[trajectory]]
outputs = "load_x"
from = 0.0
to = 3.0
duration = 3.0
profile = "poly9"
[[trajectory]]
outputs = "load_z"
from = -4.0
to = -4.0
)TOML")))
                                  .summary.part<InversionSummary>()
                                  ->verdict;
  EXPECT_NE(verdict.find("load_x, load_z must be four times continuously differentiable; they are (load_x: 5-6-7-8-9 "
                         "polynomial; load_z: constant)"),
            std::string::npos)
      << verdict;
}

TEST(Invert, InputsComeInAFileOfTheirOwn) {
  const Inversion run = invert(read(crane(move())));
  EXPECT_EQ(run.inputs.columns, (std::vector<std::string>{"t", "F", "M"}));
  EXPECT_EQ(run.inputs.rows(), run.trajectory.rows());
}

}  // namespace
}  // namespace invar
