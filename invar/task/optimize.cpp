// See optimize.h.
#include "invar/task/optimize.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "invar/expr/error.h"
#include "invar/record/observer.h"
#include "invar/scheme/stepper.h"
#include "invar/system/start.h"
#include "invar/task/goal.h"
#include "invar/task/ipopt_solver.h"
#include "invar/task/transcription.h"
#include "invar/task/verdict.h"

namespace invar {

namespace {

constexpr double another_motion = 1e-6;  // difference to a simulation, relative

// The system with its start and goal.
struct Task {
  const OptimizeSettings& settings;
  System system;
  State start;
  const Scheme& scheme;
  Goal goal;
  std::vector<double> x0;  // q, v
};

void refuse_unfit(const Problem& problem) {
  if (!problem.optimize.asked) throw InputError("the model has no [optimize]: nothing says what to reach");
  if (problem.formulation == "lie")
    throw InputError("formulation \"lie\" cannot be used for optimal control; use \"director\" or \"minimal\"");
  if (problem.system.inputs.empty()) throw InputError("[optimize]: the model has no inputs");
  if (!problem.signals.empty()) throw InputError("[optimize]: signals cannot be used in optimal control yet");
}

// A first motion: at rest in the start, or along a line to the goal.
MeshMotion first_guess(const Task& task, const Transcription& form, std::size_t intervals, const std::string& kind) {
  const std::size_t n = task.start.q.size(), m = form.multiplier_count();
  const double horizon = task.settings.horizon;
  MeshMotion motion{horizon, {}, {}};
  std::vector<double> w(form.interval_size(), 0.0);
  std::copy_n(task.start.lambda.begin(), m, w.begin());
  motion.w.assign(intervals, w);
  motion.x.assign(intervals + 1, task.x0);
  if (kind == "hold") return motion;
  const auto line = line_to(task.system, task.goal, task.start.q, intervals, horizon);
  const double h = horizon / static_cast<double>(intervals);
  for (std::size_t k = 1; k <= intervals; ++k)
    for (std::size_t i = 0; i < n; ++i) {
      motion.x[k][i] = line[k][i];
      motion.x[k][n + i] = (line[k][i] - line[k - 1][i]) / h;
    }
  return motion;
}

// The same motion on another mesh.
MeshMotion remeshed(const MeshMotion& coarse, std::size_t intervals) {
  MeshMotion fine{coarse.horizon, {}, {}};
  const double ratio = static_cast<double>(coarse.intervals()) / static_cast<double>(intervals);
  for (std::size_t k = 0; k <= intervals; ++k) {
    const double place = ratio * static_cast<double>(k);
    const std::size_t i = std::min(static_cast<std::size_t>(place), coarse.intervals() - 1);
    const double s = place - static_cast<double>(i);
    fine.x.push_back(coarse.x[i]);
    for (std::size_t j = 0; j < fine.x[k].size(); ++j)
      fine.x[k][j] = (1.0 - s) * coarse.x[i][j] + s * coarse.x[i + 1][j];
    if (k < intervals) fine.w.push_back(coarse.w[static_cast<std::size_t>(ratio * (static_cast<double>(k) + 0.5))]);
  }
  return fine;
}

struct Found {
  MeshMotion motion;
  Solution solution;
};

class Search {
 public:
  Search(const Task& task, Transcription& form, const RunOptions& options)
      : task_(task), form_(form), options_(options) {}

  Found run() {
    const auto intervals = static_cast<std::size_t>(task_.settings.intervals);
    const std::string first = task_.settings.guess == "hold" ? "hold" : "line";
    Found best = attempt(first_guess(task_, form_, intervals, first));
    const auto consider = [&](Found other) {
      const bool better =
          other.solution.status == SolverStatus::solved || other.solution.infeasibility < best.solution.infeasibility;
      if (better && !other.solution.x.empty()) best = std::move(other);
    };
    const auto over = [&] {
      return stopped_ || best.solution.status == SolverStatus::solved ||
             best.solution.status == SolverStatus::too_many_equations;
    };
    if (!over()) consider(attempt(first_guess(task_, form_, intervals, first == "line" ? "hold" : "line")));
    constexpr std::size_t coarsest = 8;
    if (!over() && intervals >= 2 * coarsest) consider(from_coarse(intervals, coarsest, first));
    return best;
  }

  int iterations() const { return iterations_; }

 private:
  // A mesh of few intervals first, then ever finer ones.
  Found from_coarse(std::size_t intervals, std::size_t coarsest, const std::string& kind) {
    std::size_t now = intervals;
    while (now >= 2 * coarsest) now /= 2;
    Found found = attempt(first_guess(task_, form_, now, kind));
    while (!stopped_ && now < intervals && !found.solution.x.empty()) {
      now = 2 * now > intervals / 2 + now ? intervals : 2 * now;
      found = attempt(remeshed(found.motion, now));
    }
    return found.motion.intervals() == intervals ? found : Found{};
  }

