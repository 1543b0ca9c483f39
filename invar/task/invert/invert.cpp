// See invert.h.
#include "invar/task/invert/invert.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <set>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/dae/equation_residual.h"
#include "invar/tape/compilation.h"
#include "invar/task/check/verdict.h"
#include "invar/task/inverse_structure/augmented_matrix.h"
#include "invar/task/inverse_structure/grouped_sweeps.h"
#include "invar/task/inverse_structure/path_end.h"
#include "invar/task/inverse_structure/singular_times.h"
#include "invar/task/invert/integrated.h"
#include "invar/task/invert/inverse_check.h"
#include "invar/task/invert/inverse_grid.h"
#include "invar/task/invert/inverse_method.h"
#include "invar/task/invert/inverse_record.h"
#include "invar/task/invert/joint_inversion.h"
#include "invar/task/invert/residual_between.h"
#include "invar/task/invert/sample_error.h"
#include "invar/task/invert/start_moved.h"
#include "invar/task/stable_inversion/stable_inversion.h"

namespace invar {

namespace {

void describe(const Prepared& prepared, Summary& summary) {
  const Problem& problem = prepared.problem();
  describe_model(problem, summary);
  summary.task = "invert";
  summary.warnings = model_warnings(prepared);
  const InvertSettings& settings = problem.settings.of<InvertSettings>();
  summary.step = settings.step;
  summary.until = settings.until;
}

// Jets along the motion and what went wrong, if anything did.
struct Followed {
  std::vector<Jet> jets;
  RunStatus status = RunStatus::done;
  std::string message = {};
  std::uint64_t solutions = 0;
  std::optional<Jet> last = {};  // where it ended too early
  std::vector<std::string> warnings = {};
  bool eliminated = true;  // by relations that may be singular at some instants
  std::optional<double> step_error = {};
};

// Further derivatives that make accelerations of all coordinates known. Of very many instants neighbours tell what is
// between them, so that no more are needed.
int orders_to_accelerations(const InverseStructure& s) {
  int extra = 0;
  for (std::size_t j = 0; j < s.dae.unknowns.size(); ++j)
    if (s.dae.unknowns[j].kind == UnknownKind::coordinate) extra = std::max(extra, 2 - s.formal.d[j]);
  return extra;
}

Followed by_taylor(const Problem& problem, const InverseStructure& s, const std::vector<double>& grid,
                   const RunOptions& options, std::size_t intervals) {
  const InvertSettings& settings = problem.settings.of<InvertSettings>();
  PathPlan course;
  course.knots = knots_of(s.dae, settings.until);
  course.grid = with_knots(refined(grid, intervals), course.knots);
  for (const DaeUnknown& x : s.dae.unknowns) course.kinds.push_back(x.kind);
  course.units = s.dae.units;
  course.integrates = !s.flat();
  if (s.hidden && s.flat()) course.extra = 0;  // the array itself extrapolates its solutions
  course.keep_going = options.keep_going;
  const int few = orders_to_accelerations(s);
  const auto grouped = course.grid.size() >= worth_grouping ? grouped_sweeps(s, settings.until, few) : nullptr;
  course.grouped = grouped.get();
  if (grouped) course.extra = few;
  // It asks after every step, and what it has found until then is kept.
  std::optional<InterruptScope> undisturbed;
  if (options.keep_going) undisturbed.emplace([] { return false; });
  JetPath path = follow(s.solve, s.start, course);
  Followed result;
  result.solutions = path.solutions;
  if (path.status != JetPath::Status::done) {
    result.status = path.status == JetPath::Status::interrupted ? RunStatus::interrupted : RunStatus::failed;
    result.message = why_it_ended(s, path, settings.until, inverse_method(settings) != InverseMethod::automatic);
    if (!path.reached.x.empty()) result.last = std::move(path.reached);
  }
  result.jets = std::move(path.jets);
  return result;
}

Followed by_stable_inversion(InverseMethod method, const Problem& problem, const InverseStructure& s,
                             const std::vector<double>& grid) {
  if (s.flat())
    throw InputError(
        fmt::format("{}: there is no internal dynamics to keep bounded, the inputs follow algebraically from the "
                    "outputs; use method = \"taylor\"",
                    name_in(inverse_methods, method)));
  const InvertSettings& wanted = problem.settings.of<InvertSettings>();
  StableInversionSettings settings;
  settings.end = wanted.until;
  settings.pre_actuation = wanted.pre_actuation;
  settings.post_actuation = wanted.post_actuation;
  settings.extrapolate = wanted.extrapolate;
  settings.rest_at_both_ends = wanted.rest_at_both_ends;
  settings.periodic = wanted.periodic;
  if (method == InverseMethod::space_time || s.by_zeros) settings.engine = StableInversionSettings::Engine::space_time;
  if (s.by_zeros) settings.zero = s.zero;
  settings.guess = s.start;
  settings.k = s.extra_orders;
  settings.times = grid;
  BoundedMotion motion = stable_inversion(s.dae, s.formal, settings);
  Followed result{std::move(motion.jets), RunStatus::done, {}, static_cast<std::uint64_t>(motion.iterations)};
  if (motion.status == BoundedMotion::Status::converged) {
    result.warnings = warnings(motion, settings);
    result.eliminated = !motion.space_time;
    if (motion.space_time) result.step_error = motion.error;
    return result;
  }
  result.status = RunStatus::failed;
  result.message = fault_in_words(motion);
  return result;
}

Followed by_integration(const Problem& problem, const InverseStructure& s, InverseMethod method) {
  const DaeMotion motion = integrated(problem, s, method);
  Followed result;
  for (std::size_t k = 0; k < motion.t.size(); ++k) {
    Jet jet;
    jet.t = motion.t[k];
    for (std::size_t j = 0; j < s.dae.unknowns.size(); ++j) {
      jet.x.push_back({motion.value(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j))});
      const double rate = motion.rate(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j));
      if (std::isfinite(rate)) jet.x.back().push_back(rate);
    }
    result.jets.push_back(std::move(jet));
  }
  result.solutions = static_cast<std::uint64_t>(motion.iterations);
  if (motion.complete) return result;
  result.status = RunStatus::failed;
  result.message = fmt::format("the step to t = {:.6g} s failed at {}; try another integrator or a smaller --step",
                               motion.failed_at, motion.fault);
  return result;
}

