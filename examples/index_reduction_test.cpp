// Projection and minimal extension on bundled examples, against exact inputs, published errors and reference solutions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "examples/compare.h"
#include "invar/model/file/names.h"
#include "invar/model/problem/with_parameters.h"
#include "invar/read/read_problem.h"
#include "invar/task/invert/invert.h"
#include "invar/task/simulate/simulate.h"

namespace invar::examples {
namespace {

Inversion inverted(const fs::path& model, std::string_view method, double step, const Overrides& values = {}) {
  Problem p = with_parameters(read_problem(folder / model), values);
  InvertSettings& settings = p.settings.of<InvertSettings>();
  settings.method = method;
  settings.step = step;
  settings.verify = false;
  Inversion run = invert(p);
  EXPECT_EQ(run.summary.status, RunStatus::done) << model << ", " << method << ": " << run.summary.message;
  return run;
}

// Largest differences by input, over all times that both have.
std::map<std::string, double> errors(const Trajectory& found, const Trajectory& exact,
                                     const std::vector<std::string>& columns) {
  std::map<std::string, double> worst;
  std::size_t row = 0, met = 0;
  for (std::size_t k = 0; k < exact.rows(); ++k) {
    const double t = exact.value(k, "t");
    while (row + 1 < found.rows() && found.value(row, "t") < t - 1e-9) ++row;
    if (std::abs(found.value(row, "t") - t) > 1e-9) continue;
    ++met;
    for (const std::string& column : columns)
      worst[column] = std::max(worst[column], std::abs(found.value(row, column) - exact.value(k, column)));
  }
  EXPECT_GT(met, 10U);
  return worst;
}

// Of errors that are published with two or three digits.
constexpr double two_digits = 0.02;

void expect_errors(const std::map<std::string, double>& found, const std::map<std::string, double>& published) {
  for (const auto& [column, error] : published) EXPECT_NEAR(found.at(column), error, two_digits * error) << column;
}

// ---- Projection ----

// Bodies in directors, 42 coordinates of which three have no mass, against the closed form of the crane with the same
// masses: order 1, with the errors that the literature has for the dependent form in torque of the bridge and force on
// the trolley [Y. Yang, KIT 2017, section 4.4.2: data of table 4.1].
TEST(Projection, OfTheRotaryCraneWith42Coordinates) {
  const Overrides masses = {{"m", 10.0}, {"mt", 53.0}, {"Jb", 19.01}, {"Jw", 0.02}};
  const std::vector<std::string> inputs = {"Mb", "Ft", "Mw"};
  const Inversion exact = inverted("rotary_crane_inverse/model.toml", "taylor", 0.01, masses);
  const auto by = [&](double step) {
    const Inversion run = inverted("rotary_crane_bodies/inverse.toml", "projection", step);
    EXPECT_EQ(run.summary.part<InversionSummary>()->unknowns, 82U);
    return errors(run.inputs, exact.inputs, inputs);
  };
  auto middle = by(0.02), fine = by(0.01);
  expect_errors(fine, {{"Mb", 0.237}, {"Ft", 0.164}});
  for (const std::string& input : inputs) EXPECT_NEAR(std::log2(middle[input] / fine[input]), 1.0, 0.1) << input;
}

// The same crane by the direct method with the scheme that is consistent in energy.
TEST(EnergyMomentumInversion, OfTheRotaryCraneWith42CoordinatesIsOfSecondOrder) {
  const Overrides masses = {{"m", 10.0}, {"mt", 53.0}, {"Jb", 19.01}, {"Jw", 0.02}};
  const std::vector<std::string> inputs = {"Mb", "Ft"};
  const Inversion exact = inverted("rotary_crane_inverse/model.toml", "taylor", 0.025, masses);
  Problem p = read_problem(folder / "rotary_crane_bodies/inverse.toml");
  InvertSettings& settings = p.settings.of<InvertSettings>();
  settings.method = "direct";
  settings.integrator = "energy-momentum";
  settings.verify = false;
  const auto by = [&](double step) {
    settings.step = step;
    return errors(invert(p).inputs, exact.inputs, inputs);
  };
  // With an even number of steps between knots: what changes its sign in every step cancels at them.
  auto coarse = by(0.05), fine = by(0.025);
  constexpr double tolerance = 0.15;
  for (const std::string& input : inputs)
    EXPECT_NEAR(std::log2(coarse[input] / fine[input]), 2.0, tolerance) << input << ": " << fine[input];
}

// ---- Minimal extension ----

// The start is a bifurcation point: the pulley may be anywhere along its cable. A tenth of the step leaves a tenth of
// the errors of index 3. Index 1 has nothing to integrate.
TEST(MinimalExtension, OfTheSpatialNavyCraneFromItsSingularStart) {
  const fs::path model = "navy_crane_spatial_massless/model.toml";
  const std::vector<std::string> inputs = {"u1", "u3", "u4"};
  const Trajectory reference = read_csv(folder / "navy_crane_spatial_massless/reference.csv");
  const std::map<std::string, double> published = {{"u1", 0.0135}, {"u3", 0.0068}, {"u4", 0.98}};
  constexpr double from_limit = 1e-11;  // of torques up to 150 N m; the start is extrapolated
  for (const double step : {0.1, 0.01}) {
    const Inversion one = inverted(model, "minimal-extension-1", step);
    for (const auto& [input, error] : errors(one.inputs, reference, inputs)) EXPECT_LT(error, from_limit) << input;
    const Inversion three = inverted(model, "minimal-extension", step);
    // At 0.1 the largest of all nodes are published, at 0.01 those at the times of the reference.
    if (step == 0.1)
      expect_errors(errors(three.inputs, one.inputs, inputs), {{"u1", 0.124}, {"u3", 0.060}, {"u4", 9.22}});
    else
      expect_errors(errors(three.inputs, reference, inputs), published);
  }
  expect_errors(errors(inverted(model, "projection", 0.01).inputs, reference, inputs), published);
  constexpr double of_first_order = 0.05;  // of the factor ten
  const auto tenth = errors(inverted(model, "minimal-extension", 0.001).inputs, reference, inputs);
  for (const auto& [input, error] : published)
    EXPECT_NEAR(tenth.at(input), 0.1 * error, of_first_order * 0.1 * error) << input;
}

TEST(MinimalExtension, OfThePlanarNavyCraneFromItsSingularStart) {
  const fs::path model = "navy_crane_planar_massless/model.toml";
  const std::vector<std::string> inputs = {"u1", "u2"};
  const Inversion exact = inverted(model, "minimal-extension-1", 0.001);
  expect_errors(errors(inverted(model, "minimal-extension", 0.1).inputs, exact.inputs, inputs),
                {{"u1", 17.2}, {"u2", 17.4}});
  expect_errors(errors(inverted(model, "minimal-extension", 0.01).inputs, exact.inputs, inputs),
                {{"u1", 2.88}, {"u2", 1.91}});
  expect_errors(errors(inverted(model, "minimal-extension", 0.001).inputs, exact.inputs, inputs),
                {{"u1", 0.314}, {"u2", 0.191}});
}

// Minimal coordinates hide the structure; the derivative array supplies what the formulas do not show.
TEST(MinimalExtension, InMinimalCoordinatesIsExactAtIndexOne) {
  const std::map<std::string, std::vector<std::string>> cranes = {{"overhead_crane_inverse_minimal", {"F", "M"}},
                                                                  {"rotary_crane_inverse_minimal", {"Mb", "Ft", "Mw"}}};
  constexpr double round_off = 1e-11;  // of forces up to 500 N
  for (const auto& [name, inputs] : cranes) {
    const Inversion run = inverted(fs::path(name) / "model.toml", "minimal-extension-1", 0.05);
    for (const auto& [input, error] : errors(run.inputs, read_csv(folder / name / "reference.csv"), inputs))
      EXPECT_LT(error, round_off) << name << ", " << input;
  }
}

// Index 7 in dense coordinates: no derivatives of single equations reach index 3, those of the array reach index 1.
TEST(MinimalExtension, ThatCannotStopAtIndexThreeSaysWhatCan) {
  const fs::path model = "spring_chain_inverse/three_dense.toml";
  try {
    inverted(model, "minimal-extension", 0.05);
    FAIL() << "must be refused";
  } catch (const InputError& e) {
    const std::string words = e.what();
    EXPECT_NE(words.find("depend on each other; use method = \"minimal-extension-1\" or \"taylor\""), std::string::npos)
        << words;
  }
  const Inversion one = inverted(model, "minimal-extension-1", 0.05), exact = inverted(model, "taylor", 0.05);
  constexpr double round_off = 1e-9;  // of forces up to 10 N, differentiated four times
  for (const auto& [input, error] : errors(one.inputs, exact.inputs, {"F"})) EXPECT_LT(error, round_off);
}

// ---- Forward dynamics ----

Simulation simulated(const fs::path& model, std::string_view method, double step, double until, bool extended) {
  Problem p = read_problem(folder / model);
  SimulateSettings& settings = p.settings.of<SimulateSettings>();
  settings.method = method;
  settings.step = step;
  settings.until = until;
  settings.every = 1;
  settings.minimal_extension = extended;
  settings.stabilise = !extended && method != "radau5";  // which has it already
  Simulation run = simulate(p);
  EXPECT_EQ(run.summary.status, RunStatus::done) << model << ", " << method << ": " << run.summary.message;
  return run;
}

struct Mechanism {
  fs::path model;
  double step, until;
};

const std::vector<Mechanism> mechanisms = {{"andrews_squeezer/model.toml", 4e-5, 0.008},
                                           {"double_pendulum_bodies/model.toml", 0.01, 0.5},
                                           {"rotary_crane_bodies/model.toml", 0.005, 0.1}};

// Largest difference at the end in coordinates and velocities, or in multipliers.
double apart(const Simulation& a, const Simulation& b, bool multipliers) {
  double worst = 0.0;
  for (const std::string& column : a.trajectory.columns) {
    if (column == "t" || column.starts_with("lambda.") != multipliers || model::is_result_column(column) != multipliers)
      continue;
    worst = std::max(worst, std::abs(a.trajectory.value(a.trajectory.rows() - 1, column) -
                                     b.trajectory.value(b.trajectory.rows() - 1, column)));
  }
  return worst;
}

// Reduction to index 1 and the stabilised form of index 2 (Gear, Gupta, Leimkuhler) are two ways to one motion: neither
// drifts, both have the order of the scheme in coordinates and velocities. In multipliers only index 1 has it.
TEST(MinimalExtension, InForwardDynamicsAgreesWithStabilisation) {
  constexpr double tolerance = 0.35;  // of observed orders; the next term is still felt
  for (const Mechanism& m : mechanisms) {
    const Simulation exact = simulated(m.model, "radau5", 0.25 * m.step, m.until, true);
    for (const std::string_view method : {"bdf2", "radau5"}) {
      std::map<bool, std::vector<Simulation>> runs;  // by extended
      for (const bool extended : {false, true})
        for (const double step : {m.step, 0.5 * m.step})
          runs[extended].push_back(simulated(m.model, method, step, m.until, extended));
      for (const bool extended : {false, true}) {
        std::vector<double> state, lambda;
        for (const Simulation& run : runs[extended]) {
          EXPECT_LT(run.summary.accuracy.drift_position, 1e-12) << m.model << ", " << method;
          EXPECT_LT(run.summary.accuracy.drift_velocity, 1e-10) << m.model << ", " << method;
          state.push_back(apart(run, exact, false));
          lambda.push_back(apart(run, exact, true));
        }
        const double full = method == "bdf2" ? 2.0 : 5.0, at_index_2 = method == "bdf2" ? 2.0 : 3.0;
        EXPECT_NEAR(std::log2(state[0] / state[1]), full, tolerance) << m.model << ", " << method << ", " << extended;
        EXPECT_NEAR(std::log2(lambda[0] / lambda[1]), extended ? full : at_index_2, tolerance)
            << m.model << ", " << method << ", " << extended;
      }
    }
  }
}

}  // namespace
}  // namespace invar::examples
