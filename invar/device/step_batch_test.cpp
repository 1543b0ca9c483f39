// Points on a device go the ways that they would go one by one, and those that cannot go on are told. The device of
// these tests is the processor (test_host_device.h).
#include "invar/device/step_batch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "invar/base/private_files.h"
#include "invar/device/test_host_device.h"
#include "invar/read/read_problem.h"
#include "invar/scheme/steps/lane_steps.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/task/run/inputs.h"
#include "invar/task/run/problem_start.h"
#include "invar/task/run/simulate_settings.h"

namespace invar {
namespace {

// Relative to the largest number of a point: both solve to round-off, of which velocities feel that of positions,
// divided by the step.
constexpr double same = 1e-12;

class OnDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!run_program({"cc", "--version"})) GTEST_SKIP() << "no C compiler here";
  }
  test::HostDevice device_;
};

Problem example(const std::string& name, const char* formulation = nullptr) {
  const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  const std::string path = (root / "examples" / name / "model.toml").string();
  return formulation ? read_problem(path, {}, formulation) : read_problem(path);
}

// Inputs as the settings of a simulation give them.
StepProgram::Inputs inputs_of(const Problem& problem) {
  const auto values =
      std::make_shared<InputValues>(problem.system, problem.settings.of<SimulateSettings>().inputs, problem.signals);
  return [values](double t, std::span<double> u) { (*values)(t, u); };
}

std::vector<double> times_of(const Problem& problem, int steps) {
  std::vector<double> times;
  for (int k = 0; k <= steps; ++k) times.push_back(k * problem.settings.of<SimulateSettings>().step);
  return times;
}

// Copies of a state in structure-of-arrays layout.
std::vector<double> copies(std::span<const double> state, std::size_t count) {
  std::vector<double> result;
  for (const double x : state) result.insert(result.end(), count, x);
  return result;
}

TEST_F(OnDevice, ExplicitStepsHaveTheBitsOfLanes) {
  constexpr std::size_t count = 5;
  constexpr int steps = 300;
  for (const char* const name : {"double_pendulum_bodies", "heavy_top", "driven_pendulum"}) {
    const Problem problem = example(name, std::string(name) == "driven_pendulum" ? nullptr : "minimal");
    const GivenStart start(problem);
    const System& system = start.system();
    if (!LaneSteps::fits(system)) continue;
    const RungeKutta& method = find_scheme("rk4")->explicit_method();
    const std::size_t n = system.coordinates.size();
    std::vector<double> state = start.point().state.q;
    state.insert(state.end(), start.point().state.v.begin(), start.point().state.v.end());
    std::vector<double> states = copies(state, count);
    std::mt19937_64 random(1);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t p = 0; p < count; ++p)
        states[(n + k) * count + p] += std::uniform_real_distribution<double>(-0.1, 0.1)(random);

    const KernelParameters parameters = {parameter_values(system), {}};
    StepBatch batch(device_, explicit_program(system, method, problem.signals, parameters, 2 * n), count);
    batch.start(states, {});
    const std::vector<double> times = times_of(problem, steps);
    batch.advance(times, inputs_of(problem));

    LaneSteps lanes(system, method, problem.signals);
    std::vector<double> t(count), u(system.inputs.size() * count), low = states, high = states;
    std::vector<std::uint8_t> going(count, 1);
    std::vector<double> input(system.inputs.size());
    for (int k = 0; k < steps; ++k) {
      lanes.advance(times[k + 1] - times[k], {t, states, u, going}, 0, count);
      std::ranges::fill(t, times[k + 1]);
      for (std::size_t i = 0; i < states.size(); ++i) {
        low[i] = std::min(low[i], states[i]);
        high[i] = std::max(high[i], states[i]);
      }
    }
    if (system.inputs.empty()) {
      EXPECT_EQ(batch.states(), states) << name;
      low.insert(low.end(), high.begin(), high.end());
      EXPECT_EQ(batch.range(), low) << name;
    }
    for (const std::int64_t left : batch.left()) EXPECT_EQ(left, StepBatch::none);
  }
}

// A stepper at the start of a problem; and its node after so many steps.
struct Alone {
  Problem problem;
  GivenStart start;
  Stepper stepper;
  StepProgram::Inputs inputs;

  Alone(Problem p, const char* scheme)
      : problem(std::move(p)),
        start(problem),
        stepper(start.system(), *find_scheme(scheme), {}, problem.signals),
        inputs(inputs_of(problem)) {}
  std::vector<double> node(const State& from, double m_of_step, int steps) {
    stepper.start(from, m_of_step);
    for (int k = 0; k < steps; ++k) {
      const double t1 = (k + 1) * m_of_step;
      if (stepper.advance(t1 - stepper.t(), inputs).status != NewtonStatus::converged) break;
      stepper.set_t(t1);
    }
    Stepper::Memory memory;
    stepper.save(memory);
    return memory.node;
  }
};

