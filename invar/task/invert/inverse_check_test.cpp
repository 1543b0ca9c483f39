// Inversions are judged by simulation and by the equations between the instants: wrong inputs fail whatever method
// found them, right ones pass also where the plant is unstable.
#include "invar/task/invert/inverse_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "invar/read/read_problem.h"
#include "invar/task/inverse_structure/inverse_structure.h"
#include "invar/task/invert/invert.h"

namespace invar {
namespace {

Problem read_model(const std::string& text) { return read_problem_text(text, "model.toml"); }

// Load on a sling below a hook on a hoist: index 7, too much for an integrator on the original equations.
constexpr const char* double_crane = R"TOML(
name = "double crane"
[system]
coordinates = ["s", "l", "x1", "z1", "x2", "z2"]
kinetic = "8*s'^2 + 12*l'^2 + 2*(x1'^2 + z1'^2) + 20*(x2'^2 + z2'^2)"
potential = "39.24*z1 + 392.4*z2"
[[system.constraint]]
name = "hoist"
expr = "((x1 - s)^2 + z1^2 - l^2)/2"
[[system.constraint]]
name = "sling"
expr = "((x2 - x1)^2 + (z2 - z1)^2 - 1)/2"
[[system.input]]
name = "F"
force = { s = "1" }
[[system.input]]
name = "M"
force = { l = "10" }
[[system.output]]
name = "load_x"
expr = "x2"
[[system.output]]
name = "load_z"
expr = "z2"
[initial]
s = 0.0
l = 4.0
x1 = 0.0
z1 = -4.0
x2 = 0.0
z2 = -5.0
[[trajectory]]
outputs = ["load_x", "load_z"]
from = [0.0, -5.0]
to = [3.0, -4.0]
duration = 4.0
profile = "poly13"
[invert]
step = 0.02
)TOML";

// A pendulum that stands on a cart: the cart's force from the cart's way. Masses 2 and 0.5, length 0.6.
constexpr double cart = 2.0, bob = 0.5, length = 0.6, gravity = 9.81;
const std::string upright = R"TOML(
name = "upright"
[system]
coordinates = ["s", "phi"]
kinetic = "s'^2 + ((s' + 0.6*cos(phi)*phi')^2 + (0.6*sin(phi)*phi')^2)/4"
potential = "0.5*9.81*0.6*cos(phi)"
[[system.input]]
name = "F"
force = { s = "1" }
[[system.output]]
name = "way"
expr = "s"
[initial]
s = 0.0
phi = 0.0
[[trajectory]]
outputs = "way"
from = 0.0
to = 0.5
start = 1.5
duration = 1.0
profile = "poly9"
[invert]
until = 4.0
step = 0.02
)TOML";

TEST(InverseCheck, InputsThatASimulationRefutesFailTheRun) {
  Problem p = read_model(double_crane);
  p.settings.of<InvertSettings>().method = "direct";
  p.settings.of<InvertSettings>().integrator = "radau5";
  const Inversion wrong = invert(p);
  EXPECT_EQ(wrong.summary.status, RunStatus::failed);
  EXPECT_EQ(wrong.summary.message.find("the inputs are wrong: "), 0U) << wrong.summary.message;
  EXPECT_NE(wrong.summary.message.find("use --method taylor"), std::string::npos) << wrong.summary.message;
  p.settings.of<InvertSettings>().method = "taylor";
  const Inversion right = invert(p);
  EXPECT_EQ(right.summary.status, RunStatus::done) << right.summary.message;
  EXPECT_TRUE(right.summary.warnings.empty());
}

TEST(InverseCheck, ErrorsOfFirstOrderAreWarnedOfOrPass) {
  Problem p = read_model(double_crane);
  p.settings.of<InvertSettings>().method = "minimal-extension";
  for (const double step : {0.02, 0.005}) {
    p.settings.of<InvertSettings>().step = step;
    const Inversion run = invert(p);
    EXPECT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
    for (const std::string& w : run.summary.warnings) EXPECT_EQ(w.find("the inputs are inaccurate: "), 0U) << w;
  }
}

