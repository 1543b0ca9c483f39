// See optimal_record.h.
#include "invar/task/optimize/optimal_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "invar/expr/derivative.h"
#include "invar/expr/lists.h"
#include "invar/record/observer.h"
#include "invar/scheme/steps/stepper.h"

namespace invar {

namespace {

double largest(std::span<const double> values) {
  double most = 0.0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

double step_of(const MeshMotion& motion) { return motion.horizon / static_cast<double>(motion.intervals()); }

std::span<const double> inputs_of(const OptimalMotion& found, std::size_t interval) {
  return std::span(found.motion.w[interval]).subspan(found.first_input);
}

// Inputs that are held as in this interval.
Stepper::Inputs held(const OptimalMotion& found, std::size_t interval) {
  return
      [u = inputs_of(found, interval)](double, std::span<double> to) { std::copy_n(u.begin(), to.size(), to.begin()); };
}

constexpr double newton_tolerance = 1e-13;  // of Newton's method, as far as it goes

// Where a limit is asked for in an interval: at its end, or in its middle, where its inputs and multipliers belong.
State place_of_limit(const OptimalTask& task, const OptimalMotion& found, const Limit& limit, std::size_t k) {
  const MeshMotion& motion = found.motion;
  const auto n = static_cast<std::ptrdiff_t>(task.start.q.size());
  Exprs of_intervals = inputs(task.system);
  append(of_intervals, multipliers(task.system));
  const bool middle = depends(limit.formula, of_intervals);
  std::vector<double> x = motion.x[k + 1];
  if (middle)
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.5 * (motion.x[k][i] + motion.x[k + 1][i]);
  State state{step_of(motion) * (static_cast<double>(k) + (middle ? 0.5 : 1.0)),
              {x.begin(), x.begin() + n},
              {x.begin() + n, x.end()},
              {},
              {}};
  const auto first = motion.w[k].begin();
  if (found.multipliers > 0) state.lambda.assign(first, first + static_cast<std::ptrdiff_t>(found.multipliers));
  return state;
}

std::vector<std::string> active_bounds(const OptimalTask& task, const OptimalMotion& found) {
  constexpr double close = 1e-6;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < task.settings.bounds.size(); ++i) {
    const Limit& limit = task.settings.bounds[i];
    StateFunction formula(task.system, {&limit.formula, 1}, task.problem.signals);
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (std::size_t k = 0; k < found.motion.intervals(); ++k) {
      const double value = formula(place_of_limit(task, found, limit, k), inputs_of(found, k)).front();
      least = std::min(least, value);
      most = std::max(most, value);
    }
    for (const Breach& peak : found.peaks) {
      const bool below = least - limit.lower < limit.upper - most;
      if (peak.limit == i && std::abs(peak.amount) < peak.tolerance)
        (below ? least : most) = below ? limit.lower : limit.upper;
    }
    const double tolerance = close * (1.0 + std::max(std::abs(least), std::abs(most)));
    if (least < limit.lower + tolerance) names.push_back(fmt::format("{} >= {:.6g}", limit.name, limit.lower));
    if (most > limit.upper - tolerance) names.push_back(fmt::format("{} <= {:.6g}", limit.name, limit.upper));
  }
  return names;
}

// Largest difference to a simulation, relative.
std::optional<double> difference_to_replay(const OptimalTask& task, const OptimalMotion& found) {
  Stepper stepper(task.system, task.scheme,
                  {.scheme = {}, .newton = {.tolerance = newton_tolerance}, .as_stated = true}, task.problem.signals);
  const MeshMotion& motion = found.motion;
  const double h = step_of(motion);
  const std::optional<State> start = task.node(found, 0);
  if (!start) return std::nullopt;
  stepper.start(*start, h);
  const std::size_t n = task.start.q.size();
  double sizes[2] = {1.0, 1.0}, differences[2] = {0.0, 0.0};
  for (std::size_t k = 0; k < motion.intervals(); ++k) {
    if (stepper.advance(h, held(found, k)).status != NewtonStatus::converged) return std::nullopt;
    for (std::size_t i = 0; i < n; ++i) {
      const double q = motion.x[k + 1][i], v = motion.x[k + 1][n + i];
      sizes[0] = std::max(sizes[0], std::abs(q));
      sizes[1] = std::max(sizes[1], std::abs(v));
      differences[0] = std::max(differences[0], std::abs(stepper.q()[i] - q));
      differences[1] = std::max(differences[1], std::abs(stepper.v()[i] - v));
    }
  }
  return std::max(differences[0] / sizes[0], differences[1] / sizes[1]);
}

// How far steps of half the size lead away from the next node, at most: relative to the longest way between two nodes.
// Nothing if such steps cannot be made.
std::optional<double> error_of_steps(const OptimalTask& task, const OptimalMotion& found) {
  const OptimalTask::QuickSteps quick = task.quick_steps();
  Stepper stepper(task.system, quick.scheme, {.scheme = {}, .newton = {.tolerance = quick.tolerance}},
                  task.problem.signals);
  const MeshMotion& motion = found.motion;
  const double h = step_of(motion);
  std::vector<double> way(task.start.q.size(), 0.0), error = way;
  for (std::size_t k = 0; k < motion.intervals(); ++k) {
    const std::optional<State> node = task.node(found, k);
    if (!node) return std::nullopt;
    stepper.start(*node, 0.5 * h);
    for (int half = 0; half < 2; ++half)
      if (stepper.advance(0.5 * h, held(found, k)).status != NewtonStatus::converged) return std::nullopt;
    for (std::size_t i = 0; i < way.size(); ++i) {
      way[i] = std::max(way[i], std::abs(motion.x[k + 1][i] - motion.x[k][i]));
      error[i] = std::max(error[i], std::abs(motion.x[k + 1][i] - stepper.q()[i]));
    }
  }
  // Coordinates that hardly move say nothing.
  const double longest = largest(way);
  constexpr double hardly = 1e-3;
  double most = 0.0;
  for (std::size_t i = 0; i < way.size(); ++i)
    if (way[i] > hardly * longest) most = std::max(most, error[i] / way[i]);
  return most;
}

// dynamics of "x" becomes costate.dynamics.x.
std::string costate_column(std::string equation) {
  const std::string between = " of \"";
  if (const std::size_t at = equation.find(between); at != std::string::npos && equation.ends_with('"'))
    equation =
        equation.substr(0, at) + "." + equation.substr(at + between.size(), equation.size() - at - between.size() - 1);
  return "costate." + equation;
}

}  // namespace

Trajectory motion_table(const OptimalTask& task, const OptimalMotion& found) {
  Observer observer(task.system, task.problem.signals);
  const std::vector<double> parameters = parameter_values(task.system);
  const MeshMotion& motion = found.motion;
  const std::size_t n = task.start.q.size(), N = motion.intervals();
  std::vector<double> lambda(task.system.constraints.size(), std::numeric_limits<double>::quiet_NaN());
  Trajectory table;
  table.columns = observer.columns();
  for (std::size_t k = 0; k <= N; ++k) {
    // Multipliers belong to the interval before a node, inputs to the one after it.
    std::copy_n(motion.w[k == 0 ? 0 : k - 1].begin(), found.multipliers, lambda.begin());
    const std::span<const double> x(motion.x[k]);
    const double t = k == N ? motion.horizon : step_of(motion) * static_cast<double>(k);
    observer.observe(t, x.first(n), x.subspan(n), lambda, inputs_of(found, std::min(k, N - 1)), parameters,
                     table.append());
  }
  return table;
}

Trajectory input_table(const OptimalTask& task, const OptimalMotion& found) {
  Trajectory table;
  table.columns = {"t"};
  for (const Input& input : task.system.inputs) table.columns.push_back(input.name);
  for (std::size_t k = 0; k < found.motion.intervals(); ++k) {
    const std::span<double> row = table.append();
    const auto u = inputs_of(found, k);
    row[0] = step_of(found.motion) * (static_cast<double>(k) + 0.5);
    std::copy(u.begin(), u.end(), row.begin() + 1);
  }
  return table;
}

Trajectory costate_table(const OptimalMotion& found) {
  Trajectory table;
  table.columns = {"t", "hamiltonian"};
  for (const std::string& name : found.costate_names) table.columns.push_back(costate_column(name));
  const std::size_t N = found.motion.intervals();
  for (std::size_t k = 0; k < N && !found.hamiltonian.empty(); ++k) {
    const std::span<double> row = table.append();
    row[0] = step_of(found.motion) * (static_cast<double>(k) + 0.5);
    row[1] = found.hamiltonian[k];
    for (std::size_t r = 0; r < found.costate_names.size(); ++r) row[2 + r] = found.costates[r * N + k];
  }
  return table;
}

OptimizationSummary measures(const OptimalTask& task, const OptimalMotion& found) {
  OptimizationSummary o;
  o.method = name_in(optimal_methods, task.settings.method);
  o.cost = found.solution.cost;
  o.horizon = found.motion.horizon;
  o.intervals = found.motion.intervals();
  o.iterations = found.solution.iterations;
  o.solver = found.solution.reason;
  o.second_order = found.second_order;
  o.guess = found.origin.guess;
  o.guesses = found.origin.guesses;
  o.saddles = found.origin.saddles;
  o.infeasibility = found.solution.infeasibility;
  o.kkt = found.solution.kkt;
  o.energy_balance = largest(found.energy_balance);
  double change = 0.0;
  for (const double e : found.energy) change = std::max(change, std::abs(e - found.energy.front()));
  o.energy_balance_relative = change > 0.0 ? o.energy_balance / change : 0.0;
  const std::vector<double>& h = found.hamiltonian;
  o.hamiltonian = std::accumulate(h.begin(), h.end(), 0.0) / static_cast<double>(std::max<std::size_t>(1, h.size()));
  for (const double value : h) o.hamiltonian_drift = std::max(o.hamiltonian_drift, std::abs(value - o.hamiltonian));
  o.active_bounds = active_bounds(task, found);
  o.replay = found.replay;
  return o;
}

Doubt doubt(const OptimalTask& task, const OptimalMotion& found) {
  constexpr double another_motion = 1e-6, coarse = 0.1;
  Doubt d;
  d.replay = difference_to_replay(task, found);
  if (d.replay.value_or(1.0) > another_motion) {
    d.warning =
        "a simulation with these inputs takes another way: the equations of a step have several solutions, and this "
        "mesh "
        "allows a jump between them; try more intervals, another guess or bounds";
    return d;
  }
  const std::optional<double> error = error_of_steps(task, found);
  if (error.value_or(1.0) > coarse)
    d.warning = fmt::format(
        "the mesh is too coarse for this motion: with steps of half the size {}; it may exist on this mesh only, e.g. "
        "by a "
        "jump through a singular position. Try more intervals, or bounds that keep such positions away",
        error ? fmt::format("a step ends {:.0f} % of its way elsewhere", 100.0 * *error) : "there is no motion");
  return d;
}

}  // namespace invar
