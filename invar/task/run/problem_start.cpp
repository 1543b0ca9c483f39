// See problem_start.h.
#include "invar/task/run/problem_start.h"

#include <algorithm>

#include "invar/task/run/inputs.h"
#include "invar/task/run/simulate_settings.h"

namespace invar {

namespace {

// u(0) and u'(0); nothing for tasks that find the inputs.
struct FirstInputs {
  std::vector<double> u, rate;
};

FirstInputs first_inputs(InputValues inputs, const Problem& problem) {
  inputs.set_parameters(parameter_values(problem.system));
  const std::size_t count = problem.system.inputs.size();
  const double ahead = 1e-4 * problem.settings.of<SimulateSettings>().step;  // one-sided differences of second order
  FirstInputs first{std::vector<double>(count), std::vector<double>(count)};
  std::vector<double> near(count), far(count);
  inputs(0.0, first.u);
  inputs(ahead, near);
  inputs(2.0 * ahead, far);
  for (std::size_t i = 0; i < count; ++i) first.rate[i] = (4.0 * near[i] - 3.0 * first.u[i] - far[i]) / (2.0 * ahead);
  return first;
}

State given(const Problem& problem) { return {.t = 0.0, .q = problem.q0, .v = problem.v0, .a = {}, .lambda = {}}; }

bool same_constraints(const std::vector<Redundancy>& x, const std::vector<Redundancy>& y) {
  return std::ranges::equal(x, y, {}, &Redundancy::constraint, &Redundancy::constraint);
}

}  // namespace

struct ProblemStart::Shared {
  std::optional<InputValues> inputs;  // none if they are open
  ConsistentStart whole;
  std::vector<double> parameters;
  std::vector<Redundancy> redundant;
  System system;
  ConsistentStart kept;
  StartPoint point;

  Shared(const Problem& problem, StartInputs kind)
      : whole(problem.system, problem.signals),
        parameters(parameter_values(problem.system)),
        system(problem.system),
        kept(whole) {
    if (kind == StartInputs::given)
      inputs.emplace(problem.system, problem.settings.of<SimulateSettings>().inputs, problem.signals);
    point.report = report(problem);
    redundant = point.report.redundant;
    if (!redundant.empty()) {
      system = without(problem.system, redundant);
      kept = ConsistentStart(system, problem.signals);
    }
    point.state = state(problem, point.report);
  }

  Start report(const Problem& problem) const {
    const FirstInputs first = inputs ? first_inputs(*inputs, problem) : FirstInputs();
    return whole({given(problem), first.u, first.rate}, parameter_values(problem.system));
  }
  State state(const Problem& problem, const Start& start) const {
    if (redundant.empty()) return start.state;
    const FirstInputs first = inputs ? first_inputs(*inputs, problem) : FirstInputs();
    return kept({start.state, first.u}, parameter_values(problem.system)).state;
  }
};

ProblemStart::ProblemStart(const Problem& problem, StartInputs inputs)
    : shared_(std::make_shared<const Shared>(problem, inputs)) {}

const System& ProblemStart::system() const { return shared_->system; }
const StartPoint& ProblemStart::point() const { return shared_->point; }

std::optional<StartPoint> ProblemStart::point(const Problem& changed) const {
  StartPoint found{shared_->report(changed), {}};
  if (!same_constraints(found.report.redundant, shared_->redundant)) return std::nullopt;
  found.state = shared_->state(changed, found.report);
  return found;
}

State ProblemStart::consistent(const State& state, std::span<const double> u) const {
  return shared_->kept({state, u}, shared_->parameters).state;
}

}  // namespace invar