// What `invert` found, with the input changed afterwards.
InverseJudgement judged(const Problem& p, const std::string& method, double factor) {
  Problem problem = p;
  problem.settings.of<InvertSettings>().method = method;
  problem.settings.of<InvertSettings>().verify = false;
  const Inversion run = invert(problem);
  const InverseStructure s = analyse_inverse(problem);
  std::vector<Jet> jets;
  for (std::size_t k = 0; k < run.trajectory.rows(); ++k) {
    Jet jet;
    jet.t = run.trajectory.row(k)[0];
    for (const DaeUnknown& x : s.dae.unknowns) {
      jet.x.push_back({run.trajectory.value(k, x.name)});
      if (x.kind == UnknownKind::coordinate) jet.x.back().push_back(run.trajectory.value(k, x.name + "'"));
      if (x.kind == UnknownKind::input) jet.x.back()[0] *= factor;
    }
    jets.push_back(jet);
  }
  return judge({problem, s, jets, inverse_method(problem.settings.of<InvertSettings>())});
}

TEST(InverseCheck, APlantThatIsUnstableInOpenLoopIsVerifiedOverShortWindows) {
  const Inversion run = invert(read_model(upright));
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  EXPECT_EQ(run.summary.method, "stable-inversion");
  const InversionSummary& i = *run.summary.part<InversionSummary>();
  EXPECT_EQ(i.verification.find("the plant is unstable in open loop (errors grow with "), 0U) << i.verification;
  ASSERT_TRUE(i.growth && i.window_error);
  // The free system, linearised: φ'' = (M + m)/M g/L φ.
  const double eigenvalue = std::sqrt((cart + bob) / cart * gravity / length);
  EXPECT_NEAR(*i.growth, eigenvalue, 0.15 * eigenvalue) << "read from three decades of a curve";
  EXPECT_LT(*i.window_error, 1e-6) << "inputs between nodes that are half a time constant apart";
  EXPECT_GT(*i.round_trip, 1e-3) << "without feedback the pendulum falls";
}

TEST(InverseCheck, WrongInputsOfAnUnstablePlantFail) {
  EXPECT_EQ(judged(read_model(upright), "stable-inversion", 1.0).failure, "");
  for (const double factor : {0.9, 1.2, -1.0})
    EXPECT_EQ(judged(read_model(upright), "stable-inversion", factor).failure.find("the inputs are wrong: "), 0U)
        << factor;
}

TEST(InverseCheck, JudgesErrorsByTheMotionOfTheOutputNotByItsUnit) {
  for (const char* unit : {"1e-6", "1", "1e6"}) {
    std::string text = double_crane;
    for (const auto& [from, to] :
         {std::pair{"expr = \"x2\"", std::string("expr = \"x2*") + unit + "\""},
          std::pair{"expr = \"z2\"", std::string("expr = \"z2*") + unit + "\""},
          std::pair{"from = [0.0, -5.0]", std::string("from = [0.0, \"-5*") + unit + "\"]"},
          std::pair{"to = [3.0, -4.0]", std::string("to = [\"3*") + unit + "\", \"-4*" + unit + "\"]"}})
      text.replace(text.find(from), std::string(from).size(), to);
    Problem p = read_model(text);
    EXPECT_EQ(invert(p).summary.status, RunStatus::done) << unit;
    p.settings.of<InvertSettings>().method = "direct";
    p.settings.of<InvertSettings>().integrator = "radau5";
    EXPECT_EQ(invert(p).summary.status, RunStatus::failed) << unit;
  }
}

TEST(InverseCheck, NamesTheFirstNumberThatIsNotFinite) {
  const Problem p = read_model(upright);
  const InverseStructure s = analyse_inverse(p);
  std::vector<Jet> jets(3, s.start);
  jets[1].t = 0.25;
  EXPECT_EQ(not_finite(s, jets), "");
  jets[1].x[1][1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(not_finite(s, jets), "\"phi'\" is not finite at t = 0.25 s");
}

TEST(InverseCheck, SaysSoIfNothingWasVerified) {
  Problem p = read_model(double_crane);
  p.settings.of<InvertSettings>().verify = false;
  EXPECT_EQ(invert(p).summary.part<InversionSummary>()->verification, "not verified (verify = false)");
}

}  // namespace
}  // namespace invar
