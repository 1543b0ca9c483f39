// How far steps of systems from bodies on a device are from those of the processor after 100 steps.
//
// Where position constraints are kept at velocity level too, all is equal to twelve digits. Without that nothing but
// positions tells the velocities across the constraints: v₁ = 2 (q₁ - q₀)/h - v₀ makes 2 ε |q|/h of the last bit of a
// position and never forgets it. That is no matter of the device: two ways of the processor, with factors that it
// keeps and with such that are made anew, are as far apart. The device of these tests is the processor
// (test_host_device.h).
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "invar/base/private_files.h"
#include "invar/device/step_batch.h"
#include "invar/device/step_places.h"
#include "invar/device/test_host_device.h"
#include "invar/read/read_problem.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/task/run/inputs.h"
#include "invar/task/run/problem_start.h"
#include "invar/task/run/simulate_settings.h"

namespace invar {
namespace {

constexpr int steps = 100;
constexpr std::size_t points = 64;
constexpr double twelve_digits = 1e-12;  // relative to the largest number of a point
constexpr double as_far = 4.0;           // as the ways of the processor: the largest of some random numbers

class Bodies {
 public:
  Bodies(const std::string& name, double finer, bool stabilise) : stabilise_(stabilise) {
    const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
    problem_.emplace(read_problem((root / "examples" / name / "model.toml").string(), {}, "director"));
    start_.emplace(*problem_);
    h_ = finer * problem_->settings.of<SimulateSettings>().step;
  }

  // Coordinates and velocities of all points after the steps, point by point.
  std::vector<double> by_processor(bool keeps_factors) const {
    std::vector<double> all;
    for (std::size_t p = 0; p < points; ++p) {
      const std::vector<double> node = node_after(p, steps, keeps_factors);
      all.insert(all.end(), node.begin(), node.begin() + 2 * coordinates());
    }
    return all;
  }
  std::vector<double> by_device() const;
  std::ptrdiff_t coordinates() const { return static_cast<std::ptrdiff_t>(start_->system().coordinates.size()); }

 private:
  Stepper stepper(bool keeps_factors) const {
    return Stepper(start_->system(), *find_scheme("energy-momentum"),
                   {.scheme = {.stabilise = stabilise_}, .newton = {.keep_factors = keeps_factors}}, problem_->signals);
  }
  Stepper::Inputs inputs() const {
    const auto values = std::make_shared<InputValues>(
        problem_->system, problem_->settings.of<SimulateSettings>().inputs, problem_->signals);
    return [values](double t, std::span<double> u) { (*values)(t, u); };
  }
  void begin(Stepper& s, std::size_t p) const {
    State state = start_->point().state;
    for (double& v : state.v) v *= 0.8 + 0.4 * static_cast<double>(p) / points;
    s.start(state, h_);
  }
  void advance(Stepper& s, int k) const {
    ASSERT_EQ(s.advance((k + 1) * h_ - s.t(), inputs()).status, NewtonStatus::converged);
    s.set_t((k + 1) * h_);
  }
  std::vector<double> node_after(std::size_t p, int count, bool keeps_factors) const {
    Stepper s = stepper(keeps_factors);
    begin(s, p);
    for (int k = 0; k < count; ++k) advance(s, k);
    Stepper::Memory memory;
    s.save(memory);
    return memory.node;
  }

  std::optional<Problem> problem_;
  std::optional<GivenStart> start_;
  double h_ = 0.0;
  bool stabilise_;
};

std::vector<double> Bodies::by_device() const {
  Stepper s = stepper(true);
  begin(s, points / 2);
  const std::optional<StepFormulas> formulas = s.formulas();
  const auto program = implicit_program(*formulas, 1e-12, step_places(s, *formulas, h_, inputs()),
                                        {parameter_values(start_->system()), {}});
  test::HostDevice device;
  StepBatch batch(device, *program, points);
  std::vector<double> states(program->state * points), times;
  for (std::size_t p = 0; p < points; ++p) {
    const std::vector<double> node = node_after(p, 0, true);
    for (std::size_t k = 0; k < node.size(); ++k) states[k * points + p] = node[k];
  }
  for (int k = 0; k <= steps; ++k) times.push_back(k * h_);
  batch.start(states, {});
  batch.advance(times, inputs());
  EXPECT_EQ(batch.left(), std::vector<std::int64_t>(points, StepBatch::none));
  states = batch.states();
  std::vector<double> all;
  for (std::size_t p = 0; p < points; ++p)
    for (std::ptrdiff_t k = 0; k < 2 * coordinates(); ++k)
      all.push_back(states[static_cast<std::size_t>(k) * points + p]);
  return all;
}

// The largest difference of numbers [from, to) of a point, relative to the largest number of the point.
double difference(std::span<const double> a, std::span<const double> b, std::size_t from, std::size_t to) {
  const std::size_t width = a.size() / points;
  double worst = 0.0;
  for (std::size_t p = 0; p < points; ++p) {
    double size = 0.0;
    for (std::size_t k = 0; k < width; ++k) size = std::max(size, std::abs(a[p * width + k]));
    for (std::size_t k = from; k < to; ++k)
      worst = std::max(worst, std::abs(a[p * width + k] - b[p * width + k]) / size);
  }
  return worst;
}

void expect_twelve_digits(const std::string& name, double finer) {
  for (const bool stabilise : {true, false}) {
    const Bodies bodies(name, finer, stabilise);
    const auto n = static_cast<std::size_t>(bodies.coordinates());
    const std::vector<double> expected = bodies.by_processor(true), found = bodies.by_device();
    EXPECT_LE(difference(expected, found, 0, n), twelve_digits) << name;
    const double velocities = difference(expected, found, n, 2 * n);
    if (stabilise)
      EXPECT_LE(velocities, twelve_digits) << name;
    else
      EXPECT_LE(velocities, as_far * difference(expected, bodies.by_processor(false), n, 2 * n)) << name;
    ::testing::Test::RecordProperty(name + (stabilise ? ", stabilised" : ""), std::to_string(velocities * 1e15));
  }
}

TEST(Digits, OfBodiesAreThoseOfTheProcessor) {
  if (!run_program({"cc", "--version"})) GTEST_SKIP() << "no C compiler here";
  expect_twelve_digits("double_pendulum_bodies", 1.0);
  expect_twelve_digits("rotary_crane_bodies", 0.25);  // so that all points stay within their motion
}

}  // namespace
}  // namespace invar
