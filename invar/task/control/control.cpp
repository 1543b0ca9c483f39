// See control.h.
#include "invar/task/control/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "invar/base/error.h"
#include "invar/record/observer.h"
#include "invar/scheme/choose.h"
#include "invar/tape/compilation.h"
#include "invar/task/check/verdict.h"
#include "invar/task/control/controllers.h"
#include "invar/task/control/sampled_loop.h"
#include "invar/task/run/problem_start.h"
#include "invar/task/simulate/simulation_check.h"

namespace invar {

namespace {

using Clock = std::chrono::steady_clock;

const Problem& plant_of(const Problem& problem) { return problem.plant ? *problem.plant : problem; }

// Those of the model, and of the plant where they differ.
std::vector<std::pair<std::string, double>> parameters_of_loop(const Problem& problem, const Problem& plant) {
  std::vector<std::pair<std::string, double>> values;
  for (const Parameter& p : problem.system.parameters) values.emplace_back(p.name, p.value);
  for (std::size_t i = 0; i < values.size() && i < plant.system.parameters.size(); ++i)
    if (const Parameter& p = plant.system.parameters[i]; p.value != values[i].second)
      values.emplace_back("plant." + p.name, p.value);
  return values;
}

// Outputs of the plant against what they shall follow.
class Tracking {
 public:
  explicit Tracking(const Problem& plant)
      : targets_(plant.targets), values_(plant.system, formulas(plant), all_references(plant)) {
    errors_.resize(targets_.size());
  }

  void add_columns(std::vector<std::string>& columns) const {
    for (const ServoTarget& target : targets_) columns.push_back("reference." + target.output);
    for (const ServoTarget& target : targets_) columns.push_back("error." + target.output);
  }

  // Writes references and errors.
  void observe(const SampledLoop& loop, std::span<double> row) {
    const State state{loop.t(), {loop.q().begin(), loop.q().end()}, {loop.v().begin(), loop.v().end()}, {}, {}};
    const std::vector<double> y = values_(state, loop.inputs());
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      double wanted = 0.0;
      if (!targets_[i].follow.empty()) targets_[i].follow[0].function->series(loop.t(), Side::right, {&wanted, 1});
      row[i] = wanted;
      row[targets_.size() + i] = y[i] - wanted;
      errors_[i].push_back(y[i] - wanted);
    }
  }

  std::vector<ControlSummary::Error> errors() const {
    std::vector<ControlSummary::Error> all;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      ControlSummary::Error e{targets_[i].output, 0.0, 0.0, 0.0};
      for (const double x : errors_[i]) {
        e.largest = std::max(e.largest, std::abs(x));
        e.rms += x * x;
      }
      if (!errors_[i].empty()) {
        e.rms = std::sqrt(e.rms / static_cast<double>(errors_[i].size()));
        e.last = errors_[i].back();
      }
      all.push_back(e);
    }
    return all;
  }

 private:
  static Exprs formulas(const Problem& plant) {
    Exprs all;
    for (const ServoTarget& target : plant.targets) all.push_back(target.expr);
    return all;
  }

  const std::vector<ServoTarget>& targets_;
  StateFunction values_;
  std::vector<std::vector<double>> errors_;
};

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0.0;
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

// Everything that is written down during a run.
class Recording {
 public:
  Recording(const Problem& plant, const SampledLoop& loop, ControlRun& run)
      : observer_(loop.system(), plant.signals),
        tracking_(plant),
        parameters_(parameter_values(loop.system())),
        run_(run) {
    run_.trajectory.columns = observer_.columns();
    own_ = run_.trajectory.columns.size();
    tracking_.add_columns(run_.trajectory.columns);
    run_.inputs.columns = {"t"};
    for (const Input& input : loop.system().inputs) run_.inputs.columns.push_back(input.name);
    squares_.resize(loop.inputs().size(), 0.0);
    largest_ = squares_;
  }

