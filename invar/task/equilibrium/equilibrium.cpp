// See equilibrium.h.
#include "invar/task/equilibrium/equilibrium.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <numeric>

#include "invar/base/error.h"
#include "invar/record/accuracy.h"
#include "invar/record/initial_table.h"
#include "invar/record/observer.h"
#include "invar/record/watch.h"
#include "invar/scheme/choose.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/statics/direction_names.h"
#include "invar/statics/held.h"
#include "invar/statics/rest.h"
#include "invar/system/all_multipliers.h"
#include "invar/tape/compilation.h"
#include "invar/task/check/verdict.h"
#include "invar/task/run/inputs.h"
#include "invar/task/run/problem_start.h"
#include "invar/task/run/simulate_settings.h"

namespace invar {

namespace {

constexpr double stays_to = 1e-6;  // of the size of the system, in a simulation from the equilibrium

// How long a simulation must show that it stays: a swing, or while what is unstable grows by some e-folds.
double time_to_try(const Stability& s) {
  constexpr double e_folds = 2.0;
  if (s.growth > 0.0) return e_folds / s.growth;
  if (s.lowest_frequency > 0.0) return 1.0 / s.lowest_frequency;
  double fastest = 0.0;
  for (const auto& value : s.eigenvalues) fastest = std::max(fastest, std::abs(value));
  return fastest > 0.0 ? 1.0 / fastest : 1.0;
}

// The largest distance from where it should be, relative to the size of the system; nothing if the steps fail.
std::optional<double> distance_after(const System& system, const StaticPoint& rest, double time) {
  // At rest every scheme stays where it is; a steady motion needs one that follows it closely.
  const bool at_rest = std::ranges::all_of(rest.state.v, [](double v) { return v == 0.0; });
  const Scheme& scheme = at_rest ? choose_scheme(system, "auto") : scheme_called("radau5", "scheme");
  const int steps = at_rest ? 50 : 200;
  State state = rest.state;
  state.a.assign(state.q.size(), 0.0);
  Stepper stepper(system, scheme, {}, {});
  stepper.start(state, time / steps);
  const Stepper::Inputs no_inputs = [](double, std::span<double>) {};
  double largest = 0.0;
  for (int k = 1; k <= steps; ++k) {
    if (stepper.advance(time / steps, no_inputs).status != NewtonStatus::converged) return std::nullopt;
    Vector away(static_cast<Eigen::Index>(state.q.size()));
    for (std::size_t i = 0; i < state.q.size(); ++i)
      away[static_cast<Eigen::Index>(i)] = stepper.q()[i] - state.q[i] - state.v[i] * stepper.t();
    largest = std::max(largest, rest.length(away) / rest.size);
  }
  return largest;
}

// What moves most from one place to another, and where it is there.
EquilibriumSummary::Named most_changed(const System& system, const StaticPoint& from, const StaticPoint& to) {
  constexpr std::size_t most = 4;
  constexpr double noticeable = 0.1;  // of the largest change
  const auto n = system.coordinates.size();
  std::vector<double> change(n);
  for (std::size_t i = 0; i < n; ++i)
    change[i] = from.L.row(static_cast<Eigen::Index>(i)).norm() * std::abs(to.state.q[i] - from.state.q[i]);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return change[i]; });
  EquilibriumSummary::Named named;
  for (const std::size_t i : order)
    if (named.size() < most && change[i] > noticeable * change[order.front()])
      named.emplace_back(system.coordinates[i].name(), to.state.q[i]);
  return named;
}

EquilibriumSummary describe(const System& system, const Rest& rest) {
  EquilibriumSummary e;
  e.found = rest.found;
  e.iterations = rest.iterations;
  e.steps = rest.steps;
  e.turns = rest.turns;
  e.force_residual = rest.point.imbalance;
  e.constraint_residual = rest.point.violation;
  if (!rest.found) return e;
  e.stability = rest.stability.kind;
  e.eigenvalues = rest.stability.eigenvalues;
  e.growth = rest.stability.growth;
  e.lowest_frequency = rest.stability.lowest_frequency;
  e.free = rest.free;
  e.flat = rest.flat;
  for (const std::size_t z : rest.steady.all)
    if (rest.point.state.v[z] != 0.0) e.steady.emplace_back(system.coordinates[z].name(), rest.point.state.v[z]);
  if (rest.lower) e.lower = most_changed(system, rest.point, *rest.lower);
  return e;
}

void warn(const Problem& problem, const Start& start, const Rest& rest, Summary& summary) {
  std::vector<std::string> dropped;
  for (std::size_t i = 0; i < start.state.v.size(); ++i)
    if (start.state.v[i] != 0.0 && std::ranges::find(rest.steady.all, i) == rest.steady.all.end())
      dropped.push_back(problem.system.coordinates[i].name() + "'");
  if (!dropped.empty() && dropped.size() <= 6)
    summary.warnings.push_back(fmt::format(
        "velocities of the start are left out: {}; only coordinates on whose places nothing depends may go on steadily",
        in_a_list(dropped)));
  else if (!dropped.empty())
    summary.warnings.push_back(fmt::format(
        "{} velocities of the start are left out; only coordinates on whose places nothing depends may go on steadily",
        dropped.size()));
  if (changes_in_time(problem.system)) summary.warnings.push_back("what changes in time is held as it is at t = 0");
  if (rest.found && rest.singular)
    summary.warnings.push_back(
        "constraints are dependent in this configuration: multipliers and stability are not determined by first order");
}

