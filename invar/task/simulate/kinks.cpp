// See kinks.h.
#include "invar/task/simulate/kinks.h"

#include <algorithm>
#include <cmath>

#include "invar/task/run/simulate_settings.h"

namespace invar {

namespace {

// Constraints that contain a signal bring its second derivative into the equations of motion.
constexpr int derivatives_used = 2;

void add_corners(const InputSignal& input, double tolerance, std::vector<double>& times) {
  if (input.time.empty()) return;
  double largest = 0.0;
  for (const double x : input.value) largest = std::max(largest, std::abs(x));
  times.push_back(input.time.front());
  times.push_back(input.time.back());
  for (std::size_t i = 1; i + 1 < input.time.size(); ++i) {
    const double share = (input.time[i] - input.time[i - 1]) / (input.time[i + 1] - input.time[i - 1]);
    const double straight = input.value[i - 1] + share * (input.value[i + 1] - input.value[i - 1]);
    if (std::abs(input.value[i] - straight) > tolerance * largest) times.push_back(input.time[i]);
  }
}

}  // namespace

std::vector<double> kinks(const Problem& problem, int order, double tolerance) {
  const SimulateSettings& settings = problem.settings.of<SimulateSettings>();
  std::vector<double> times;
  for (const Reference& signal : problem.signals)
    if (signal.function->smoothness() < order + derivatives_used)
      for (const double t : signal.function->knots()) times.push_back(t);
  for (const InputSignal& input : settings.inputs) add_corners(input, tolerance, times);
  std::ranges::sort(times);
  const auto repeated = std::ranges::unique(times);
  times.erase(repeated.begin(), repeated.end());
  std::erase_if(times, [&](double t) { return t <= 0.0 || t >= settings.until; });
  return times;
}

}  // namespace invar