// Isolated instants at which the equations do not determine everything: in the verdict, the summary and as a warning.
void note_singular_times(const InverseStructure& s, const std::vector<Jet>& jets, Summary& summary) {
  if (const std::optional<double> t = structure_lost(s, jets))
    summary.warnings.push_back(
        fmt::format("the equations have index {} in the start configuration, but not from t = {:.4g} s on: the start "
                    "is singular and "
                    "the verdict holds only there; begin in another configuration",
                    s.index, *t));
  const std::vector<SingularTime> times = singular_times(s, jets);
  if (times.empty()) return;
  InversionSummary& told = *summary.part<InversionSummary>();
  for (const SingularTime& time : times) told.singular_times.push_back({time.t, time.open, time.vanishing});
  told.verdict += fmt::format(" The equations are singular at {}.", in_words(times));
  summary.warnings.push_back(fmt::format(
      "the equations are singular at {}: values there are limits, and less accurate nearby", in_words(times)));
}

// How well the inputs accelerate the outputs at every jet, the worst of it in the summary; nothing if they do not
// directly.
std::vector<double> note_conditioning(const InverseStructure& s, const Followed& followed, Summary& summary) {
  if (!s.augmented || followed.jets.empty()) return {};
  std::vector<double> all = conditioning(*s.augmented, followed.jets);
  if (followed.last) all.push_back(conditioning(*s.augmented, {&*followed.last, 1}).front());
  const auto worst = std::min_element(all.begin(), all.end());
  const auto at = static_cast<std::size_t>(worst - all.begin());
  InversionSummary& told = *summary.part<InversionSummary>();
  told.conditioning = *worst;
  told.conditioning_at = at < followed.jets.size() ? followed.jets[at].t : followed.last->t;
  told.verdict += fmt::format(
      " The condition number of the augmented matrix, from accelerations of the outputs to inputs, is at most {:.3g}, "
      "at "
      "t = {:.4g} s.",
      1.0 / *worst, told.conditioning_at);
  return all;
}

