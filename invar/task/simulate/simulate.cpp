// See simulate.h.
#include "invar/task/simulate/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "invar/base/state_bytes.h"
#include "invar/model/problem/with_parameters.h"
#include "invar/record/accuracy.h"
#include "invar/record/observed_rows.h"
#include "invar/record/row_sample.h"
#include "invar/scheme/runge_kutta.h"
#include "invar/scheme/steps/adaptive.h"
#include "invar/system/all_multipliers.h"
#include "invar/tape/compilation.h"
#include "invar/task/simulate/angle_watch.h"
#include "invar/task/simulate/clean_node.h"
#include "invar/task/simulate/kinks.h"
#include "invar/task/simulate/prepared_simulation.h"
#include "invar/task/simulate/simulation_summary.h"
#include "invar/task/simulate/step_advance.h"

namespace invar {

namespace {

using Clock = std::chrono::steady_clock;

// To judge the motion of larger systems takes too long when somebody waits for the run to stop.
constexpr std::size_t judged_at_once = 1000;  // coordinates

// What there is to see of a motion.
struct Place {
  double t;
  std::span<const double> q, v;
};
bool is_finite(const Place& at) {
  const auto finite = [](double x) { return std::isfinite(x); };
  return std::ranges::all_of(at.q, finite) && std::ranges::all_of(at.v, finite);
}
std::string not_finite(const std::string& column, double t) {
  return fmt::format(
      "{} is not finite at t = {:.6g} s: the motion has diverged or a formula has no value there; "
      "try a smaller --step or an implicit method such as energy-momentum",
      column, t);
}
Place place_of(const Stepper& stepper) { return {stepper.t(), stepper.q(), stepper.v()}; }

// With a mass matrix that is not constant stabilisation costs what the scheme would keep.
void warn_of_stabilisation(const Accuracy& accuracy, Summary& summary) {
  std::string lost;
  if (accuracy.energy.expected) lost = fmt::format("energy changed by {:.1e} of the largest", accuracy.energy_relative);
  for (const InvariantDrift& i : accuracy.invariants)
    if (i.expected) lost += fmt::format("{}{} by {:.1e}", lost.empty() ? "" : ", ", i.name, i.drift);
  if (!lost.empty())
    summary.warnings.push_back(fmt::format(
        "stabilise: with this mass matrix {} does not keep energy and momenta exactly: {}", summary.method, lost));
}

// Dense output lies between the nodes at which schemes keep what they keep.
Promise promised(const SimulateSettings& settings, const Scheme& scheme, bool conserving) {
  Promise p = promise_of(scheme.info, settings.tolerance);
  if (scheme.explicit_method && !settings.project) p.positions = p.velocities = p.rolling = false;
  if (settings.stabilise || settings.minimal_extension) p.velocities = true;
  if (settings.stabilise && !conserving) p.energy = p.momentum = false;
  if (settings.adaptive > 0.0) p = {.positions = false, .velocities = false, .rolling = false};
  return p;
}

// Baumgarte's terms with numbers of their own bound the step.
AdaptiveOptions adaptive_options(const Problem& problem, const Scheme& scheme) {
  const SimulateSettings& settings = problem.settings.of<SimulateSettings>();
  AdaptiveOptions options = {.tolerance = settings.adaptive,
                             .absolute = settings.absolute,
                             .first = settings.first_step,
                             .knots = kinks(problem, scheme.info.order, settings.adaptive)};
  if (settings.baumgarte && !settings.baumgarte->follows_step)
    options.largest = largest_stable_step(scheme.explicit_method(), *settings.baumgarte);
  return options;
}

// One run: numbers of its own, formulas of what was prepared.
class SimulationRun {
 public:
  SimulationRun(const PreparedSimulation& ready, const Problem& problem, const StartPoint& start,
                const RunOptions& options);
  Simulation run();