TEST_F(OnDevice, StepsWithUnknownsAreThoseOfTheStepper) {
  struct Case {
    const char* name;
    const char* scheme;
    const char* formulation;
  };
  constexpr int steps = 20;
  for (const Case& c :
       {Case{"overhead_crane", "energy-momentum", nullptr}, Case{"heavy_top", "generalized-alpha", "director"},
        Case{"four_bars", "energy-momentum", "director"}}) {
    Alone alone(example(c.name, c.formulation), c.scheme);
    const double h = alone.problem.settings.of<SimulateSettings>().step;
    const State first = alone.start.point().state;
    State other = first;
    for (double& v : other.v) v *= 0.5;  // consistent as well, since v is tangential
    other = alone.start.consistent(other, std::vector<double>(alone.start.system().inputs.size()));

    const std::vector<double> begun = alone.node(first, h, 0);
    const std::vector<double> also_begun = alone.node(other, h, 0);
    const std::vector<double> end = alone.node(first, h, steps), also_end = alone.node(other, h, steps);
    alone.node(first, h, 2);
    const std::optional<StepFormulas> formulas = alone.stepper.formulas();
    ASSERT_TRUE(formulas) << c.name;
    const auto program =
        implicit_program(*formulas, 1e-12, alone.stepper.arguments(), {parameter_values(alone.start.system()), {}});
    ASSERT_TRUE(program) << c.name;
    StepBatch batch(device_, *program, 2);
    std::vector<double> states;
    for (std::size_t k = 0; k < begun.size(); ++k) states.insert(states.end(), {begun[k], also_begun[k]});
    batch.start(states, {});
    batch.advance(times_of(alone.problem, steps), alone.inputs);
    EXPECT_EQ(batch.left(), (std::vector<std::int64_t>(2, StepBatch::none))) << c.name;
    const std::vector<double> found = batch.states();
    const std::size_t motion = 2 * first.q.size();
    double size = 0.0;
    for (std::size_t k = 0; k < motion; ++k) size = std::max(size, std::abs(end[k]));
    for (std::size_t k = 0; k < motion; ++k) {
      EXPECT_NEAR(found[2 * k], end[k], same * size) << c.name << " " << k;
      EXPECT_NEAR(found[2 * k + 1], also_end[k], same * size) << c.name << " " << k;
    }
  }
}

TEST_F(OnDevice, APointThatCannotGoOnIsLeftAlone) {
  Alone alone(example("overhead_crane"), "energy-momentum");
  const double h = alone.problem.settings.of<SimulateSettings>().step;
  const std::vector<double> begun = alone.node(alone.start.point().state, h, 0);
  alone.node(alone.start.point().state, h, 2);
  const auto program = implicit_program(*alone.stepper.formulas(), 1e-12, alone.stepper.arguments(),
                                        {parameter_values(alone.start.system()), {}});
  StepBatch batch(device_, *program, 2);
  std::vector<double> states;
  for (const double x : begun) states.insert(states.end(), {x, x});
  states[1] = std::nan("");
  batch.start(states, {});
  batch.advance(times_of(alone.problem, 10), alone.inputs);
  EXPECT_EQ(batch.left(), (std::vector<std::int64_t>{StepBatch::none, 0}));
  std::vector<double> point(begun.size());
  batch.take_back(1, begun);
  EXPECT_EQ(batch.left()[1], StepBatch::none);
}

// A mass of its own for every point gives the motion of the system with that mass.
TEST_F(OnDevice, ParametersMayDifferFromPointToPoint) {
  const std::vector<double> masses = {60.0, 100.0, 140.0};
  Alone alone(example("overhead_crane"), "energy-momentum");
  const System& system = alone.start.system();
  std::vector<double> values = parameter_values(system);
  const auto m = static_cast<std::size_t>(
      std::ranges::find(system.parameters, "m", [](const Parameter& p) { return p.symbol.name(); }) -
      system.parameters.begin());
  const double h = alone.problem.settings.of<SimulateSettings>().step;
  const State first = alone.start.point().state;
  const std::vector<double> begun = alone.node(first, h, 0);
  alone.node(first, h, 2);
  const auto program = implicit_program(*alone.stepper.formulas(), 1e-12, alone.stepper.arguments(), {values, {m}});
  StepBatch batch(device_, *program, masses.size());
  batch.start(copies(begun, masses.size()), masses);
  batch.advance(times_of(alone.problem, 40), alone.inputs);
  const std::vector<double> found = batch.states();
  for (std::size_t p = 0; p < masses.size(); ++p) {
    values[m] = masses[p];
    alone.stepper.set_parameters(values);
    const std::vector<double> end = alone.node(first, h, 40);
    for (std::size_t k = 0; k < 2 * first.q.size(); ++k)
      EXPECT_NEAR(found[k * masses.size() + p], end[k], same * 10.0) << k << " with " << masses[p];
  }
}

}  // namespace
}  // namespace invar