constexpr std::size_t replayed = 400;  // intervals that the replay of the inputs needs

Followed by(InverseMethod method, const Problem& problem, const InverseStructure& s, const std::vector<double>& grid,
            const RunOptions& options) {
  const bool verified = problem.settings.of<InvertSettings>().verify;
  if (method == InverseMethod::taylor) return by_taylor(problem, s, grid, options, verified ? replayed : 1);
  if (seeks_bounded(method)) return by_stable_inversion(method, problem, s, grid);
  return by_integration(problem, s, method);
}

void take(const InverseJudgement& judged, Summary& summary) {
  InversionSummary& i = *summary.part<InversionSummary>();
  i.verification = judged.words;
  i.round_trip = judged.round_trip;
  i.round_trip_from = judged.round_trip_from;
  i.growth = judged.growth;
  i.window = judged.window;
  i.window_error = judged.window_error;
  summary.warnings.insert(summary.warnings.end(), judged.warnings.begin(), judged.warnings.end());
  if (judged.failure.empty()) return;
  summary.status = RunStatus::failed;
  summary.message = judged.failure;
}

// Is the result what was asked for? Other means than those that found it say so.
void verify(InverseMethod method, const Problem& problem, const InverseStructure& s, const Followed& followed,
            const std::vector<double>& grid, Summary& summary) {
  if (summary.status != RunStatus::done) return;
  const bool wanted = problem.settings.of<InvertSettings>().verify;
  InverseJudgement judged;
  judged.failure = not_finite(s, followed.jets);
  if (!wanted) judged.words = "not verified (verify = false)";
  if (!judged.failure.empty() || !wanted || followed.jets.size() < 2) return take(judged, summary);
  FoundMotion found{problem, s, followed.jets, method};
  if (method == InverseMethod::taylor)
    found.finer = [&](std::size_t intervals) {
      Followed again = by_taylor(problem, s, grid, {}, intervals);
      return again.status == RunStatus::done ? std::move(again.jets) : std::vector<Jet>();
    };
  for (const InversionSummary::Singular& singular : summary.part<InversionSummary>()->singular_times)
    found.singular.push_back(singular.t);
  judged = judge(found);
  // Exact inputs are impulses where derivatives jump; no simulation between them can follow.
  if (!judged.failure.empty() && !s.rough.empty()) {
    judged.warnings.push_back("the inputs do not stand the test, as is to be expected of a rough reference: " +
                              judged.failure);
    judged.failure.clear();
  }
  take(judged, summary);
}

// What was accepted, and where it shows.
std::string roughness_in_words(const Problem& problem, const InverseStructure& s) {
  std::set<double> times;
  const auto add = [&](const Reference& r) {
    for (const double t : r.function->knots())
      if (t >= 0.0 && t <= problem.settings.of<InvertSettings>().until) times.insert(t);
  };
  for (const ServoTarget& target : problem.targets) std::ranges::for_each(target.follow, add);
  std::ranges::for_each(problem.signals, add);
  return fmt::format(
      "accepted as it is: {} ({} such); where derivatives jump (t = {:.6g} s) the exact inputs jump or are impulses, "
      "and "
      "what is found there depends on the step",
      s.rough.front(), s.rough.size(), fmt::join(times, ", "));
}

