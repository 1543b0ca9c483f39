// See invert.h.
#include "invar/task/invert.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "invar/expr/error.h"
#include "invar/expr/interrupt.h"
#include "invar/expr/parse.h"
#include "invar/system/project.h"
#include "invar/task/augmented_matrix.h"
#include "invar/task/dae_integration.h"
#include "invar/task/equation_residual.h"
#include "invar/task/inverse_record.h"
#include "invar/task/many_instants.h"
#include "invar/task/path_end.h"
#include "invar/task/round_trip.h"
#include "invar/task/singular_times.h"
#include "invar/task/stable_inversion.h"
#include "invar/task/verdict.h"

namespace invar {

namespace {

std::vector<double> output_grid(const InvertSettings& settings) {
  const auto steps = static_cast<std::size_t>(std::ceil(settings.until / settings.step * (1.0 - 1e-12)));
  std::vector<double> grid;
  for (std::size_t k = 0; k < steps; ++k) grid.push_back(static_cast<double>(k) * settings.step);
  grid.push_back(settings.until);
  return grid;
}

// The grid refined to at least so many intervals, so that expansions between two jets are accurate.
std::vector<double> refined(const std::vector<double>& grid, std::size_t enough) {
  const std::size_t parts = (enough + grid.size() - 2) / (grid.size() - 1);
  std::vector<double> fine;
  for (std::size_t k = 0; k + 1 < grid.size(); ++k)
    for (std::size_t i = 0; i < parts; ++i)
      fine.push_back(grid[k] + (grid[k + 1] - grid[k]) * static_cast<double>(i) / static_cast<double>(parts));
  fine.push_back(grid.back());
  return fine;
}

// Grid and knots together: the jets at the knots are needed to evaluate inputs between grid points.
std::vector<double> with_knots(std::vector<double> grid, const std::vector<double>& knots) {
  grid.insert(grid.end(), knots.begin(), knots.end());
  std::sort(grid.begin(), grid.end());
  // A grid point that differs from a knot by rounding is the knot.
  std::vector<double> merged;
  for (double t : grid) {
    const bool same = !merged.empty() && t - merged.back() < 1e-12 * std::max(1.0, std::abs(t));
    if (!same)
      merged.push_back(t);
    else if (std::find(knots.begin(), knots.end(), t) != knots.end())
      merged.back() = t;
  }
  return merged;
}

bool is_near(const std::vector<double>& grid, double t) {
  const auto after = std::lower_bound(grid.begin(), grid.end(), t - 1e-12 * std::max(1.0, std::abs(t)));
  return after != grid.end() && *after <= t + 1e-12 * std::max(1.0, std::abs(t));
}

void describe(const Problem& problem, Summary& summary) {
  describe_model(problem, summary);
  summary.task = "invert";
  summary.step = problem.invert.step;
  summary.until = problem.invert.until;
}

// Jets along the motion and what went wrong, if anything did.
struct Followed {
  std::vector<Jet> jets;
  std::string status = "done", message;
  std::uint64_t solutions = 0;
  std::optional<Jet> last = {};  // where it ended too early
  std::vector<std::string> warnings = {};
  bool eliminated = true;  // by relations that may be singular at some instants
};

Followed by_taylor(const Problem& problem, const InverseStructure& s, const std::vector<double>& grid,
                   const RunOptions& options, std::size_t intervals) {
  PathPlan course;
  course.knots = knots_of(s.dae, problem.invert.until);
  course.grid = with_knots(refined(grid, intervals), course.knots);
  for (const DaeUnknown& x : s.dae.unknowns) course.kinds.push_back(x.kind);
  course.units = s.dae.units;
  course.integrates = !s.flat();
  course.keep_going = options.keep_going;
  const auto together = course.grid.size() >= many ? many_instants(s, problem.invert.until, course.extra) : nullptr;
  course.together = together.get();
  // It asks after every step, and what it has found until then is kept.
  std::optional<InterruptScope> undisturbed;
  if (options.keep_going) undisturbed.emplace([] { return false; });
  JetPath path = follow(s.solve, s.start, course);
  Followed result;
  result.solutions = path.solutions;
  if (path.status != JetPath::Status::done) {
    result.status = path.status == JetPath::Status::interrupted ? "interrupted" : "failed";
    result.message = why_it_ended(s, path, problem.invert.until);
    if (!path.reached.x.empty()) result.last = std::move(path.reached);
  }
  result.jets = std::move(path.jets);
  return result;
}

Followed by_stable_inversion(const Problem& problem, const InverseStructure& s, const std::vector<double>& grid) {
  if (s.flat())
    throw InputError(
        "stable-inversion: there is no internal dynamics to keep bounded, the inputs follow algebraically from the "
        "outputs; "
        "use method = \"taylor\"");
  StableInversionSettings settings;
  settings.end = problem.invert.until;
  settings.guess = s.start;
  settings.k = s.more;
  settings.times = grid;
  BoundedMotion motion = stable_inversion(s.dae, s.formal, settings);
  Followed result{std::move(motion.jets), "done", "", static_cast<std::uint64_t>(motion.iterations)};
  if (motion.status == BoundedMotion::Status::converged) {
    result.warnings = warnings(motion, settings);
    result.eliminated = !motion.space_time;
    return result;
  }
  result.status = "failed";
  result.message = fault_in_words(motion);
  return result;
}

// The integrators under the names that they have in simulation.
std::string dae_integrator(const std::string& name) {
  if (name == "implicit-euler") return "backward-euler";
  if (name == "radau5") return "radau";
  return name;
}

Followed by_integration(const Problem& problem, const InverseStructure& s, const std::string& method) {
  const ReducedDae reduced =
      method == "projection"
          ? project(s.dae, problem.system.constraints.empty() ? ProjectionForm::redundant : ProjectionForm::dependent,
                    s.start)
      : method == "direct"            ? ReducedDae{s.dae, {}, {}}
      : method == "minimal-extension" ? extend(s.dae, s.formal, 3, s.start, s.more)
                                      : extend(s.dae, s.formal, 1, s.start, s.more);
  if (!reduced.regular())
    throw InputError(fmt::format("{}: the derivatives of {} depend on each other; use method = \"taylor\"", method,
                                 fmt::join(reduced.dependent, ", ")));
  NewtonOptions newton;
  newton.tolerance = problem.invert.tolerance;
  const DaeMotion motion = integrate(reduced, dae_integrator(problem.invert.integrator), 0.0, problem.invert.until,
                                     problem.invert.step, s.start, newton);
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
  result.status = "failed";
  result.message = fmt::format("the step to t = {:.6g} failed at {}; try another integrator or a smaller --step",
                               motion.failed_at, motion.fault);
  return result;
}

constexpr const char* methods[] = {"auto",       "taylor", "minimal-extension", "minimal-extension-1",
                                   "projection", "direct", "stable-inversion"};

// What `auto` means for this structure.
std::string chosen(const std::string& name, const InverseStructure& s) {
  const std::vector<std::string> known(std::begin(methods), std::end(methods));
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    const auto meant = nearest(name, known);
    throw InputError(fmt::format("unknown method \"{}\"{}", name, meant ? "; did you mean \"" + *meant + "\"?" : ""));
  }
  if (name != "auto") return name;
  return s.zero.kind == ZeroDynamics::Kind::unstable ? "stable-inversion" : "taylor";
}

// The inputs replayed; where the result is not convincing yet, from inputs on a finer grid.
void verify(const Problem& problem, const InverseStructure& s, const Followed& followed,
            const std::vector<double>& grid, Summary& summary) {
  constexpr double convincing = 1e-8;
  constexpr std::size_t finer[] = {1600, 6400};
  const bool taylor = summary.method == "taylor";
  RoundTrip trip = round_trip(problem, s, followed.jets, taylor && !s.hidden);
  for (std::size_t intervals : finer) {
    if (!taylor || !trip.done || trip.largest_error < convincing || !s.flat()) break;
    const Followed again = by_taylor(problem, s, grid, {}, intervals);
    if (again.status == "done") trip = round_trip(problem, s, again.jets, !s.hidden);
  }
  if (!trip.done) {
    summary.warnings.push_back(trip.message);
    return;
  }
  summary.inversion->round_trip = trip.largest_error;
  summary.inversion->round_trip_from = trip.from;
  if (taylor && trip.largest_error > departed)
    summary.warnings.push_back(
        fmt::format("a simulation with these inputs departs from the trajectories by {:.2g}: without feedback the "
                    "motion is unstable, or its structure was misjudged",
                    trip.largest_error));
}

// Isolated instants at which the equations do not determine everything: in the verdict, the summary and as a warning.
void note_singular_times(const InverseStructure& s, const std::vector<Jet>& jets, Summary& summary) {
  if (const std::optional<double> t = structure_lost(s, jets))
    summary.warnings.push_back(fmt::format(
        "the equations have index {} in the start configuration, but not from t = {:.4g} on: the start is singular and "
        "the verdict holds only there; begin in another configuration",
        s.index, *t));
  const std::vector<SingularTime> times = singular_times(s, jets);
  if (times.empty()) return;
  for (const SingularTime& time : times)
    summary.inversion->singular_times.push_back({time.t, time.open, time.vanishing});
  summary.inversion->verdict += fmt::format(" The equations are singular at {}.", in_words(times));
  summary.warnings.push_back(fmt::format(
      "the equations are singular at {}: values there are limits, and less accurate nearby", in_words(times)));
}

// How well the inputs accelerate the outputs at every jet, the worst of it in the summary; nothing if they do not directly.
std::vector<double> note_conditioning(const InverseStructure& s, const Followed& followed, Summary& summary) {
  if (!s.augmented || followed.jets.empty()) return {};
  std::vector<Jet> jets = followed.jets;
  if (followed.last) jets.push_back(*followed.last);
  std::vector<double> all = conditioning(*s.augmented, jets);
  const auto worst = std::min_element(all.begin(), all.end());
  summary.inversion->conditioning = *worst;
  summary.inversion->conditioning_at = jets[static_cast<std::size_t>(worst - all.begin())].t;
  summary.inversion->verdict += fmt::format(
      " The condition number of the augmented matrix, from accelerations of the outputs to inputs, is at most {:.3g}, "
      "at "
      "t = {:.4g}.",
      1.0 / *worst, summary.inversion->conditioning_at);
  return all;
}

}  // namespace

