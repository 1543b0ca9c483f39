// See problem_start.h.
#include "invar/task/run/problem_start.h"

#include "invar/system/start.h"
#include "invar/task/run/inputs.h"
#include "invar/task/run/simulate_settings.h"

namespace invar {

namespace {

State given(const Problem& problem) { return {.t = 0.0, .q = problem.q0, .v = problem.v0, .a = {}, .lambda = {}}; }

}  // namespace

Start simulation_start(const Problem& problem) {
  const std::size_t count = problem.system.inputs.size();
  InputValues inputs(problem.system, problem.settings.of<SimulateSettings>().inputs, problem.signals);
  const double ahead = 1e-4 * problem.settings.of<SimulateSettings>().step;  // one-sided differences of second order
  std::vector<double> u(count), near(count), far(count), rate(count);
  inputs(0.0, u);
  inputs(ahead, near);
  inputs(2.0 * ahead, far);
  for (std::size_t i = 0; i < count; ++i) rate[i] = (4.0 * near[i] - 3.0 * u[i] - far[i]) / (2.0 * ahead);
  return consistent_start(problem.system, given(problem), u, problem.signals, rate);
}

Start open_start(const Problem& problem) {
  return consistent_start(problem.system, given(problem), {}, problem.signals);
}

}  // namespace invar
