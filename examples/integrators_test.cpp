// Integrators of `invert` on bundled cranes: against the exact inputs, and what is said where one does not suit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/record/trajectory.h"
#include "invar/scheme/scheme.h"
#include "invar/task/invert/invert.h"

namespace invar {
namespace {

const std::filesystem::path examples = INVAR_EXAMPLES_DIR;

struct Crane {
  std::string name;
  std::vector<std::string> inputs;
  double step;   // coarse, such that nodes meet the times of the reference
  double since;  // errors count from here on: transients of the start have died out
};

const std::vector<Crane> cranes = {{"overhead_crane_inverse", {"F", "M"}, 0.0075, 0.3},
                                   {"rotary_crane_inverse", {"Mb", "Ft", "Mw"}, 0.05, 1.0}};

Problem asked(const Crane& crane, std::string_view method, std::string_view integrator, double step) {
  Problem p = read_problem(examples / crane.name / "model.toml");
  InvertSettings& settings = p.settings.of<InvertSettings>();
  settings.method = method;
  settings.integrator = integrator;
  settings.step = step;
  settings.verify = false;
  return p;
}

// Largest difference from the exact inputs, relative to their sizes.
double error(const Crane& crane, std::string_view method, std::string_view integrator, double step) {
  const Inversion run = invert(asked(crane, method, integrator, step));
  EXPECT_EQ(run.summary.status, RunStatus::done) << integrator << ": " << run.summary.message;
  const Trajectory exact = read_csv(examples / crane.name / "reference.csv");
  double worst = 0.0;
  for (const std::string& input : crane.inputs) {
    double size = 0.0;
    for (const double u : exact.column(input)) size = std::max(size, std::abs(u));
    for (std::size_t k = 0; k < exact.rows(); ++k) {
      const double t = exact.value(k, "t");
      if (t < crane.since) continue;
      const auto row = static_cast<std::size_t>(std::lround(t / step));
      EXPECT_NEAR(run.inputs.value(row, "t"), t, 1e-9 * step);
      worst = std::max(worst, std::abs(run.inputs.value(row, input) - exact.value(k, input)) / size);
    }
  }
  return worst;
}

struct Expected {
  std::string_view integrator, method;
  double order;
};

// Of the inputs: those of a difference rule that is applied four times to the outputs (direct), or twice (minimal
// extension); Radau IIA loses one order with each. Direct Radau IIA does not converge on cranes, see docs/inversion.md.
const std::vector<Expected> orders = {{"implicit-euler", "direct", 1.0},
                                      {"bdf2", "direct", 2.0},
                                      {"midpoint", "direct", 2.0},
                                      {"energy-momentum", "direct", 2.0},
                                      {"variational-midpoint", "direct", 2.0},
                                      {"implicit-euler", "minimal-extension", 1.0},
                                      {"bdf2", "minimal-extension", 2.0},
                                      {"radau5", "minimal-extension", 2.0}};

TEST(InverseIntegrators, HaveTheirOrdersOnCranes) {
  constexpr double tolerance = 0.35;  // knots, where the fifth derivative jumps, disturb the rotary crane on its way
  for (const Crane& crane : cranes)
    for (const Expected& e : orders) {
      const double coarse = error(crane, e.method, e.integrator, crane.step),
                   fine = error(crane, e.method, e.integrator, 0.5 * crane.step);
      EXPECT_NEAR(std::log2(coarse / fine), e.order, tolerance)
          << crane.name << ", " << e.method << ", " << e.integrator << ": " << coarse << ", " << fine;
    }
}

// Damped errors of the start are still larger than those of second order.
TEST(InverseIntegrators, GeneralizedAlphaIsAtLeastOfSecondOrder) {
  for (const Crane& crane : cranes)
    EXPECT_GT(std::log2(error(crane, "direct", "generalized-alpha", crane.step) /
                        error(crane, "direct", "generalized-alpha", 0.5 * crane.step)),
              1.8)
        << crane.name;
}

std::string answer(const Crane& crane, std::string_view method, std::string_view integrator) {
  try {
    return invert(asked(crane, method, integrator, 0.01)).summary.status == RunStatus::done ? "done" : "failed";
  } catch (const InputError& e) {
    return e.what();
  }
}

TEST(InverseIntegrators, EverySchemeOfTheListIsTakenOrRefusedInWords) {
  const Crane& crane = cranes.front();
  for (const Scheme& s : schemes()) {
    const std::string name(s.info.name), direct = answer(crane, "direct", name),
                                         extended = answer(crane, "minimal-extension", name);
    if (s.rule != nullptr) {
      EXPECT_EQ(direct, "done") << name;
      EXPECT_EQ(extended, "done") << name;
      continue;
    }
    EXPECT_EQ(extended.rfind(name + ": ", 0), 0U) << extended;
    if (s.info.inverse_index >= 5)
      EXPECT_EQ(direct, "done") << name;
    else
      EXPECT_EQ(direct.rfind(name + ": ", 0), 0U) << direct;
  }
  EXPECT_EQ(answer(crane, "direct", "variational"),
            "variational: steps through inverse problems up to index 3, but this one has index 5; use energy-momentum, "
            "or method = \"taylor\"");
  EXPECT_EQ(answer(crane, "minimal-extension", "energy-momentum"),
            "energy-momentum: steps through the equations of motion as they are; use method = \"direct\", or with this "
            "method implicit-euler, bdf2 or radau5");
}

TEST(InverseIntegrators, OtherNamesAreUnderstoodButNotTaken) {
  const Crane& crane = cranes.front();
  EXPECT_EQ(answer(crane, "direct", "backward-euler"),
            "unknown integrator \"backward-euler\"; did you mean \"implicit-euler\"?");
  EXPECT_EQ(answer(crane, "direct", "radau"), "unknown integrator \"radau\"; did you mean \"radau5\"?");
  EXPECT_EQ(answer(crane, "direct", "leapfrog"), "unknown integrator \"leapfrog\"; see invar list");
}

// The simulation that judges every result confirms inputs of second order, at the step of the example.
TEST(InverseIntegrators, EnergyMomentumInputsPassTheirTrial) {
  Problem p = asked(cranes.front(), "direct", "energy-momentum", 0.01);
  p.settings.of<InvertSettings>().verify = true;
  const Inversion run = invert(p);
  EXPECT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  const InversionSummary& told = *run.summary.part<InversionSummary>();
  EXPECT_LT(*told.round_trip, 1e-2) << told.verification;
  EXPECT_LT(told.servo_error, 1e-3) << "of second order in the step";
}

}  // namespace
}  // namespace invar
