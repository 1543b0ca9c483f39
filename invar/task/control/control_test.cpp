// Laws of closed loops: order of sampled feedforward, decay of errors under feedback, limits, delay, noise; and
// controllers that cannot start say why.
#include "invar/task/control/control.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"

namespace invar {
namespace {

// A mass on a line, with a hardening spring if k is not zero.
const std::string cart_mass = R"toml(name = "mass"
[parameters]
m = 2.0
k = 0.0
[system]
coordinates = ["x"]
kinetic = "m/2*x'^2"
potential = "k*x^4/4"
[[system.input]]
name = "F"
force = { x = "1" }
[[system.output]]
name = "y"
expr = "x"
[[trajectory]]
outputs = ["y"]
from = [0.0]
to = [1.0]
duration = 1.0
profile = "poly9"
[initial]
x = 0.0
)toml";

Problem mass_with(const std::string& control, const Overrides& overrides = {}) {
  return read_problem_text(cart_mass + "[control]\n" + control, "mass.toml", overrides);
}

ControlRun run_mass(const std::string& control, const Overrides& overrides = {}) {
  return invar::control(mass_with(control, overrides));
}

double largest_error(const ControlRun& run) { return run.summary.part<ControlSummary>()->errors.at(0).largest; }

std::string refusal(const Problem& problem) {
  try {
    invar::control(problem);
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

bool warns(const Summary& summary, const std::string& words) {
  for (const std::string& w : summary.warnings)
    if (w.find(words) != std::string::npos) return true;
  return false;
}

TEST(Feedforward, ErrorShrinksWithTheSquareOfThePeriod) {
  const Overrides spring = {{"k", 20.0}};
  const double coarse = largest_error(run_mass("period = 0.02\nuntil = 1.0\n", spring)),
               fine = largest_error(run_mass("period = 0.01\nuntil = 1.0\n", spring));
  EXPECT_GT(coarse, 0.0);
  constexpr double of_the_next_order = 0.2;
  EXPECT_NEAR(coarse / fine, 4.0, of_the_next_order);
}

TEST(Feedforward, DelayShiftsTheInputs) {
  const ControlRun now = run_mass("period = 0.02\nuntil = 1.0\n"),
                   late = run_mass("period = 0.02\nuntil = 1.0\ndelay = 3\n");
  for (std::size_t k = 0; k < now.inputs.rows(); ++k)
    EXPECT_EQ(late.inputs.value(k, "F"), now.inputs.value(k < 3 ? 0 : k - 3, "F")) << k;
}

TEST(Feedforward, LimitsAndRatesHoldAndAreCounted) {
  constexpr double most = 8.0, rate = 100.0, period = 0.01;
  const std::string head = "period = 0.01\nuntil = 1.0\n";
  const ControlRun free = run_mass(head), limited = run_mass(head + "limits = { F = [-8, 8] }\nrates = { F = 100 }\n");
  std::size_t changed = 0;
  for (std::size_t k = 0; k < limited.inputs.rows(); ++k) {
    const double u = limited.inputs.value(k, "F");
    EXPECT_LE(std::abs(u), most);
    if (k > 0) {
      constexpr double rounding = 1e-12;
      EXPECT_LE(std::abs(u - limited.inputs.value(k - 1, "F")), rate * period + rounding);
    }
    changed += u != free.inputs.value(k, "F");
  }
  EXPECT_GT(changed, 0u);
  EXPECT_LT(changed, limited.inputs.rows());
  EXPECT_EQ(limited.summary.part<ControlSummary>()->samples, limited.inputs.rows());
  EXPECT_DOUBLE_EQ(limited.summary.part<ControlSummary>()->saturated,
                   static_cast<double>(changed) / static_cast<double>(limited.inputs.rows()));
  EXPECT_EQ(free.summary.part<ControlSummary>()->saturated, 0.0);
}

TEST(Noise, IsThatOfItsSeed) {
  const std::string noisy = "controller = \"output-feedback\"\nperiod = 0.01\nuntil = 0.5\nnoise = { x = 1e-3 }\n";
  const ControlRun first = run_mass(noisy + "seed = 4\n"), again = run_mass(noisy + "seed = 4\n"),
                   other = run_mass(noisy + "seed = 5\n");
  std::size_t different = 0;
  for (std::size_t k = 0; k < first.inputs.rows(); ++k) {
    EXPECT_EQ(first.inputs.value(k, "F"), again.inputs.value(k, "F"));
    different += first.inputs.value(k, "F") != other.inputs.value(k, "F");
  }
  EXPECT_EQ(different, first.inputs.rows());
}

// One sample of a mass under output feedback, written down by hand. Without integral the error path is
// e(τ) = exp(-bτ) (e + (e' + b e) τ), with it the derivative of E(τ) = exp(-bτ) (E + (e + b E) τ + (e'/2 + b e + b²
// E/2) τ²); its second derivative in the middle of the sample is held, and the integral is a sum.
Eigen::MatrixXd sample_map(double b, double T, bool integral) {
  const double tau = 0.5 * T, decay = std::exp(-b * tau);
  if (!integral) {
    // e'' = exp(-bτ) (b² P - 2b P')
    const double of_e = decay * (b * b * (1.0 + b * tau) - 2.0 * b * b), of_v = decay * (b * b * tau - 2.0 * b);
    Eigen::MatrixXd map(2, 2);
    map << 1.0 + 0.5 * T * T * of_e, T + 0.5 * T * T * of_v, T * of_e, 1.0 + T * of_v;
    return map;
  }
  // e'' = E''' = exp(-bτ) (-b³ P + 3b² P' - 3b P''), P''' = 0
  const auto third = [&](double p0, double p1, double p2) {
    return decay * (-b * b * b * (p0 + p1 * tau + p2 * tau * tau) + 3.0 * b * b * (p1 + 2.0 * p2 * tau) - 6.0 * b * p2);
  };
  const double of_i = third(1.0, b, 0.5 * b * b), of_e = third(0.0, 1.0, b), of_v = third(0.0, 0.0, 0.5);
  Eigen::MatrixXd map(3, 3);
  map << 1.0, T, 0.0,                                                        //
      0.5 * T * T * of_i, 1.0 + 0.5 * T * T * of_e, T + 0.5 * T * T * of_v,  //
      T * of_i, T * of_e, 1.0 + T * of_v;
  return map;
}

TEST(OutputFeedback, SpectralRadiusOfAChainOfIntegratorsIsKnown) {
  constexpr double by_differences = 1e-4;  // of a repeated eigenvalue, which is sensitive
  for (const bool integral : {false, true}) {
    std::vector<std::string> warnings;
    const ControlSummary c = check_loop(
        mass_with(std::string("controller = \"output-feedback\"\nbandwidth = 4\nperiod = 0.02\nintegral = ") +
                  (integral ? "true" : "false") + "\n"),
        warnings);
    ASSERT_TRUE(c.spectral_radius);
    const double expected = sample_map(4.0, 0.02, integral).eigenvalues().cwiseAbs().maxCoeff();
    EXPECT_NEAR(*c.spectral_radius, expected, by_differences) << integral;
    EXPECT_TRUE(warnings.empty());
  }
}

TEST(OutputFeedback, SpectralRadiusTendsToThatOfTheWantedRate) {
  double before = 1.0;
  for (const double period : {0.02, 0.005, 0.00125}) {
    std::vector<std::string> warnings;
    Problem problem = mass_with("controller = \"output-feedback\"\nbandwidth = 4\nintegral = false\n");
    problem.settings.of<ControlSettings>().period = period;
    const double off = std::abs(std::log(*check_loop(problem, warnings).spectral_radius) / (-4.0 * period) - 1.0);
    EXPECT_LT(off, 4.0 * period);  // the double eigenvalue is off by the root of a second-order error
    EXPECT_LT(off, before);
    before = off;
  }
}

TEST(OutputFeedback, ErrorsDecayAtTheWantedRate) {
  const std::string text =
      "controller = \"output-feedback\"\nbandwidth = 4\nintegral = false\nperiod = 0.001\nuntil = 2.0\n"
      "[plant]\nstart = { x = 0.1 }\n";
  const ControlRun run = run_mass(text);
  constexpr double of_sampling = 1e-6;  // relative to 0.1, some (b T)²
  for (std::size_t k = 0; k < run.trajectory.rows(); k += 100) {
    const double t = run.trajectory.value(k, "t");
    EXPECT_NEAR(run.trajectory.value(k, "error.y"), 0.1 * (1.0 + 4.0 * t) * std::exp(-4.0 * t), of_sampling) << t;
  }
}

TEST(OutputFeedback, TheIntegralRemovesALastingError) {
  const std::string text = "controller = \"output-feedback\"\nbandwidth = 6\nperiod = 0.01\nuntil = 6.0\n",
                    push = "[plant]\nforce = { x = \"3\" }\n";
  const double with = run_mass(text + push).summary.part<ControlSummary>()->errors[0].last,
               without = run_mass(text + "integral = false\n" + push).summary.part<ControlSummary>()->errors[0].last;
  constexpr double forgotten = 1e-9;  // exp(-6·5) and some powers
  EXPECT_LT(std::abs(with), forgotten);
  constexpr double of_sampling = 0.15;                        // the gain of a sampled loop is a little lower
  EXPECT_NEAR(without * 2.0 * 36.0 / 3.0, 1.0, of_sampling);  // m b² e = 3
}

TEST(ComputedTorque, IsStableWithDampingAndSaysSoBefore) {
  const std::string gains = "controller = \"computed-torque\"\nperiod = 0.01\nuntil = 3.0\n";
  const ControlRun good =
      run_mass(gains + "proportional = { x = 50 }\nderivative = { x = 20 }\n[plant]\nstart = { x = 0.1 }\n");
  EXPECT_LT(*good.summary.part<ControlSummary>()->spectral_radius, 1.0);
  constexpr double gone = 1e-3;
  EXPECT_LT(std::abs(good.summary.part<ControlSummary>()->errors[0].last), gone);
  std::vector<std::string> warnings;
  const ControlSummary bad =
      check_loop(mass_with(gains + "proportional = { x = 50 }\nderivative = { x = -20 }\n"), warnings);
  EXPECT_GT(*bad.spectral_radius, 1.0);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("unstable at rest"), std::string::npos);
}

TEST(ControlSummary, AFigureThatIsNotFiniteIsNamed) {
  Summary s;
  s.parts.set(ControlSummary()).errors = {{"x", 0.0, 0.0, 0.0},
                                          {"y", std::numeric_limits<double>::infinity(), 0.0, 0.0}};
  require_finite(s);
  EXPECT_NE(s.message.find("control.errors.2.max"), std::string::npos) << s.message;
}

TEST(CannotStart, WithoutControlOrTrajectories) {
  Problem problem = mass_with("");
  problem.settings.remove<ControlSettings>();
  EXPECT_EQ(refusal(problem), "the model has no [control]: nothing says how to control it");
  problem = mass_with("");
  problem.targets.clear();
  EXPECT_EQ(refusal(problem), "[control]: no output has a trajectory to follow");
}

TEST(CannotStart, WithAnUnknownController) {
  EXPECT_EQ(refusal(mass_with("controller = \"output-feedbak\"\n")),
            "[control]: unknown controller \"output-feedbak\"; did you mean \"output-feedback\"?");
  EXPECT_EQ(refusal(mass_with("controller = \"magic\"\n")),
            "[control]: unknown controller \"magic\"; there are feedforward, computed-torque, output-feedback");
}

TEST(CannotStart, WithWrongNumbers) {
  for (const double period : {0.0, -0.01, std::nan(""), 1.0 / 0.0}) {
    Problem problem = mass_with("");
    problem.settings.of<ControlSettings>().period = period;
    EXPECT_NE(refusal(problem).find("\"period\" must be positive"), std::string::npos) << refusal(problem);
  }
}

TEST(CannotStart, OutputFeedbackOfWhatIsNotFlat) {
  // Two masses and a spring; the input pushes the first, whose place is prescribed: the second swings as it likes.
  const Problem problem = read_problem_text(R"toml(name = "two"
[system]
coordinates = ["a", "b"]
kinetic = "a'^2 + b'^2/2"
potential = "(a - b)^2"
[[system.input]]
name = "F"
force = { a = "1" }
[[system.output]]
name = "y"
expr = "a"
[[trajectory]]
outputs = ["y"]
from = [0]
to = [1]
duration = 1
profile = "poly9"
[initial]
a = 0.0
b = 0.0
[control]
controller = "output-feedback"
)toml",
                                            "two.toml");
  EXPECT_NE(refusal(problem).find("internal dynamics"), std::string::npos) << refusal(problem);
}

TEST(DoubtfulStart, TrajectoryBeginsElsewhere) {
  Problem problem = mass_with("until = 0.1\n");
  problem.q0[0] = 0.2;
  const ControlRun run = invar::control(problem);
  EXPECT_TRUE(warns(run.summary, "the model starts elsewhere than the trajectories: x = 0.2, which they want at 0"));
  EXPECT_NEAR(run.summary.part<ControlSummary>()->errors[0].largest, 0.2, 1e-3);
}

TEST(DoubtfulStart, TrajectoryBeginsWithAnotherVelocity) {
  Problem problem = mass_with("until = 0.1\n");
  problem.v0[0] = 0.5;
  EXPECT_TRUE(warns(invar::control(problem).summary,
                    "the model starts elsewhere than the trajectories: x' = 0.5, which they want at 0"));
}

TEST(DoubtfulStart, AnOffsetOfThePlantIsWhatIsAskedFor) {
  const ControlRun run = run_mass("until = 0.1\n[plant]\nstart = { x = 0.1 }\n");
  EXPECT_FALSE(warns(run.summary, "elsewhere"));
  EXPECT_NEAR(run.trajectory.value(0, "error.y"), 0.1, 1e-15);
}

TEST(DoubtfulStart, SaturatedAtRest) {
  const ControlRun run = run_mass("until = 0.1\nlimits = { F = [1, 2] }\n");
  EXPECT_TRUE(warns(run.summary, "input F must be 0 at rest, beyond its limit 1"));
}

TEST(DoubtfulStart, UnstablePlantWithoutFeedback) {
  const ControlRun run = run_mass("until = 0.1\n", {{"k", 0.0}});
  EXPECT_FALSE(warns(run.summary, "unstable"));
  Problem problem = mass_with("until = 0.1\nperiod = 0.01\n");
  problem.system.potential = -8.0 * positions(problem.system)[0] * positions(problem.system)[0];
  const ControlRun unstable = invar::control(problem);
  EXPECT_TRUE(warns(unstable.summary, "unstable at rest"));
  // m x'' = 16 x: errors grow with exp(√8 t).
  constexpr double of_the_scheme = 1e-4;
  EXPECT_NEAR(*unstable.summary.part<ControlSummary>()->spectral_radius, std::exp(std::sqrt(8.0) * 0.01),
              of_the_scheme);
}

// The plant rings at 1400 rad/s, far beyond what this explicit scheme follows at such steps.
TEST(Control, APlantThatDivergesNumericallyIsAFailure) {
  const std::string ringing = R"toml(name = "ringing"
[system]
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
potential = "1e6*(y - x)^2/2"
[[system.input]]
name = "F"
force = { x = "1" }
[[system.output]]
name = "place"
expr = "x"
[[trajectory]]
outputs = ["place"]
from = [0.0]
to = [1.0]
duration = 1.0
profile = "poly9"
[initial]
x = 0.0
y = 0.01
[control]
controller = "feedforward"
scheme = "lie-rk4"
period = 0.01
)toml";
  Problem problem = read_problem_text(ringing + "until = 1.0\n", "ringing.toml");
  const ControlRun run = invar::control(problem);
  EXPECT_EQ(run.summary.status, RunStatus::failed);
  EXPECT_NE(run.summary.message.find(" is not finite at t = 0."), std::string::npos) << run.summary.message;
  for (const double x : run.trajectory.values) EXPECT_TRUE(std::isfinite(x));
  problem.settings.of<ControlSettings>().until = 0.3;
  const ControlRun earlier = invar::control(problem);
  EXPECT_EQ(earlier.summary.status, RunStatus::failed);
  EXPECT_NE(earlier.summary.message.find("the motion has diverged"), std::string::npos) << earlier.summary.message;
}

}  // namespace
}  // namespace invar