  Found attempt(MeshMotion guess) {
    form_.guess_unknowns(guess);
    const std::size_t intervals = guess.intervals();
    const NonlinearProgram program = form_.program(intervals, task_.x0, task_.goal.ranges);
    SolverOptions options{task_.settings.tolerance, task_.settings.iterations, {}};
    options.keep_going = [&](int iteration, double, double) {
      const bool on =
          !options_.keep_going || options_.keep_going(static_cast<double>(iteration) / task_.settings.iterations);
      stopped_ = stopped_ || !on;
      return on;
    };
    Solution solution = solve(program, form_.pack(guess), options);
    Found found{std::move(guess), std::move(solution)};
    iterations_ += found.solution.iterations;
    if (!found.solution.x.empty()) found.motion = form_.unpack(found.solution.x, intervals);
    if (found.solution.status != SolverStatus::solved && !found.solution.x.empty())
      name_worst_row(program, intervals, found.solution);
    return found;
  }

  void name_worst_row(const NonlinearProgram& program, std::size_t intervals, Solution& solution) const {
    std::vector<double> g(program.row_lower.size());
    program.rows(solution.x, g);
    std::size_t worst = 0;
    double most = 0.0;
    for (std::size_t i = 0; i < g.size(); ++i)
      if (const double violation = std::max(program.row_lower[i] - g[i], g[i] - program.row_upper[i]);
          violation > most) {
        most = violation;
        worst = i;
      }
    if (most > task_.settings.tolerance)
      solution.reason += fmt::format("; {} is violated by {:.3g}", form_.row_name(worst, intervals), most);
  }