// What is asked for, and the coordinates in which it is solved.
struct Asked {
  const Prepared& given;
  const Prepared& solved;
  const InverseStructure& s;         // of what is solved
  JointInversion* joints = nullptr;  // if its coordinates are others than those given
};

// Jets on their way into a record, portion by portion: where they were solved and what is asked of them.
class Recording {
 public:
  Recording(const Asked& asked, InverseRecord& record)
      : joints_(asked.joints), record_(record), solved_(asked.s.dae, *asked.s.evaluator) {
    if (joints_) asked_.emplace(joints_->residual());
  }

  // Those that are wanted, each with its number in `conditioning`, if there are any.
  template <class Wanted>
  void add(std::span<const Jet* const> jets, const double* conditioning, bool exact, const Wanted& wanted) {
    if (exact) solved_.add(jets);
    some_.clear();
    conditioning_.clear();
    written_.resize(jets.size());
    for (std::size_t k = 0; k < jets.size(); ++k) {
      if (!wanted(*jets[k])) continue;
      some_.push_back(joints_ ? &(written_[k] = joints_->as_asked(*jets[k])) : jets[k]);
      conditioning_.push_back(conditioning ? conditioning[k] : 0.0);
    }
    if (some_.empty()) return;
    record_.add(some_, conditioning_);
    if (asked_) asked_->add(some_);
  }

  // Of the equations, in the coordinates that were solved and in those that were given.
  double residual() const {
    constexpr double wrong = 1e-8;  // of the terms of an equation
    const double asked = asked_ ? asked_->worst() : 0.0;
    if (!(asked <= wrong)) throw InputError("what was found in joint coordinates does not satisfy the equations");
    return std::max(asked, solved_.worst());
  }

 private:
  JointInversion* joints_;
  InverseRecord& record_;
  EquationResidual solved_;
  std::optional<EquationResidual> asked_;
  std::vector<Jet> written_;
  std::vector<const Jet*> some_;
  std::vector<double> conditioning_;
};

// The motion at the instants that were asked for, in the coordinates that were given; the residual of the equations, of
// methods that solve these at every instant.
double write_record(InverseMethod method, const Asked& asked, const std::vector<Jet>& jets,
                    const std::vector<double>& conditions, const std::vector<double>& grid, InverseRecord& record) {
  record.reserve(jets.size());
  Recording recording(asked, record);
  for_portions(jets, [&](std::span<const Jet* const> some) {
    const double* const conditioning =
        conditions.empty() ? nullptr : &conditions[static_cast<std::size_t>(some.front() - jets.data())];
    recording.add(some, conditioning, is_exact(method),
                  [&](const Jet& jet) { return method != InverseMethod::taylor || is_near(grid, jet.t); });
  });
  return recording.residual();
}

// One method, and the judgement of what it gives.
Inversion attempt(InverseMethod method, const Asked& asked, const RunOptions& options) {
  const Problem& problem = asked.solved.problem();
  const InverseStructure& s = asked.s;
  Inversion result;
  Summary& summary = result.summary;
  describe(asked.given, summary);
  InversionSummary& told = summary.parts.set(inversion_summary(s));
  summary.method = name_in(inverse_methods, method);
  if (!s.rough.empty()) summary.warnings.push_back(roughness_in_words(problem, s));
  const std::vector<double> grid = output_grid(problem.settings.of<InvertSettings>());
  const Followed followed = by(method, problem, s, grid, options);
  if (followed.status == RunStatus::done) poll_interrupt();  // what an interrupted method has found is kept
  summary.status = followed.status;
  summary.message = followed.message;
  summary.newton_iterations.total = followed.solutions;
  summary.warnings.insert(summary.warnings.end(), followed.warnings.begin(), followed.warnings.end());

  const std::vector<double> conditions = note_conditioning(s, followed, summary);
  InverseRecord record(asked.given.problem(), asked.joints ? asked.joints->dae() : s.dae, s.augmented != nullptr);
  told.equation_residual = write_record(method, asked, followed.jets, conditions, grid, record);
  result.inputs = record.inputs();
  summary.steps = record.trajectory().rows();
  if (is_exact(method) && followed.eliminated) note_singular_times(s, followed.jets, summary);
  if (!is_exact(method) && followed.jets.size() > 1)
    told.equation_residual = residual_between(s, followed.jets, {s.dae, followed.jets, false});
  told.servo_error = record.largest_servo_error();
  told.step_error = followed.step_error;
  told.verdict += record.tension_in_words();
  for (const std::string& w : record.warnings()) summary.warnings.push_back(w);
  result.trajectory = record.take();
  for (const std::string& w : moved_starts(asked.solved, s)) summary.warnings.push_back(w);
  if (const std::string grown = growth_in_words(problem, s); !seeks_bounded(method) && !grown.empty())
    summary.warnings.push_back(grown);
  verify(method, problem, s, followed, grid, summary);
  return result;
}