Summary::Inversion inversion_summary(const InverseStructure& s) {
  Summary::Inversion i;
  i.unknowns = s.dae.unknowns.size();
  i.index = s.index;
  i.formal_index = s.formal.index;
  i.degrees_of_freedom = s.degrees_of_freedom;
  i.flat = s.flat();
  i.hidden_structure = s.hidden;
  i.realisation = s.realisation == Realisation::orthogonal ? "orthogonal"
                  : s.realisation == Realisation::mixed    ? "mixed"
                                                           : "tangential";
  for (const NeededOrder& n : s.needed) i.needed_derivatives.push_back({n.output, n.order, n.given});
  i.zero_dynamics = s.zero.eigenvalues;
  i.verdict = in_words(s);
  return i;
}

Inversion invert(const Problem& problem, const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  if (problem.targets.empty() && problem.system.inputs.empty())
    throw InputError("the model has no inputs and no [[trajectory]]: nothing to find, and nothing says what to follow");
  const InverseStructure s = analyse_inverse(problem);
  Inversion result;
  Summary& summary = result.summary;
  describe(problem, summary);
  summary.inversion = inversion_summary(s);
  summary.method = chosen(problem.invert.method, s);
  const std::vector<double> grid = output_grid(problem.invert);
  constexpr std::size_t intervals = 400;  // for the replay of the inputs
  const Followed followed = summary.method == "taylor"
                                ? by_taylor(problem, s, grid, options, problem.invert.verify ? intervals : 1)
                            : summary.method == "stable-inversion" ? by_stable_inversion(problem, s, grid)
                                                                   : by_integration(problem, s, summary.method);
  summary.status = followed.status;
  summary.message = followed.message;
  summary.newton_iterations.total = followed.solutions;
  summary.warnings = followed.warnings;

  const std::vector<double> conditions = note_conditioning(s, followed, summary);
  InverseRecord record(problem, s);
  for (std::size_t k = 0; k < followed.jets.size(); ++k)
    if (const Jet& jet = followed.jets[k]; summary.method != "taylor" || is_near(grid, jet.t))
      record.add(jet, conditions.empty() ? 0.0 : conditions[k]);
  result.trajectory = record.trajectory();
  result.inputs = record.inputs();
  summary.steps = result.trajectory.rows();
  if (summary.method == "taylor" || summary.method == "stable-inversion") {
    summary.inversion->equation_residual = equation_residual(s.dae, *s.evaluator, followed.jets);
    if (followed.eliminated) note_singular_times(s, followed.jets, summary);
  }
  summary.inversion->servo_error = record.largest_servo_error();
  summary.inversion->verdict += record.tension_in_words();
  for (const std::string& w : record.warnings()) summary.warnings.push_back(w);
  if (problem.invert.verify && summary.status == "done" && followed.jets.size() > 1)
    verify(problem, s, followed, grid, summary);
  summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace invar