  void sample(SampledLoop& loop, double seconds) {
    seconds_.push_back(seconds);
    saturated_ += loop.saturated();
    const std::span<double> row = run_.trajectory.append();
    observer_.observe(loop.t(), loop.q(), loop.v(), loop.lambda(), loop.inputs(), parameters_, row.first(own_));
    tracking_.observe(loop, row.subspan(own_));
    const std::span<double> inputs = run_.inputs.append();
    inputs[0] = loop.t();
    std::copy(loop.inputs().begin(), loop.inputs().end(), inputs.begin() + 1);
    for (std::size_t i = 0; i < squares_.size(); ++i) {
      squares_[i] += loop.inputs()[i] * loop.inputs()[i];
      largest_[i] = std::max(largest_[i], std::abs(loop.inputs()[i]));
    }
    drift_ = std::max(drift_, run_.trajectory.value(run_.trajectory.rows() - 1, "drift.position"));
    not_finite_ = find_not_finite(loop.system(), run_.trajectory.columns, row);
  }

  void leave_out_last() {
    for (Trajectory* table : {&run_.trajectory, &run_.inputs})
      table->values.resize(table->values.size() - table->columns.size());
  }
  // The first column of the last sample that is not finite.
  const std::optional<std::string>& not_finite() const { return not_finite_; }

  Judgement judged(const Problem& plant, const SampledLoop& loop, const ControlSettings& settings) const {
    const Motion motion = {loop.system(), plant.signals, run_.trajectory, observer_.conserved(), {}, false};
    Promise promise = promise_of(choose_scheme(loop.system(), settings.scheme).info, NewtonOptions().tolerance);
    if (settings.baumgarte) promise.positions = promise.velocities = promise.rolling = false;
    return judge(motion, promise);
  }

  void finish(const SampledLoop& loop, double period, ControlSummary& c) const {
    c.errors = tracking_.errors();
    const double count = static_cast<double>(std::max<std::size_t>(1, seconds_.size()));
    for (std::size_t i = 0; i < squares_.size(); ++i)
      c.efforts.push_back({loop.system().inputs[i].name, largest_[i], std::sqrt(squares_[i] / count)});
    c.samples = seconds_.size();
    c.saturated = static_cast<double>(saturated_) / count;
    c.constraint_violation = drift_;
    c.worst_time = seconds_.empty() ? 0.0 : *std::max_element(seconds_.begin(), seconds_.end()) / period;
    c.usual_time = percentile(seconds_, 0.99) / period;
  }

 private:
  Observer observer_;
  Tracking tracking_;
  std::vector<double> parameters_, seconds_, squares_, largest_;
  std::size_t own_ = 0, saturated_ = 0;
  double drift_ = 0.0;
  std::optional<std::string> not_finite_;
  ControlRun& run_;
};

void check_start(const Prepared& prepared, const State& wanted, std::vector<std::string>& warnings) {
  const Problem& problem = prepared.problem();
  const State& start = prepared.part<OpenStart>().point().report.state;
  struct Difference {
    std::string name;
    double is = 0.0, wanted = 0.0;
    double size() const { return std::abs(is - wanted) / (1.0 + std::abs(wanted)); }
  } worst;
  for (std::size_t i = 0; i < start.q.size(); ++i) {
    const std::string name = problem.system.coordinates[i].name();
    for (const Difference& d :
         {Difference{name, start.q[i], wanted.q[i]}, Difference{name + "'", start.v[i], wanted.v[i]}})
      if (d.size() > worst.size()) worst = d;
  }
  constexpr double elsewhere = 1e-6;
  if (worst.size() > elsewhere)
    warnings.push_back(
        fmt::format("the model starts elsewhere than the trajectories: {} = {:.6g}, which they want at {:.6g}; the "
                    "controller begins with this error",
                    worst.name, worst.is, worst.wanted));
}

