// Laws of inversion: all methods agree, the inputs reproduce the outputs, impossible wishes are refused with their reason.
#include "invar/task/invert.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/expr/error.h"
#include "invar/model/read.h"

namespace invar {
namespace {

// The planar overhead crane.
std::string crane(const std::string& trajectory, const std::string& outputs = R"TOML(
[[system.output]]
name = "load_x"
expr = "x"
[[system.output]]
name = "load_z"
expr = "z"
)TOML") {
  return R"TOML(
name = "crane"
[parameters]
mt = 10.0
m = 100.0
J = 0.1
r = 0.1
g = 9.81
[system]
coordinates = ["s", "l", "x", "z"]
kinetic = "mt/2*s'^2 + J/(2*r^2)*l'^2 + m/2*(x'^2 + z'^2)"
potential = "m*g*z"
[[system.constraint]]
name = "cable"
expr = "((x - s)^2 + z^2 - l^2)/2"
tension = "l"
[[system.input]]
name = "F"
force = { s = "1" }
[[system.input]]
name = "M"
force = { l = "1/r" }
)TOML" + outputs +
         R"TOML(
[initial]
s = 0.0
l = 4.0
x = 0.0
z = -4.0
)TOML" + trajectory;
}

std::string move(const std::string& profile = "poly9", double duration = 3.0, const std::string& to = "[5.0, -1.0]") {
  return "[[trajectory]]\noutputs = [\"load_x\", \"load_z\"]\nfrom = [0.0, -4.0]\nto = " + to +
         "\nduration = " + std::to_string(duration) + "\nprofile = \"" + profile + "\"\n[invert]\nstep = 0.05\n";
}

Problem read(const std::string& text) { return read_problem_text(text, "crane.toml"); }

std::string refusal(const std::string& text) {
  try {
    invert(read(text));
  } catch (const InputError& e) {
    return e.what();
  }
  return "not refused";
}

TEST(Invert, ReproducesThePublishedInputsOfTheCrane) {
  // Closed-form flat solution at t = 0.75, 1.5, 2.25 s [Y. Yang, KIT 2017, sec. 5.3.1].
  const Inversion run = invert(read(crane(move())));
  ASSERT_EQ(run.summary.status, "done");
  const double expected[][3] = {
      {15, 417.51828439, -139.218377455}, {30, 6.87007358509, -92.5752122356}, {45, -497.26170677, -81.44126094}};
  for (const auto& [row, force, moment] : expected) {
    EXPECT_NEAR(run.trajectory.value(static_cast<std::size_t>(row), "F"), force, 1e-8)
        << "the digits that are published";
    EXPECT_NEAR(run.trajectory.value(static_cast<std::size_t>(row), "M"), moment, 1e-8);
  }
  EXPECT_EQ(run.summary.inversion->index, 5);
  EXPECT_TRUE(run.summary.inversion->flat);
  EXPECT_LT(*run.summary.inversion->round_trip, 1e-9);
  EXPECT_NE(run.summary.inversion->verdict.find("tension.cable stays positive"), std::string::npos);
}

TEST(Invert, EveryMethodTendsToTheSameInputs) {
  const Inversion exact = invert(read(crane(move())));
  for (const char* method : {"minimal-extension", "minimal-extension-1", "projection", "direct"}) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      Problem p = read(crane(move()));
      p.invert.method = method;
      p.invert.step = k == 0 ? 0.01 : 0.005;
      p.invert.verify = false;
      const Inversion run = invert(p);
      ASSERT_EQ(run.summary.status, "done") << method;
      const std::size_t stride = k == 0 ? 5 : 10;
      error[k] = 0.0;
      for (std::size_t i = 10; i < exact.trajectory.rows(); ++i)  // away from the knot at the start
        error[k] = std::max(error[k], std::abs(run.trajectory.value(i * stride, "F") - exact.trajectory.value(i, "F")));
    }
    if (std::string(method) == "minimal-extension-1") {
      EXPECT_LT(error[1], 1e-9) << "algebraic: exact at every step size";
    } else {
      EXPECT_NEAR(std::log2(error[0] / error[1]), 1.0, 0.15) << method << ": backward Euler, first order in the inputs";
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
  EXPECT_EQ(minimal.summary.inversion->formal_index, 3);
  EXPECT_EQ(minimal.summary.inversion->index, 5);
  EXPECT_TRUE(minimal.summary.inversion->flat);
  for (std::size_t k = 0; k < minimal.trajectory.rows(); ++k)
    EXPECT_NEAR(minimal.trajectory.value(k, "F"), redundant.trajectory.value(k, "F"), 1e-9);
}