 private:
  void begin_anew(std::uint64_t step);
  void go_on();
  void resume(const std::string& state);
  void keep(std::uint64_t step);
  bool is_time_to_keep(std::uint64_t step) const;
  Advance step_to(double t1, std::uint64_t step);
  bool advance_to(double t1, std::uint64_t step);
  double time_of(std::uint64_t step) const {
    return step == steps_ ? settings_.until : static_cast<double>(step) * settings_.step;
  }
  Place place(std::uint64_t step) const;
  bool take_start();
  bool take_notice(const Place& now, std::uint64_t step);
  bool has_come_back(const Place& now);
  bool record(const Place& at, std::uint64_t step, bool finite);
  bool store_rows();
  void return_to(std::uint64_t step);
  bool is_stopped(double t1);
  void fail(std::string message);
  void finish();

  const PreparedSimulation& ready_;
  const Problem& problem_;
  const SimulateSettings& settings_;
  const StartPoint& start_;
  const RunOptions& options_;
  const std::vector<double> parameters_;
  const std::uint64_t steps_;

  Simulation result_;
  Summary& summary_ = result_.summary;
  InputValues inputs_;
  const Stepper::Inputs input_values_ = [this](double t, std::span<double> u) { inputs_(t, u); };
  std::optional<Stepper> stepper_;
  Stepper::Memory memory_;
  const AdaptiveOptions adaptive_options_;
  std::optional<Adaptive> adaptive_;
  const std::uint64_t clean_every_;
  CleanNode clean_;
  std::uint64_t step_ = 0;       // the last one of the loop that was done
  std::uint64_t repeated_ = 0;   // so many steps were recorded before this run, and are only repeated
  std::vector<double> reached_;  // q and v after them
  double seconds_before_ = 0.0;
  Clock::time_point begun_ = Clock::now(), kept_ = begun_;
  State dense_;  // between the steps of adaptive_
  const Observer& observer_;
  ObservedRows rows_;  // that are not stored yet, by these steps
  std::vector<std::uint64_t> row_steps_;
  CleanNode behind_rows_;  // the last clean node before all of them
  RowSample sample_;
  std::optional<AccuracyMeter> accuracy_;
  AllMultipliers multipliers_;
  PassedStates path_;
  AngleWatch angles_;
};

std::uint64_t step_count(const SimulateSettings& s) {
  return static_cast<std::uint64_t>(std::ceil(s.until / s.step * (1.0 - 1e-12)));
}

SimulationRun::SimulationRun(const PreparedSimulation& ready, const Problem& problem, const StartPoint& start,
                             const RunOptions& options)
    : ready_(ready),
      problem_(problem),
      settings_(problem.settings.of<SimulateSettings>()),
      start_(start),
      options_(options),
      parameters_(parameter_values(problem.system)),
      steps_(step_count(settings_)),
      inputs_(ready.inputs),
      stepper_(ready.stepper()),
      adaptive_options_(adaptive_options(problem, ready.scheme)),
      clean_every_(options.clean_after > 0 ? options.clean_after : steps_between_clean_nodes(ready.stepper())),
      dense_(start.state),
      observer_(ready.observer),
      rows_(observer_, parameters_, [this](std::span<const double> t, std::span<double> u) { inputs_.at(t, u); }),
      sample_(options.rows ? options.kept_numbers : RowSample::unlimited),
      multipliers_(problem.system, ready.system()),
      angles_(problem.formulation == Formulation::minimal ? problem.system : System{}) {
  inputs_.set_parameters(parameters_);
  ready.report.describe(problem, start.report, summary_);
  summary_.task = "simulate";
  SimulationSummary& about = summary_.parts.set(SimulationSummary());
  if (settings_.minimal_extension) about.extension = minimal_extension_of(ready.system());
  summary_.method = ready.scheme.info.name;
  result_.trajectory.columns = observer_.columns();
  accuracy_.emplace(result_.trajectory, observer_.conserved());
  const auto expected = static_cast<std::size_t>(steps_ / static_cast<std::uint64_t>(settings_.every) + 2);
  sample_.begin(observer_.columns(), expected);
  if (options.rows) options.rows->begin(observer_.columns(), expected);
  stepper_->set_parameters(parameters_);
  stepper_->start(start.state, settings_.step);
  if (settings_.adaptive > 0.0) adaptive_.emplace(*stepper_, ready.scheme, adaptive_options_);
  if (options.checkpoints && !options.checkpoints->from.empty())
    resume(options.checkpoints->from);
  else
    begin_anew(0);
  behind_rows_ = clean_;
}

// Whatever the stepper has learned is forgotten after so many steps of the loop.
void SimulationRun::begin_anew(std::uint64_t step) {
  clean_.note(step, *stepper_, summary_);
  if (adaptive_) clean_.sizes = adaptive_->progress();
  go_on();
}

// At the clean node, as if this process had just begun.
void SimulationRun::go_on() {
  stepper_.emplace(ready_.stepper());
  stepper_->set_parameters(parameters_);
  stepper_->start(start_.state, settings_.step);
  stepper_->restore(clean_.memory);
  if (!adaptive_) return;
  adaptive_.emplace(*stepper_, ready_.scheme, adaptive_options_);
  adaptive_->go_on(clean_.sizes);
  adaptive_->pause_at(clean_.sizes.accepted + clean_every_);
}

void SimulationRun::resume(const std::string& state) {
  StateReader reader(state);
  std::string identity;
  reader(identity);
  if (identity != identity_of(problem_, start_.state, observer_.columns()))
    throw InputError("--resume: the model, its data or its settings are not those of the run that was interrupted");
  reader(repeated_, reached_, seconds_before_, clean_, sample_, *accuracy_, path_, angles_);
  reader.finish();
  clean_.tell(summary_);
  go_on();
}

bool SimulationRun::is_time_to_keep(std::uint64_t step) const {
  constexpr std::uint64_t between_looks = 16;  // at the clock, which takes a part of a short step
  if (!options_.checkpoints || step <= repeated_ || step == steps_) return false;
  if (summary_.status == RunStatus::interrupted) return true;
  if (step % between_looks != 0) return false;
  return std::chrono::duration<double>(Clock::now() - kept_).count() > options_.checkpoints->every;
}

void SimulationRun::keep(std::uint64_t step) {
  const Place now = place(step);
  std::vector<double> reached(now.q.begin(), now.q.end());
  reached.insert(reached.end(), now.v.begin(), now.v.end());
  double seconds = seconds_before_ + std::chrono::duration<double>(Clock::now() - begun_).count();
  std::string identity = identity_of(problem_, start_.state, observer_.columns());
  StateWriter writer;
  writer(identity, step, reached, seconds, clean_, sample_, *accuracy_, path_, angles_);
  options_.checkpoints->keep(writer.take());
  kept_ = Clock::now();
}

void SimulationRun::fail(std::string message) {
  summary_.status = RunStatus::failed;
  summary_.message = std::move(message);
}

// Rows are computed and stored many at a time. False, with the reason, if there is a number that is not finite.
bool SimulationRun::record(const Place& at, std::uint64_t step, bool finite) {
  const std::span<const double> lambda = adaptive_ ? dense_.lambda : stepper_->lambda();
  rows_.add(at.t, at.q, at.v, multipliers_.all(lambda));
  row_steps_.push_back(step);
  const bool waits = !rows_.is_full() && step != 0 && step != steps_ && finite;
  return waits || store_rows();
}

// A row with a number that is not finite is left out, and the run ends there: steps that were made since are taken
// back.
bool SimulationRun::store_rows() {
  if (rows_.count() == 0) return true;
  const std::size_t width = observer_.columns().size();
  const std::span<const double> all = rows_.take();
  const std::vector<std::uint64_t> steps = std::exchange(row_steps_, {});
  std::optional<std::string> odd;
  std::size_t good = 0;
  while (good < steps.size() && !odd)
    if (!(odd = find_not_finite(problem_.system, observer_.columns(), all.subspan(good * width, width)))) ++good;
  const std::span<const double> rows = all.first(good * width);
  sample_.append_rows(rows, width);
  accuracy_->add_rows(rows, width);
  if (options_.rows) options_.rows->append_rows(rows, width);
  if (odd) {
    const double t = all[good * width];
    if (steps[good] < step_) return_to(steps[good]);
    fail(not_finite(*odd, t));
  }
  behind_rows_ = clean_;
  return !odd;
}

// As if no more than so many steps had been made: from the clean node on they are made once more.
void SimulationRun::return_to(std::uint64_t step) {
  path_.forget_after(time_of(step));
  clean_ = behind_rows_;
  clean_.tell(summary_);
  go_on();
  for (std::uint64_t k = clean_.step + 1; k <= step; ++k) advance_to(time_of(k), k);
}

Advance SimulationRun::step_to(double t1, std::uint64_t step) {
  if (!adaptive_) {
    if (step - 1 - clean_.step >= clean_every_) begin_anew(step - 1);
    return advance(*stepper_, t1 - stepper_->t(), input_values_, memory_, summary_);
  }
  for (;;) {
    const Advance a = advance_past(*adaptive_, *stepper_, t1, settings_.until, input_values_, summary_);
    if (!a.done || stepper_->t() >= t1) return a;
    begin_anew(step - 1);  // it has paused, and nobody asks for places in its last step any more
  }
}

// To the end of the step, exactly.
bool SimulationRun::advance_to(double t1, std::uint64_t step) {
  const Advance made = step_to(t1, step);
  if (!made.done) {
    fail(failure_in_words(*stepper_, made, adaptive_ ? adaptive_->step() : settings_.step));
    return false;
  }
  if (adaptive_)
    adaptive_->at(t1, input_values_, dense_.q, dense_.v, dense_.lambda);
  else
    stepper_->set_t(t1);
  ++summary_.steps;
  return true;
}

// After so many steps of the loop.
Place SimulationRun::place(std::uint64_t step) const {
  if (!adaptive_ || step == 0) return place_of(*stepper_);
  return {time_of(step), dense_.q, dense_.v};
}

// Has the run to end after this step? Whoever watches is told of the last one too.
bool SimulationRun::is_stopped(double t1) {
  if (!options_.keep_going || options_.keep_going(t1) || t1 == settings_.until) return false;
  summary_.status = RunStatus::interrupted;
  summary_.message = fmt::format("interrupted at t = {:.6g} of {:.6g} s", t1, settings_.until);
  return true;
}

// Steps that were recorded before lead where they led then; elsewhere something is not as it was.
bool SimulationRun::has_come_back(const Place& now) {
  std::vector<double> reached(now.q.begin(), now.q.end());
  reached.insert(reached.end(), now.v.begin(), now.v.end());
  if (reached == reached_) return true;
  fail(fmt::format("--resume: the same steps lead elsewhere at t = {:.6g} s: was the run begun on another machine?",
                   now.t));
  return false;
}

// What is to be done after a step besides; false if the run ends here.
bool SimulationRun::take_notice(const Place& now, std::uint64_t step) {
  const bool finite = is_finite(now);
  if (ready_.singular.looks() && finite) {
    if (path_.is_full() && !store_rows()) return false;
    path_.pass(now.t, now.q, now.v);
  }
  if (const auto name = angles_.crossed(now.q, adaptive_.has_value())) {
    fail(
        fmt::format("the three angles of \"{}\" cannot describe its orientation near t = {:.6g} s "
                    "(the second one comes to a right angle); use rotations = \"quaternions\" under [world], or "
                    "--formulation director or lie",
                    *name, now.t));
    return false;
  }
  const bool wanted = step % static_cast<std::uint64_t>(settings_.every) == 0 || step == steps_ || !finite;
  return !wanted || record(now, step, finite);
}

Simulation SimulationRun::run() {
  bool going = repeated_ > 0 || take_start();
  LoopProgress progress;
  for (std::uint64_t k = clean_.step + 1; going && k <= steps_; ++k) {
    const double t1 = time_of(k);
    if (!advance_to(t1, k)) break;
    step_ = k;
    if (k == repeated_ && !has_come_back(place(k))) break;
    if (k > repeated_ && !take_notice(place(k), k)) break;
    progress.reached(t1 / settings_.until);
    going = !is_stopped(t1);
    if (!is_time_to_keep(k)) continue;
    if (!store_rows()) break;
    keep(k);
  }
  store_rows();
  finish();
  return std::move(result_);
}

bool SimulationRun::take_start() {
  const Place start = place(0);
  if (!record(start, 0, is_finite(start))) return false;
  if (ready_.singular.looks()) path_.pass(start.t, start.q, start.v);
  return true;
}

void SimulationRun::finish() {
  summary_.rows = sample_.seen();
  sample_.finish();
  result_.trajectory = sample_.take();
  if (adaptive_) {
    summary_.adaptive = settings_.adaptive;
    summary_.steps = (stepper_->knows_inside() ? 1 : 2) * adaptive_->accepted();
    summary_.rejected_steps = adaptive_->rejected();
  }
  summary_.part<SimulationSummary>()->factorisations = clean_.factorisations + stepper_->factorisations();
  describe_conserved(problem_, observer_.conserved(), summary_);
  const PartNames names(problem_);
  summary_.structure.singular_configurations = ready_.singular(path_, parameters_, names);
  for (std::string& w : in_words(summary_.structure.singular_configurations, names))
    summary_.warnings.push_back(std::move(w));
  warn_of_steps(clean_.mended + stepper_->mended(), summary_);
  summary_.wall_seconds = seconds_before_;
  summary_.newton_iterations.per_step =
      summary_.steps > 0 ? static_cast<double>(summary_.newton_iterations.total) / static_cast<double>(summary_.steps)
                         : 0.0;
  summary_.accuracy = accuracy_->accuracy();
  const Promise promise = promised(settings_, ready_.scheme, ready_.is_conserving(problem_));
  if (settings_.stabilise && ready_.scheme.info.energy && !promise.energy)
    warn_of_stabilisation(summary_.accuracy, summary_);
  const auto inputs = [this](std::span<const double> t, std::span<double> u) { inputs_.at(t, u); };
  const Motion motion = {problem_.system,       problem_.signals, result_.trajectory,
                         observer_.conserved(), inputs,           start_.report.has_massless_motions};
  if (summary_.status == RunStatus::interrupted && problem_.system.coordinates.size() > judged_at_once)
    summary_.warnings.push_back("the motion was not judged, since the run was interrupted");
  else
    take(ready_.judge(motion, promise), summary_);
}

}  // namespace

Simulation simulate(const Problem& problem, const RunOptions& options) {
  return simulate(Prepared(problem), {}, options);
}

Simulation simulate(const Prepared& prepared, const Overrides& parameters, const RunOptions& options) {
  if (std::optional<Simulation> found = simulate_alike(prepared, parameters, options)) return *std::move(found);
  return simulate(Prepared(with_parameters(prepared.problem(), parameters)), {}, options);
}

std::optional<Simulation> simulate_alike(const Prepared& prepared, const Overrides& parameters,
                                         const RunOptions& options) {
  const auto begin = Clock::now();
  const Compilation compilation(options.compiler);
  const PreparedSimulation& ready = prepared.part<PreparedSimulation>();
  const Problem problem = with_parameters(prepared.problem(), parameters);
  const std::optional<StartPoint> start =
      parameters.empty() ? std::optional(ready.start.point()) : ready.start.point(problem);
  if (!start || !ready.fits(problem)) return std::nullopt;
  Simulation result = SimulationRun(ready, problem, *start, options).run();
  result.summary.machine_code = compilation.report();
  result.summary.wall_seconds += std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

}  // namespace invar