void check_limits(const Problem& problem, const std::vector<double>& at_rest, std::vector<std::string>& warnings) {
  const std::vector<InputLimits>& limits = problem.settings.of<ControlSettings>().limits;
  for (std::size_t i = 0; i < at_rest.size() && i < limits.size(); ++i) {
    const InputLimits& l = limits[i];
    if (at_rest[i] >= l.lower && at_rest[i] <= l.upper) continue;
    warnings.push_back(
        fmt::format("input {} must be {:.6g} at rest, beyond its limit {:.6g}: it is saturated from the "
                    "start; allow more or lighten the model",
                    problem.system.inputs[i].name, at_rest[i], at_rest[i] < l.lower ? l.lower : l.upper));
  }
}

void check_stability(const Controller& controller, double spectral_radius, std::vector<std::string>& warnings) {
  // Of an eigenvalue on the unit circle, as integrators and undamped modes have. Without feedback those of free motion
  // are there twice, and differences tell double ones only roughly.
  const bool blind = !controller.feeds_back();
  const double rounding = blind ? 1e-3 : 1e-6;
  if (spectral_radius <= 1.0 + rounding) return;
  constexpr double hardly = 1.001;
  const std::string factor = fmt::format("{:.{}g}", spectral_radius, spectral_radius < hardly ? 7 : 4);
  warnings.push_back(
      fmt::format("{} is unstable at rest: errors grow by a factor of {} per sample (spectral radius); {}",
                  blind ? "the plant" : "the loop", factor,
                  blind ? "feedforward does not see them, so use feedback" : "try other gains or a shorter period"));
}

ControlSummary check_loop(const Prepared& prepared, const Controller& controller, std::vector<std::string>& warnings) {
  ControlSummary c;
  const Problem& problem = prepared.problem();
  const ControlSettings& settings = problem.settings.of<ControlSettings>();
  c.controller = settings.controller;
  c.period = settings.period;
  const LoopStability stability = loop_stability(problem);
  if (!stability.trouble.empty()) {
    warnings.push_back("no statement about stability: " + stability.trouble);
  } else {
    c.spectral_radius = stability.spectral_radius;
    check_limits(problem, stability.inputs, warnings);
    check_stability(controller, *c.spectral_radius, warnings);
  }
  check_start(prepared, controller.wanted_start(), warnings);
  for (const std::string& doubt : controller.doubts()) warnings.push_back(c.controller + ": " + doubt);
  return c;
}

ProblemStart start_of_plant(const Prepared& prepared) {
  const Problem& problem = prepared.problem();
  return problem.plant ? OpenStart(*problem.plant) : prepared.part<OpenStart>();
}

// What is known of a loop before it runs.
struct Loop {
  const Prepared& prepared;
  Controller& controller;
  ControlSummary summary;
  std::vector<std::string> doubts;
  std::string name;  // of the controller
  bool can_forget;   // may it be asked before the run?
};

void describe(const Loop& loop, const Problem& plant, const Start& start, Summary& summary) {
  const Problem& problem = loop.prepared.problem();
  const ControlSettings& settings = problem.settings.of<ControlSettings>();
  describe_start(plant, start, summary);
  summary.parameters = parameters_of_loop(problem, plant);
  summary.task = "control";
  summary.method = loop.name;
  summary.step = settings.period;
  summary.until = settings.until;
  summary.warnings.insert(summary.warnings.end(), loop.doubts.begin(), loop.doubts.end());
}

// From sample to sample until the end, a failure or an interruption.
void run_samples(SampledLoop& loop, const ControlSettings& settings, const RunOptions& options, Recording& recording,
                 Summary& summary) {
  const auto samples = static_cast<std::uint64_t>(std::llround(settings.until / settings.period));
  LoopProgress progress;
  for (std::uint64_t k = 0; k <= samples; ++k) {
    const auto before = Clock::now();
    if (!loop.control()) {
      summary.status = RunStatus::failed;
      break;
    }
    recording.sample(loop, std::chrono::duration<double>(Clock::now() - before).count());
    if (recording.not_finite()) {
      summary.status = RunStatus::failed;
      summary.message = fmt::format("{} is not finite at t = {:.6g} s: the loop has diverged; is it stable?",
                                    *recording.not_finite(), loop.t());
      recording.leave_out_last();
      break;
    }
    if (k == samples) break;
    if (options.keep_going && !options.keep_going(loop.t())) {
      summary.status = RunStatus::interrupted;
      summary.message = fmt::format("interrupted at t = {:.6g} s", loop.t());
      break;
    }
    if (!loop.advance()) {
      summary.status = RunStatus::failed;
      break;
    }
    progress.reached(static_cast<double>(k + 1) / static_cast<double>(samples));
  }
  if (summary.status == RunStatus::failed && summary.message.empty()) summary.message = loop.fault();
}

