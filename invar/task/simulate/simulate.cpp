// See simulate.h. A step that Newton's method cannot do is done in 2, 4, … substeps before the run gives up.
#include "invar/task/simulate/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/expr/parse.h"
#include "invar/record/accuracy.h"
#include "invar/record/observer.h"
#include "invar/scheme/adaptive.h"
#include "invar/scheme/choose.h"
#include "invar/scheme/stabilise.h"
#include "invar/scheme/stepper.h"
#include "invar/system/conserved.h"
#include "invar/system/start.h"
#include "invar/task/check/verdict.h"
#include "invar/task/run/inputs.h"
#include "invar/task/run/problem_start.h"
#include "invar/task/simulate/angle_watch.h"
#include "invar/task/simulate/simulation_check.h"
#include "invar/task/simulate/simulation_summary.h"
#include "invar/task/simulate/singular_path.h"

namespace invar {

namespace {

constexpr int max_halvings = 6;
// Interpreted instructions of a run from which on calling a C compiler (about a second) pays.
constexpr double worth_compiling = 3e9;
constexpr double iterations_per_step = 4.0;
// Room made beforehand for the results (256 MB); longer runs grow it as they go.
constexpr std::size_t reserved_numbers = std::size_t{1} << 25;

// λ of all constraints from λ of those that were kept.
class Multipliers {
 public:
  Multipliers(const System& full, const System& kept) : all_(full.constraints.size(), 0.0) {
    for (std::size_t i = 0, k = 0; i < full.constraints.size(); ++i)
      if (k < kept.constraints.size() && kept.constraints[k].name == full.constraints[i].name) {
        place_.push_back(i);
        ++k;
      }
  }
  std::span<const double> all(std::span<const double> kept) {
    for (std::size_t k = 0; k < kept.size(); ++k) all_[place_[k]] = kept[k];
    return all_;
  }