TEST(Invert, StopsAtAPole) {
  // The load would have to accelerate downwards faster than it falls, at t = 0.675 s.
  const Inversion run = invert(read(crane(move("poly9", 1.2))));
  EXPECT_EQ(run.summary.status, "failed");
  EXPECT_NE(run.summary.message.find("no solution continues beyond t = 0.675"), std::string::npos)
      << run.summary.message;
}

TEST(Invert, RefusesATrajectoryThatIsNotSmoothEnough) {
  EXPECT_EQ(refusal(crane(move("poly7"))),
            "trajectory of output \"load_x\": the inputs need 4 continuous derivatives, but the 4-5-6-7 polynomial has "
            "3; choose a "
            "smoother profile, such as poly9");
}

TEST(Invert, RefusesTooFewTrajectories) {
  const std::string one =
      "[[trajectory]]\noutputs = [\"load_x\"]\nfrom = 0.0\nto = 5.0\nduration = 3.0\nprofile = \"poly9\"\n";
  EXPECT_EQ(refusal(crane(one)), "1 outputs are prescribed but there are 2 inputs; inversion needs as many");
}

TEST(Invert, RefusesDependentOutputs) {
  const std::string twice =
      "\n[[system.output]]\nname = \"load_x\"\nexpr = \"x\"\n[[system.output]]\nname = \"load_z\"\nexpr = \"2*x\"\n";
  const std::string text = refusal(crane(move("poly9", 3.0, "[5.0, 6.0]"), twice));
  EXPECT_EQ(text.find("cannot be inverted"), 0U) << text;
}

TEST(Invert, RefusesAnOutputThatNoInputReaches) {
  std::string text = crane(move());
  text.replace(text.find("coordinates = [\"s\", \"l\", \"x\", \"z\"]"), 34,
               "coordinates = [\"s\", \"l\", \"x\", \"z\", \"w\"]");
  text.replace(text.find("m/2*(x'^2 + z'^2)"), 17, "m/2*(x'^2 + z'^2) + w'^2");
  text.replace(text.find("expr = \"z\"\n"), 11, "expr = \"w\"\n");
  text.replace(text.find("z = -4.0\n"), 9, "z = -4.0\nw = -4.0\n");
  const std::string message = refusal(text);
  EXPECT_EQ(message.find("cannot be inverted"), 0U) << message;
}

TEST(Invert, WarnsWhereACableWouldHaveToPush) {
  // Upside down: the load above the trolley is held by a "cable" under pressure.
  std::string text = crane(
      "[[trajectory]]\noutputs = [\"load_x\", \"load_z\"]\nfrom = [0.0, 4.0]\nto = [1.0, 4.0]\nduration = 3.0\nprofile "
      "= \"poly9\"\n");
  text.replace(text.find("z = -4.0\n"), 9, "z = 4.0\n");
  const Inversion run = invert(read(text));
  ASSERT_FALSE(run.summary.warnings.empty());
  EXPECT_NE(run.summary.warnings[0].find("tension.cable is negative between t = 0 and t = 3"), std::string::npos)
      << run.summary.warnings[0];
}

TEST(Invert, NamesAnUnknownMethod) {
  Problem p = read(crane(move()));
  p.invert.method = "tailor";
  try {
    invert(p);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "unknown method \"tailor\"; did you mean \"taylor\"?");
  }
}

TEST(Invert, InputsComeInAFileOfTheirOwn) {
  const Inversion run = invert(read(crane(move())));
  EXPECT_EQ(run.inputs.columns, (std::vector<std::string>{"t", "F", "M"}));
  EXPECT_EQ(run.inputs.rows(), run.trajectory.rows());
}

}  // namespace
}  // namespace invar