// Trajectories from samples: what their error does to the inputs.
void note_sample_error(InverseMethod method, const Problem& problem, const RunOptions& options, Inversion& result) {
  Summary& summary = result.summary;
  const SampleEffect effect = sample_effect(problem, result.inputs, [&](const Problem& disturbed) {
    Problem other = disturbed;
    other.settings.of<InvertSettings>().verify = false;
    try {
      const Prepared prepared(other);
      const InverseStructure s = analyse_inverse(other);
      Inversion again = attempt(method, {prepared, prepared, s}, options);
      return again.summary.status == RunStatus::done ? std::move(again.inputs) : Trajectory();
    } catch (const InputError&) {
      return Trajectory();
    }
  });
  summary.part<InversionSummary>()->sample_error = effect.words;
  if (effect.doubtful) summary.warnings.push_back(effect.words);
}

// The first method that works, or of those that all fail the one that got furthest.
Inversion solved(const Asked& asked, const RunOptions& options) {
  const Problem& problem = asked.solved.problem();
  Inversion result;
  std::vector<GivenUp> given_up;
  for (const InverseCandidate& candidate : candidates(problem, asked.s)) {
    Inversion tried = attempt(candidate.method, asked, options);
    const bool failed = tried.summary.status == RunStatus::failed;
    if (failed) given_up.push_back({candidate.method, tried.summary.message});
    if (failed && given_up.size() > 1 && tried.trajectory.rows() <= result.trajectory.rows()) continue;
    result = std::move(tried);
    if (failed) continue;
    result.summary.part<InversionSummary>()->method_reason = choice_in_words(candidate, given_up);
    if (result.summary.status == RunStatus::done) note_sample_error(candidate.method, problem, options, result);
    break;
  }
  if (result.summary.status == RunStatus::failed) result.summary.message = failures_in_words(given_up);
  return result;
}

// In joint coordinates where that works, else in those that were given.
Inversion solved(const Prepared& prepared, const RunOptions& options) {
  if (const std::unique_ptr<JointInversion> joints = JointInversion::of(prepared.problem())) try {
      Inversion result = solved({prepared, joints->prepared(), joints->structure(), joints.get()}, options);
      if (result.summary.status != RunStatus::failed) return result;
    } catch (const InputError&) {
    }
  const InverseStructure s = analyse_inverse(prepared.problem());
  return solved({prepared, prepared, s}, options);
}

}  // namespace

Inversion invert(const Problem& problem, const RunOptions& options) { return invert(Prepared(problem), {}, options); }

Inversion invert(const Prepared& given, const Overrides& parameters, const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const Compilation compilation(options.compiler);
  const Prepared prepared = with_parameters(given, parameters);
  const Problem& problem = prepared.problem();
  if (problem.targets.empty() && problem.system.inputs.empty())
    throw InputError("the model has no inputs and no [[trajectory]]: nothing to find, and nothing says what to follow");
  Inversion result = solved(prepared, options);
  result.summary.machine_code = compilation.report();
  result.summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace invar