 private:
  std::vector<double> all_;
  std::vector<std::size_t> place_;
};

struct Advance {
  bool done = false;
  NewtonResult last{};
  int halvings = 0;
  double t = 0.0;  // where the last attempt began
};

// One step of size h, in substeps if need be.
Advance advance(Stepper& stepper, double h, const Stepper::Inputs& inputs, Stepper::Memory& memory, Summary& summary) {
  stepper.save(memory);
  Advance result;
  for (; result.halvings <= max_halvings; ++result.halvings) {
    const int pieces = 1 << result.halvings;
    int piece = 0;
    for (; piece < pieces; ++piece) {
      result.t = stepper.t();
      result.last = stepper.advance(h / pieces, inputs);
      const auto iterations = static_cast<std::uint64_t>(result.last.iterations);
      summary.newton_iterations.total += iterations;
      summary.newton_iterations.max = std::max(summary.newton_iterations.max, iterations);
      if (result.last.status != NewtonStatus::converged) break;
    }
    if (piece == pieces) {
      result.done = true;
      if (pieces > 1) summary.substeps += static_cast<std::uint64_t>(pieces);
      return result;
    }
    stepper.restore(memory);
  }
  return result;
}

// What there is to record.
struct Place {
  double t;
  std::span<const double> q, v, lambda;
};
bool is_finite(const Place& at) {
  const auto finite = [](double x) { return std::isfinite(x); };
  return std::ranges::all_of(at.q, finite) && std::ranges::all_of(at.v, finite);
}
std::string not_finite(const std::string& column, double t) {
  return fmt::format(
      "{} is not finite at t = {:.6g}: the motion has diverged or a formula has no value there; try a smaller --step "
      "or "
      "an implicit method such as energy-momentum",
      column, t);
}
Place place_of(const Stepper& stepper) { return {stepper.t(), stepper.q(), stepper.v(), stepper.lambda()}; }

// Past t in steps of any size.
Advance advance_past(Adaptive& adaptive, const Stepper& stepper, double t, double end, const Stepper::Inputs& inputs,
                     Summary& summary) {
  const Adaptive::Result r = adaptive.advance_past(t, end, inputs);
  summary.newton_iterations.total += r.iterations;
  summary.newton_iterations.max =
      std::max(summary.newton_iterations.max, static_cast<std::uint64_t>(r.last.iterations));
  return {r.done, r.last, 0, stepper.t()};
}

std::string failure(const Stepper& stepper, const Advance& a, double h) {
  std::string sizes;
  for (int k = 0; k <= max_halvings; ++k) sizes += fmt::format("{}{:.3g}", k ? ", " : "", h / (1 << k));
  const std::string cause =
      a.last.status == NewtonStatus::singular
          ? (a.last.singular_unknown >= 0
                 ? fmt::format(
                       "the equations do not determine {}; is a constraint redundant or a coordinate without mass?",
                       stepper.unknown(a.last.singular_unknown))
                 : std::string("a formula has no finite value"))
          : fmt::format("Newton's method stalled at {} (relative residual {:.1e})",
                        stepper.equation(std::max(0, a.last.worst_equation)), a.last.error);
  return fmt::format(
      "step from t = {:.6g} failed: {}; step sizes tried: {}; try a smaller --step, another --method, or look "
      "for a singular configuration",
      a.t, cause, sizes);
}

void warn_of_steps(const Stepper& stepper, Summary& summary) {
  if (summary.substeps > 0)
    summary.warnings.push_back(
        fmt::format("some steps needed substeps ({} in all); a smaller --step is advisable", summary.substeps));
  if (stepper.mended() > 0)
    summary.warnings.push_back(fmt::format(
        "in {} step{} Newton's method first reached another solution of the equations; the one to which small "
        "steps lead was taken; a smaller --step is advisable",
        stepper.mended(), stepper.mended() == 1 ? "" : "s"));
}

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
Promise promised(const SimulateSettings& settings, const Scheme& scheme, const System& system) {
  Promise p = promise_of(scheme.info, settings.tolerance);
  if (scheme.info.on_rotations && !settings.project) p.positions = p.velocities = false;
  if (settings.stabilise) p.velocities = true;
  if (settings.stabilise && !keeps_invariants_stabilised(system, scheme.info)) p.energy = p.momentum = false;
  if (settings.adaptive > 0.0) p = {.positions = false, .velocities = false, .rolling = false};
  return p;
}

}  // namespace

Simulation simulate(const Problem& problem, const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const SimulateSettings& settings = problem.settings.of<SimulateSettings>();
  const bool lie = problem.formulation == Formulation::lie;
  const Scheme& scheme = choose_scheme(problem.system, lie && settings.method == "auto" ? "lie-rk4" : settings.method);
  if (lie && !scheme.info.on_rotations)
    throw InputError(fmt::format(
        "formulation \"lie\" needs a method on the rotation group, such as lie-rk4, and not {}", scheme.info.name));
  const double h = settings.step;
  const auto steps = static_cast<std::uint64_t>(std::ceil(settings.until / h * (1.0 - 1e-12)));

  auto inputs = std::make_shared<InputValues>(problem.system, settings.inputs, problem.signals);
  const Stepper::Inputs input_values = [inputs](double t, std::span<double> u) { (*inputs)(t, u); };
  std::vector<double> u(problem.system.inputs.size());
  (*inputs)(0.0, u);
  Start start = simulation_start(problem);
  const System system = without(problem.system, start.redundant);
  if (!start.redundant.empty()) start.state = consistent_start(system, start.state, u, problem.signals).state;

  Simulation run;
  Summary& summary = run.summary;
  describe_start(problem, start, summary);
  summary.task = "simulate";
  summary.parts.set(SimulationSummary());
  summary.method = scheme.info.name;
  Stepper stepper(system, scheme,
                  {.scheme = {.rho = settings.rho,
                              .map = settings.map,
                              .project = settings.project,
                              .stabilise = settings.stabilise},
                   .newton = {.tolerance = settings.tolerance}},
                  problem.signals);
  const double work =
      static_cast<double>(stepper.instruction_count()) * iterations_per_step * static_cast<double>(steps);
  if (options.compiler && work > worth_compiling) stepper.compile(*options.compiler);
  summary.compiled = stepper.is_compiled();
  stepper.start(start.state, h);

  Observer observer(problem.system, problem.signals);
  Multipliers multipliers(problem.system, system);
  const std::vector<double> parameters = parameter_values(problem.system);
  run.trajectory.columns = observer.columns();
  const auto every = static_cast<std::uint64_t>(settings.every);
  run.trajectory.reserve(
      std::min(static_cast<std::size_t>(steps / every + 2), reserved_numbers / observer.columns().size()));
  // False, with the reason, if there is a number that is not finite: that row is left out.
  auto record = [&](const Place& at) {
    (*inputs)(at.t, u);
    const std::span<double> row = run.trajectory.append();
    observer.observe(at.t, at.q, at.v, multipliers.all(at.lambda), u, parameters, row);
    const auto column = find_not_finite(problem.system, run.trajectory.columns, row);
    if (!column) return true;
    summary.status = RunStatus::failed;
    summary.message = not_finite(*column, at.t);
    run.trajectory.values.resize(run.trajectory.values.size() - row.size());
    return false;
  };
  const bool started = record(place_of(stepper));
  PassedStates path;
  path.pass(stepper.t(), stepper.q(), stepper.v());
  Stepper::Memory memory;
  AngleWatch angles(problem.formulation == Formulation::minimal ? problem.system : System{});
  std::optional<Adaptive> adaptive;
  if (settings.adaptive > 0.0) adaptive.emplace(stepper, scheme, AdaptiveOptions{.tolerance = settings.adaptive});
  State dense = start.state;
  for (std::uint64_t k = 1; started && k <= steps; ++k) {
    const double t1 = k == steps ? settings.until : static_cast<double>(k) * h;
    const Advance step = adaptive ? advance_past(*adaptive, stepper, t1, settings.until, input_values, summary)
                                  : advance(stepper, t1 - stepper.t(), input_values, memory, summary);
    if (!step.done) {
      summary.status = RunStatus::failed;
      summary.message = failure(stepper, step, adaptive ? adaptive->step() : h);
      break;
    }
    if (!adaptive) stepper.set_t(t1);
    if (adaptive) adaptive->at(t1, dense.q, dense.v, dense.lambda);
    const Place now = adaptive ? Place{t1, dense.q, dense.v, dense.lambda} : place_of(stepper);
    if (is_finite(now)) path.pass(now.t, now.q, now.v);
    ++summary.steps;
    if (const auto name = angles.crossed(now.q, adaptive.has_value())) {
      summary.status = RunStatus::failed;
      summary.message = fmt::format(
          "the three angles of \"{}\" cannot describe its orientation near t = {:.6g} (the second one comes to a right "
          "angle); "
          "use --formulation director or lie",
          *name, t1);
      break;
    }
    if ((k % every == 0 || k == steps || !is_finite(now)) && !record(now)) break;
    if (options.keep_going && !options.keep_going(t1) && k < steps) {
      summary.status = RunStatus::interrupted;
      summary.message = fmt::format("interrupted at t = {:.6g} of {:.6g}", t1, settings.until);
      break;
    }
  }
  if (adaptive) {
    summary.adaptive = settings.adaptive;
    summary.steps = 2 * adaptive->accepted();
  }
  describe_conserved(problem, observer.conserved(), summary);
  const PartNames names(problem);
  summary.structure.singular_configurations = singular_configurations(system, path, problem.signals, names);
  for (std::string& w : in_words(summary.structure.singular_configurations, names))
    summary.warnings.push_back(std::move(w));
  warn_of_steps(stepper, summary);
  summary.newton_iterations.per_step =
      summary.steps > 0 ? static_cast<double>(summary.newton_iterations.total) / static_cast<double>(summary.steps)
                        : 0.0;
  summary.accuracy = measure_accuracy(run.trajectory, observer.conserved());
  const Promise promise = promised(settings, scheme, system);
  if (settings.stabilise && scheme.info.energy && !promise.energy) warn_of_stabilisation(summary.accuracy, summary);
  take(judge({problem.system, problem.signals, run.trajectory, observer.conserved(), input_values,
              start.mass_rank < static_cast<int>(problem.system.coordinates.size())},
             promise),
       summary);
  summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return run;
}

}  // namespace invar
