// See mesh_error.h.
#include "invar/task/optimize/mesh_error.h"

#include <algorithm>
#include <cmath>

#include "invar/scheme/steps/stepper.h"

namespace invar {

namespace {

constexpr int substeps = 8;

class Replay {
 public:
  Replay(const OptimalTask& task, const OptimalMotion& found)
      : task_(task),
        found_(found),
        n_(task.start.q.size()),
        h_(found.motion.horizon / static_cast<double>(found.motion.intervals())),
        stepper_(task.system, task.quick_steps().scheme,
                 {.scheme = {}, .newton = {.tolerance = task.quick_steps().tolerance}}, task.problem.signals) {}

  // Through one interval with its inputs, from where the stepper stands; `each` sees every substep.
  template <class Each>
  bool through(std::size_t interval, const Each& each) {
    const auto u = std::span(found_.motion.w[interval]).subspan(found_.first_input);
    const auto held = [u](double, std::span<double> to) { std::copy_n(u.begin(), to.size(), to.begin()); };
    const double begin = h_ * static_cast<double>(interval);
    for (int i = 1; i <= substeps; ++i) {
      if (stepper_.advance(h_ / substeps, held).status != NewtonStatus::converged) return false;
      stepper_.set_t(begin + h_ * i / substeps);
      each(static_cast<double>(i) / substeps);
    }
    return std::all_of(stepper_.q().begin(), stepper_.q().end(), [](double x) { return std::isfinite(x); });
  }
  bool through(std::size_t interval) {
    return through(interval, [](double) {});
  }

  bool from_node(std::size_t k) {
    const std::optional<State> node = task_.node(found_, k);
    if (node) stepper_.start(*node, h_ / substeps);
    return node.has_value();
  }

  State state() const {
    return {
        stepper_.t(), {stepper_.q().begin(), stepper_.q().end()}, {stepper_.v().begin(), stepper_.v().end()}, {}, {}};
  }

  // From the mesh's node k to the stepper's.
  double position_error(std::size_t k, std::size_t i) const { return stepper_.q()[i] - found_.motion.x[k][i]; }
  double velocity_error(std::size_t k, std::size_t i) const { return stepper_.v()[i] - found_.motion.x[k][n_ + i]; }

 private:
  const OptimalTask& task_;
  const OptimalMotion& found_;
  std::size_t n_;
  double h_;
  Stepper stepper_;
};

// From its least to its largest value; coordinates that hardly move count with a thousandth of the longest way.
std::vector<double> ways(const OptimalMotion& found, std::size_t n) {
  constexpr double hardly = 1e-3;
  const auto& x = found.motion.x;
  std::vector<double> way(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto [least, most] =
        std::minmax_element(x.begin(), x.end(), [i](const auto& a, const auto& b) { return a[i] < b[i]; });
    way[i] = (*most)[i] - (*least)[i];
  }
  const double longest = n > 0 ? *std::max_element(way.begin(), way.end()) : 0.0;
  for (double& w : way) w = std::max({w, hardly * longest, std::numeric_limits<double>::min()});
  return way;
}

// Every interval alone. What the steps leave out, added up as a plant would do that nothing moves but its own velocity;
// relative, of the worst coordinate.
void step_alone(const OptimalMotion& found, const std::vector<double>& way, Replay& replay, BetweenNodes& between,
                FineSteps& result) {
  const double h = found.motion.horizon / static_cast<double>(found.motion.intervals());
  std::vector<double> position(way.size(), 0.0), velocity(way.size(), 0.0);
  for (std::size_t k = 0; k < found.motion.intervals(); ++k) {
    const auto look = [&](double fraction) {
      const State state = replay.state();
      const std::vector<double> beyond = between.beyond(state);
      for (std::size_t f = 0; f < beyond.size(); ++f) {
        const Breach b{between.tested_limits()[f], k, fraction, state.t, beyond[f], between.tolerances()[f]};
        if (!result.worst || b.size() > result.worst->size()) result.worst = b;
      }
    };
    if (!replay.from_node(k) || !replay.through(k, look)) {
      result.possible = false;
      return;
    }
    for (std::size_t i = 0; i < way.size(); ++i) {
      position[i] += h * velocity[i] + replay.position_error(k + 1, i);
      velocity[i] += replay.velocity_error(k + 1, i);
      result.error.steps = std::max(result.error.steps, std::abs(position[i]) / way[i]);
    }
  }
}

}  // namespace

FineSteps on_finer_steps(const OptimalTask& task, const OptimalMotion& found, BetweenNodes& between) {
  constexpr double by_itself = 10.0;  // times the sum of its causes is what a stable plant can make of them
  FineSteps result;
  const std::vector<double> way = ways(found, task.start.q.size());
  Replay replay(task, found);
  step_alone(found, way, replay, between, result);
  std::size_t k = 0;
  const bool begun = replay.from_node(0);
  while (begun && k < found.motion.intervals() && replay.through(k)) ++k;
  result.error.grows = k < found.motion.intervals();
  if (result.error.grows) return result;
  for (std::size_t i = 0; i < way.size(); ++i) {
    const double error = std::abs(replay.position_error(k, i));
    if (result.error.end && error / way[i] <= result.error.relative) continue;
    result.error.coordinate = task.system.coordinates[i].name();
    result.error.end = error;
    result.error.relative = error / way[i];
  }
  constexpr double noise = 1e-9;
  result.error.grows = result.possible && result.error.relative > by_itself * result.error.steps + noise;
  return result;
}

}  // namespace invar