ControlRun run_loop(Loop closed, const RunOptions& options, const Compilation& compilation, Clock::time_point begin) {
  const Problem& problem = closed.prepared.problem();
  const Problem& plant = plant_of(problem);
  const ControlSettings& settings = problem.settings.of<ControlSettings>();
  for (const std::string& doubt : closed.doubts)
    if (options.warn) options.warn(doubt);
  const ProblemStart start = start_of_plant(closed.prepared);
  SampledLoop loop(plant, start, settings, closed.controller, true);
  if (closed.can_forget) {
    loop.control();  // memory is set up once, before time counts
    loop.start();
  }
  ControlRun run;
  Summary& summary = run.summary;
  describe(closed, plant, start.point().report, summary);
  Recording recording(plant, loop, run);
  run_samples(loop, settings, options, recording, summary);
  take(recording.judged(plant, loop, settings), summary);
  recording.finish(loop, settings.period, closed.summary);
  summary.steps = closed.summary.samples;
  summary.substeps = closed.summary.samples * static_cast<std::uint64_t>(settings.substeps);
  summary.parts.set(std::move(closed.summary));
  summary.accuracy = measure_accuracy(run.trajectory, conserved_quantities(plant.system));
  summary.machine_code = compilation.report();
  summary.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return run;
}

}  // namespace

ControlSummary check_loop(const Problem& problem, std::vector<std::string>& warnings) {
  return check_loop(Prepared(problem), *make_controller(problem), warnings);
}

ControlRun control(const Problem& problem, const RunOptions& options) {
  return control(Prepared(problem), {}, options);
}

namespace {

ControlRun run_own(const Prepared& prepared, Controller& controller, const RunOptions& options) {
  const auto begin = Clock::now();
  const Compilation compilation(options.compiler);
  const ControlSettings& settings = prepared.problem().settings.of<ControlSettings>();
  check(settings);
  ControlSummary summary;
  summary.controller = "own";
  summary.period = settings.period;
  return run_loop({prepared, controller, std::move(summary), controller.doubts(), "own", false}, options, compilation,
                  begin);
}

ControlRun run_law(const Prepared& prepared, const RunOptions& options) {
  const System& system = prepared.problem().system;
  LawController controller(prepared.problem().settings.of<ControlSettings>().law,
                           start_of_plant(prepared).point().state, system.inputs.size());
  return run_own(prepared, controller, options);
}

}  // namespace

ControlRun control(const Prepared& given, const Overrides& parameters, const RunOptions& options) {
  const auto begin = Clock::now();
  const Compilation compilation(options.compiler);
  const Prepared prepared = with_parameters(given, parameters);
  const Problem& problem = prepared.problem();
  if (!problem.settings.has<ControlSettings>())
    throw InputError("the model has no [control]: nothing says how to control it");
  const ControlSettings& settings = problem.settings.of<ControlSettings>();
  check(settings);
  if (settings.law) return run_law(prepared, options);
  const std::unique_ptr<Controller> controller = make_controller(problem);
  std::vector<std::string> doubts;
  ControlSummary summary = check_loop(prepared, *controller, doubts);
  return run_loop({prepared, *controller, std::move(summary), std::move(doubts), settings.controller, true}, options,
                  compilation, begin);
}

ControlRun control(const Problem& problem, Controller& controller, const RunOptions& options) {
  return run_own(Prepared(problem), controller, options);
}

ControlRun control(const Problem& problem, const ControlLaw& law, const RunOptions& options) {
  Problem controlled = problem;
  controlled.settings.of<ControlSettings>().law = law;
  return control(controlled, options);
}

}  // namespace invar