// The judgement by other means.
void try_out(const System& system, const Rest& rest, EquilibriumSummary& e, Summary& summary) {
  e.stays_for = time_to_try(rest.stability);
  e.stays = distance_after(system, rest.point, e.stays_for);
  if (!e.stays) {
    summary.warnings.push_back("a simulation from the equilibrium could not be done, so that this test is missing");
  } else if (!(*e.stays <= stays_to)) {
    summary.status = RunStatus::failed;
    summary.message = fmt::format(
        "a simulation does not stay at what was found: it gets away by {:.1e} of the size of the system in {:.3g} s",
        *e.stays, e.stays_for);
  }
}

// Writes every equilibrium on the path of a parameter into the table "path", with its value in place of time.
PathVisitor path_table(const Problem& problem, Observer& observer, AllMultipliers& multipliers,
                       const std::vector<double>& u, Outcome& outcome) {
  const std::optional<FollowedParameter>& follow = problem.settings.of<EquilibriumSettings>().follow;
  if (!follow) return {};
  outcome.tables.push_back({"path", {}});
  Trajectory& rows = outcome.tables.back().rows;
  rows.columns = observer.columns();
  rows.columns.front() = follow->name;
  const auto place = std::ranges::find(problem.system.parameters, follow->name, &Parameter::name);
  expects(place != problem.system.parameters.end(), "a parameter of the model");
  const auto index = static_cast<std::size_t>(place - problem.system.parameters.begin());
  return [&observer, &multipliers, &u, &rows, index, values = parameter_values(problem.system)](
             double value, const State& at) mutable {
    values[index] = value;
    const std::span<double> row = rows.append();
    observer.observe(0.0, at.q, at.v, multipliers.all(at.lambda), u, values, row);
    row.front() = value;
  };
}

}  // namespace

Outcome find_equilibrium(const Problem& given, const RunOptions& options) {
  return find_equilibrium(Prepared(given), {}, options);
}

Outcome find_equilibrium(const Prepared& given, const Overrides& parameters, const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const Compilation compilation(options.compiler);
  const EquilibriumSettings& settings = given.problem().settings.of<EquilibriumSettings>();
  Overrides at_the_end = parameters;
  if (settings.follow) at_the_end.emplace_back(settings.follow->name, settings.follow->to);
  const Prepared prepared = with_parameters(given, at_the_end);
  const Problem& problem = prepared.problem();
  check(settings);
  const System& all = problem.system;
  InputValues inputs(all, problem.settings.of<SimulateSettings>().inputs, problem.signals);
  std::vector<double> u(all.inputs.size());
  inputs(0.0, u);
  const GivenStart& begun = prepared.part<GivenStart>();
  const Start& start = begun.point().report;
  const System system = held(begun.system(), problem.signals, u);
  Observer observer(all, problem.signals);
  AllMultipliers multipliers(all, system);
  Outcome outcome;
  const Rest rest = find_rest(system, begun.point().state,
                              {.method = settings.method,
                               .tolerance = settings.tolerance,
                               .follow = settings.follow,
                               .visit = path_table(problem, observer, multipliers, u, outcome)});
  Summary& summary = outcome.summary;
  describe_start(problem, start, summary);
  summary.task = "equilibrium";
  summary.method = name_in(rest_methods, rest.by);
  summary.step = summary.until = 0.0;
  summary.newton_iterations = {.total = static_cast<std::uint64_t>(rest.iterations),
                               .max = static_cast<std::uint64_t>(rest.iterations)};
  if (!rest.found) {
    summary.status = RunStatus::failed;
    summary.message = rest.reason;
  }
  EquilibriumSummary found = describe(system, rest);
  if (settings.follow) found.followed = settings.follow->name;
  if (rest.found) try_out(system, rest, found, summary);
  warn(problem, start, rest, summary);

  describe_conserved(problem, observer.conserved(), summary);
  outcome.trajectory.columns = observer.columns();
  const State& at = rest.point.state;
  observer.observe(0.0, at.q, at.v, multipliers.all(at.lambda), u, parameter_values(all), outcome.trajectory.append());
  summary.accuracy = measure_accuracy(outcome.trajectory, observer.conserved());
  for (const std::string& words : watch(all, problem.signals, outcome.trajectory)) summary.warnings.push_back(words);
  if (rest.found) {
    const std::string origin = problem.mechanism ? fmt::format(", in the formulation {}", summary.formulation) : "";
    outcome.texts.push_back({"initial.toml", fmt::format("# Equilibrium of {}{}.\n", problem.name, origin) +
                                                 initial_table(all, at.q, at.v)});
  }
  summary.machine_code = compilation.report();
  summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  summary.parts.set(std::move(found));
  return outcome;
}

}  // namespace invar