  const Task& task_;
  Transcription& form_;
  const RunOptions& options_;
  int iterations_ = 0;
  bool stopped_ = false;
};

double largest(std::span<const double> values) {
  double most = 0.0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

// Largest difference between the motion and a simulation with its inputs, relative to the largest entry of its kind.
std::optional<double> replay(const Task& task, const Transcription& form, const MeshMotion& motion) {
  Stepper stepper(task.system, task.scheme, {.scheme = {}, .newton = {.tolerance = 1e-13}});
  const double h = motion.horizon / static_cast<double>(motion.intervals());
  stepper.start(task.start, h);
  const std::size_t n = task.start.q.size();
  double sizes[2] = {1.0, 1.0}, differences[2] = {0.0, 0.0};
  for (std::size_t k = 0; k < motion.intervals(); ++k) {
    const auto inputs = [&](double, std::span<double> u) {
      std::copy_n(motion.w[k].begin() + static_cast<std::ptrdiff_t>(form.first_input()), u.size(), u.begin());
    };
    if (stepper.advance(h, inputs).status != NewtonStatus::converged) return std::nullopt;
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

std::vector<std::string> active_bounds(const Task& task, const Transcription& form, const MeshMotion& motion) {
  constexpr double close = 1e-6;
  std::vector<std::string> names;
  for (const Limit& limit : task.settings.bounds) {
    StateFunction formula(task.system, {&limit.formula, 1});
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (std::size_t k = 0; k < motion.intervals(); ++k) {
      const auto n = static_cast<std::ptrdiff_t>(task.start.q.size());
      const std::vector<double>& x = motion.x[k + 1];
      const State state{motion.horizon * static_cast<double>(k + 1) / static_cast<double>(motion.intervals()),
                        {x.begin(), x.begin() + n},
                        {x.begin() + n, x.end()},
                        {},
                        {}};
      const double value = formula(state, std::span(motion.w[k]).subspan(form.first_input())).front();
      least = std::min(least, value);
      most = std::max(most, value);
    }
    const double tolerance = close * (1.0 + std::max(std::abs(least), std::abs(most)));
    if (least < limit.lower + tolerance) names.push_back(fmt::format("{} >= {:.6g}", limit.name, limit.lower));
    if (most > limit.upper - tolerance) names.push_back(fmt::format("{} <= {:.6g}", limit.name, limit.upper));
  }
  return names;
}

Summary::Optimization measure(const Task& task, Transcription& form, const Found& found, int iterations) {
  const MeshMotion& motion = found.motion;
  Summary::Optimization o;
  o.cost = found.solution.cost;
  o.horizon = motion.horizon;
  o.intervals = motion.intervals();
  o.iterations = iterations;
  o.solver = found.solution.reason;
  o.infeasibility = found.solution.infeasibility;
  o.kkt = found.solution.kkt;
  const std::vector<double> energy = form.energy(motion);
  o.energy_balance = largest(form.energy_balance(motion));
  double change = 0.0;
  for (const double e : energy) change = std::max(change, std::abs(e - energy.front()));
  o.energy_balance_relative = change > 0.0 ? o.energy_balance / change : 0.0;
  const std::vector<double> h = form.hamiltonian(motion, found.solution.weight);
  o.hamiltonian = std::accumulate(h.begin(), h.end(), 0.0) / static_cast<double>(h.size());
  for (const double value : h) o.hamiltonian_drift = std::max(o.hamiltonian_drift, std::abs(value - o.hamiltonian));
  o.active_bounds = active_bounds(task, form, motion);
  if (found.solution.status == SolverStatus::solved) o.replay = replay(task, form, motion);
  return o;
}

void record(const Task& task, const Transcription& form, const MeshMotion& motion, Optimum& result) {
  Observer observer(task.system);
  const std::vector<double> parameters = parameter_values(task.system);
  const std::size_t n = task.start.q.size(), N = motion.intervals(), m = form.multiplier_count();
  std::vector<double> lambda(task.system.constraints.size(), std::numeric_limits<double>::quiet_NaN());
  result.trajectory.columns = observer.columns();
  result.inputs.columns = {"t"};
  for (const Input& input : task.system.inputs) result.inputs.columns.push_back(input.name);
  const double h = motion.horizon / static_cast<double>(N);
  for (std::size_t k = 0; k <= N; ++k) {
    // Multipliers belong to the interval before a node, inputs to the one after it.
    const std::vector<double>&before = motion.w[k == 0 ? 0 : k - 1], &after = motion.w[std::min(k, N - 1)];
    std::copy_n(before.begin(), m, lambda.begin());
    const std::span<const double> x(motion.x[k]);
    const auto u = std::span(after).subspan(form.first_input());
    const double t = k == N ? motion.horizon : h * static_cast<double>(k);
    observer.observe(t, x.first(n), x.subspan(n), lambda, u, parameters, result.trajectory.append());
    if (k == N) break;
    const std::span<double> row = result.inputs.append();
    row[0] = h * (static_cast<double>(k) + 0.5);
    std::copy(u.begin(), u.end(), row.begin() + 1);
  }
}

void tell_status(const Found& found, Summary& summary) {
  const SolverStatus status = found.solution.status;
  if (status == SolverStatus::solved) return;
  summary.status = status == SolverStatus::interrupted ? "interrupted" : "failed";
  const std::string advice = status == SolverStatus::infeasible || status == SolverStatus::too_many_equations
                                 ? "can the goal be reached in this time, with these inputs and bounds?"
                                 : "try more intervals, another guess (\"line\" or \"hold\") or looser bounds";
  summary.message = fmt::format("no optimal motion: {}; {}", found.solution.reason, advice);
}

}  // namespace

Optimum optimize(const Problem& problem, const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const OptimizeSettings& settings = problem.optimize;
  check(settings);
  refuse_unfit(problem);
  const std::vector<double> u(problem.system.inputs.size(), 0.0);
  Start start =
      consistent_start(problem.system, {.t = 0.0, .q = problem.q0, .v = problem.v0, .a = {}, .lambda = {}}, u);
  System system = without(problem.system, start.redundant);
  if (!start.redundant.empty()) start.state = consistent_start(system, start.state, u).state;
  const Scheme& scheme = choose_scheme(system, settings.scheme);
  Goal goal = find_goal(system, settings, start.state.q);
  Task task{settings, std::move(system), start.state, scheme, std::move(goal), start.state.q};
  task.x0.insert(task.x0.end(), start.state.v.begin(), start.state.v.end());

  Optimum result;
  Summary& summary = result.summary;
  describe_start(problem, start, summary);
  summary.task = "optimize";
  summary.method = scheme.info.name;
  Transcription form(task.system, scheme, settings);
  Search search(task, form, options);
  const Found found = search.run();
  tell_status(found, summary);
  summary.until = found.motion.horizon;
  summary.step = found.motion.horizon / static_cast<double>(std::max<std::size_t>(1, found.motion.intervals()));
  summary.steps = found.motion.intervals();
  record(task, form, found.motion, result);
  if (!found.solution.x.empty()) summary.optimization = measure(task, form, found, search.iterations());
  if (summary.optimization && summary.optimization->replay.value_or(0.0) > another_motion)
    summary.warnings.push_back(
        "a simulation with these inputs takes another way: the equations of a step have several solutions, and this "
        "mesh allows a "
        "jump between them; try more intervals, another guess or bounds");
  summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace invar
