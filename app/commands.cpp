// See commands.h.
#include "app/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "app/examples.h"
#include "app/terminal.h"
#include "invar/expr/error.h"
#include "invar/expr/private_files.h"
#include "invar/record/result_folder.h"
#include "invar/report/page.h"
#include "invar/report/plot.h"
#include "invar/report/snapshots.h"
#include "invar/scheme/scheme.h"
#include "invar/task/control.h"
#include "invar/task/invert.h"
#include "invar/task/optimize.h"
#include "invar/task/simulate.h"
#include "invar/task/verdict.h"

namespace invar::app {

namespace {

constexpr int done = 0, wrong = 1, failed = 2, interrupted = 130;

template <class Settings>
void override_settings(const CommandLine& command, Settings& settings) {
  if (command.step) settings.step = *command.step;
  if (command.until) settings.until = *command.until;
  if (!command.method.empty()) settings.method = command.method;
  check(settings);
}

Problem read(const CommandLine& command) {
  const std::optional<std::string> formulation =
      command.formulation.empty() ? std::nullopt : std::optional(command.formulation);
  Problem problem = read_problem(find_model(command.model), command.overrides, formulation);
  if (command.verb == Verb::invert) {
    override_settings(command, problem.invert);
    problem.invert.verify = problem.invert.verify && command.verify;
  } else if (command.verb == Verb::optimize) {
    OptimizeSettings& settings = problem.optimize;
    settings.intervals = command.intervals.value_or(settings.intervals);
    settings.refine = command.refine.value_or(settings.refine);
    const bool scheme = command.method != "direct" && command.method != "indirect";
    if (!command.method.empty()) (scheme ? settings.scheme : settings.method) = command.method;
    check(settings);
  } else if (command.verb == Verb::control) {
    ControlSettings& settings = problem.control;
    settings.period = command.step.value_or(settings.period);
    settings.until = command.until.value_or(settings.until);
    if (!command.method.empty()) settings.controller = command.method;
    check(settings);
  } else {
    override_settings(command, problem.simulate);
  }
  return problem;
}

// The result of a task, with the file at fault in front of what it says about the model.
template <class Task>
auto about(const Problem& problem, const Task& task) {
  try {
    return task();
  } catch (const InputError& e) {
    throw InputError(problem.file + ": " + e.what());
  }
}

// Machine code is kept in the user's own cache folder.
Compiler compiler() {
  Compiler c;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    c.cache = std::string(cache) + "/invar";
  else if (const char* home = std::getenv("HOME"); home && *home)
    c.cache = std::string(home) + "/.cache/invar";
  return c;
}

std::string duration(double seconds) {
  return seconds < 1.0 ? fmt::format("{:.0f} ms", 1e3 * seconds) : fmt::format("{:.1f} s", seconds);
}

void print_simulation(const Summary& s) {
  const std::string size =
      s.adaptive > 0.0 ? fmt::format("for an error of {:.1e} each", s.adaptive) : fmt::format("of {:.6g} s", s.step);
  fmt::print("{}: {} steps {} with {}, {:.1f} Newton iterations per step, {}\n", s.name, s.steps, size, s.method,
             s.newton_iterations.per_step, duration(s.wall_seconds));
  const Accuracy& a = s.accuracy;
  fmt::print("  energy: largest change {:.2e} J, {:.1e} of the largest energy{}\n", a.energy.drift, a.energy_relative,
             a.energy.expected ? "" : fmt::format(" ({})", a.energy.why_not));
  for (const InvariantDrift& i : a.invariants)
    if (i.expected) fmt::print("  {}: largest change {:.2e}\n", i.name, i.drift);
  if (s.counts.constraints > 0)
    fmt::print("  constraints: largest residual {:.1e} at position level, {:.1e} at velocity level\n", a.drift_position,
               a.drift_velocity);
  for (const Summary::Change& c : s.initial_changes)
    fmt::print("  start made consistent: {} = {:.9g} instead of {:.9g}\n", c.name, c.used, c.given);
}

void print_inversion(const Summary& s) {
  const Summary::Inversion& i = *s.inversion;
  fmt::print("{}: {}\n", s.name, i.verdict);
  fmt::print("  {} instants with {}, {}; equations satisfied to {:.1e} of their terms, outputs to {:.1e}\n", s.steps,
             s.method, duration(s.wall_seconds), i.equation_residual, i.servo_error);
  if (i.round_trip)
    fmt::print("  a simulation with these inputs{} follows the trajectories to {:.1e}\n",
               i.round_trip_from > 0.0 ? fmt::format(" from t = {:.4g} on", i.round_trip_from) : std::string(),
               *i.round_trip);
}

void print_optimum(const Summary& s) {
  if (!s.optimization) return;
  const Summary::Optimization& o = *s.optimization;
  fmt::print("{}: cost {:.10g} over {:.6g} s in {} intervals with {}, {} iterations, {}\n", s.name, o.cost, o.horizon,
             o.intervals, s.method, o.iterations, duration(s.wall_seconds));
  fmt::print("  equations satisfied to {:.1e}, slope of the Lagrangian {:.1e}{}\n", o.infeasibility, o.kkt,
             s.status == "done" ? " (a local optimum)" : "");
  fmt::print("  energy gained beyond the work done: {:.1e} of the largest change\n", o.energy_balance_relative);
  fmt::print("  control Hamiltonian {:.8g}, constant to {:.1e}\n", o.hamiltonian, o.hamiltonian_drift);
  for (const auto& mesh : o.meshes) fmt::print("  {} intervals: cost {:.10g}\n", mesh.intervals, mesh.cost);
  if (o.limit)
    fmt::print("  limit of ever finer meshes: cost {:.10g}{}\n", *o.limit,
               o.order ? fmt::format(" (observed order {:.2f})", *o.order) : "");
  if (o.replay) fmt::print("  a simulation with these inputs gives the same motion to {:.1e}\n", *o.replay);
  for (const std::string& bound : o.active_bounds) fmt::print("  reached: {}\n", bound);
}

void print_control(const Summary& s) {
  if (!s.control) return;
  const Summary::Control& c = *s.control;
  fmt::print("{}: {} samples of {:.6g} s with {}, {}\n", s.name, c.samples, c.period, c.controller,
             duration(s.wall_seconds));
  if (c.spectral_radius) fmt::print("  spectral radius of the sampled loop at rest: {:.6g}\n", *c.spectral_radius);
  for (const auto& e : c.errors)
    fmt::print("  error of {}: largest {:.3e}, RMS {:.3e}, at the end {:.3e}\n", e.output, e.largest, e.rms, e.last);
  for (const auto& e : c.efforts) fmt::print("  input {}: largest {:.4g}, RMS {:.4g}\n", e.input, e.largest, e.rms);
  if (c.saturated > 0.0) fmt::print("  inputs at their limits in {:.1f} % of the samples\n", 100.0 * c.saturated);
  fmt::print("  computing a sample takes at most {:.2g} periods, {:.2g} in 99 % of them\n", c.worst_time, c.usual_time);
}

void warn(const std::string& w) { fmt::print(stderr, "invar: warning: {}\n", w); }

// What can be said about the closed loop before it runs.
std::string loop_in_words(const Problem& problem, Summary& summary) {
  std::vector<std::string> warnings;
  summary.control = check_loop(problem, warnings);
  const std::optional<double> radius = summary.control->spectral_radius;
  std::string text =
      fmt::format("  closed loop: {} every {:.6g} s{}\n", problem.control.controller, problem.control.period,
                  radius ? fmt::format(", spectral radius at rest {:.6g}", *radius) : "");
  for (const std::string& w : warnings) text += fmt::format("  warning: {}\n", w);
  return text;
}

int check_model(const CommandLine& command) {
  const Problem problem = read(command);
  Verdict verdict = about(problem, [&] { return check(problem); });
  std::string inverse;
  if (!problem.targets.empty()) try {
      const InverseStructure structure = about(problem, [&] { return analyse_inverse(problem); });
      verdict.summary.inversion = inversion_summary(structure);
      inverse = fmt::format("  inverse problem: {}\n", in_words(structure));
    } catch (const InputError& refusal) {
      // A controller may be able to do what exact inversion cannot.
      if (!problem.control.asked) throw;
      inverse = fmt::format("  inverse problem: {}\n", refusal.what());
    }
  if (problem.control.asked) inverse += about(problem, [&] { return loop_in_words(problem, verdict.summary); });
  if (command.json)
    fmt::print("{}", to_json(verdict.summary));
  else
    fmt::print("{}{}", in_words(problem, verdict), inverse);
  return done;
}

// What a task leaves behind.
struct Outcome {
  Trajectory trajectory;
  Summary summary;
  std::optional<Trajectory> inputs, costates;  // for files of their own
};

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Pictures as PNG beside their SVG, by librsvg's command.
void rasterise(const std::filesystem::path& folder) {
  for (const char* name : {"plot", "snapshots"}) {
    const std::string svg = (folder / name).string() + ".svg", png = (folder / name).string() + ".png";
    if (std::filesystem::exists(svg) && !run_program({"rsvg-convert", "--zoom", "2", "--output", png, svg}))
      throw InputError("--png: rsvg-convert is missing or failed (Debian package librsvg2-bin)");
  }
}

void write_results(const Problem& problem, const Outcome& outcome, const std::string& folder, bool with_report,
                   bool with_png) {
  ResultFolder results(folder);
  write_csv(outcome.trajectory, results.path() / "result.csv");
  if (outcome.inputs) write_csv(*outcome.inputs, results.path() / "inputs.csv");
  if (outcome.costates) write_csv(*outcome.costates, results.path() / "costates.csv");
  results.write("summary.json", to_json(outcome.summary));
  if (with_report) {
    PlotOptions options;
    options.title = outcome.summary.name;
    results.write("plot.svg", plot_svg(outcome.trajectory, options));
    if (const std::string still =
            snapshots_svg(make_scene(problem, outcome.trajectory), {.title = outcome.summary.name});
        !still.empty())
      results.write("snapshots.svg", still);
    results.write("report.html",
                  report_page({problem, outcome.summary, outcome.trajectory,
                               outcome.costates ? &*outcome.costates : nullptr, contents(problem.file)}));
  }
  if (with_png) rasterise(results.path());
  if (outcome.summary.status != "done") results.write("INCOMPLETE", outcome.summary.message + "\n");
  results.commit();
}

// Runs a task with a progress bar and Ctrl-C, writes its folder, prints what it found.
template <class Task>
int run_task(const CommandLine& command, const Problem& problem, double until, const Task& task,
             void (*print)(const Summary&)) {
  const std::string folder = command.out.empty() ? "out/" + problem.name : command.out;
  {
    ResultFolder can_be_written(folder);
  }
  Outcome outcome;
  {
    const Interruption interruption;
    ProgressBar bar(!command.quiet);
    RunOptions options;
    options.compiler = compiler();
    options.keep_going = [&](double t) {
      bar.show(t / until);
      return !Interruption::requested();
    };
    options.tell = [&](const std::string& state) { bar.tell(state); };
    if (!command.quiet) options.warn = [](const std::string& w) { warn(w); };
    outcome = about(problem, [&] { return task(options); });
  }
  write_results(problem, outcome, folder, command.report || command.png, command.png);
  const Summary& s = outcome.summary;
  if (command.json) {
    fmt::print("{}", to_json(s));
  } else if (!command.quiet) {
    print(s);
    fmt::print("  results in {}\n", folder);
  }
  // What had to be known before the run has been said.
  if (!command.quiet && command.verb != Verb::control)
    for (const std::string& w : s.warnings) warn(w);
  if (s.status == "done") return done;
  fmt::print(stderr, "{}: {}\n", problem.file, s.message);
  return s.status == "interrupted" ? interrupted : failed;
}

int simulate_model(const CommandLine& command) {
  const Problem problem = read(command);
  const auto task = [&](const RunOptions& options) {
    Simulation run = simulate(problem, options);
    return Outcome{std::move(run.trajectory), std::move(run.summary), {}, {}};
  };
  return run_task(command, problem, problem.simulate.until, task, print_simulation);
}

int invert_model(const CommandLine& command) {
  const Problem problem = read(command);
  const auto task = [&](const RunOptions& options) {
    Inversion run = invert(problem, options);
    return Outcome{std::move(run.trajectory), std::move(run.summary), std::move(run.inputs), {}};
  };
  return run_task(command, problem, problem.invert.until, task, print_inversion);
}

int optimize_model(const CommandLine& command) {
  const Problem problem = read(command);
  const auto task = [&](const RunOptions& options) {
    Optimum run = optimize(problem, options);
    return Outcome{std::move(run.trajectory), std::move(run.summary), std::move(run.inputs), std::move(run.costates)};
  };
  return run_task(command, problem, 1.0, task, print_optimum);
}

int control_model(const CommandLine& command) {
  const Problem problem = read(command);
  const auto task = [&](const RunOptions& options) {
    ControlRun run = control(problem, options);
    return Outcome{std::move(run.trajectory), std::move(run.summary), std::move(run.inputs), {}};
  };
  return run_task(command, problem, problem.control.until, task, print_control);
}

// Compares result folders in one page.
int report(const CommandLine& command) {
  std::vector<StoredRun> runs;
  for (const std::string& name : command.folders) {
    const std::filesystem::path folder = name;
    const std::string summary = contents(folder / "summary.json");
    if (!is_summary(summary)) throw InputError(name + ": is no folder of results (it has no summary.json of Invar)");
    runs.push_back({folder.has_filename() ? folder.filename().string() : folder.parent_path().filename().string(),
                    summary, read_csv(folder / "result.csv")});
  }
  const std::filesystem::path out = command.out.empty() ? "comparison.html" : command.out;
  std::ofstream file(out, std::ios::binary);
  file << comparison_page(runs);
  if (!file.flush()) throw InputError(out.string() + ": cannot be written");
  if (!command.quiet) fmt::print("{} runs compared in {}\n", runs.size(), out.string());
  return done;
}

int list() {
  fmt::print("Schemes (--method):\n");
  for (const Scheme& s : schemes()) {
    std::string keeps = s.info.energy && s.info.momentum ? "keeps energy and momenta"
                        : s.info.momentum                ? "keeps momenta"
                                                         : "";
    fmt::print("  {:<27} order {}   {}{}{}\n", s.info.name, s.info.order, s.info.title, keeps.empty() ? "" : "; ",
               keeps);
  }
  const std::vector<Example> examples = bundled_examples();
  std::size_t width = 0;
  for (const Example& e : examples) width = std::max(width, e.name.size());
  fmt::print(
      "\nExamples (invar check NAME, invar simulate NAME; those with trajectories: invar invert NAME, with a goal: "
      "invar optimize NAME):\n");
  for (const Example& e : examples) fmt::print("  {:<{}}  {}\n", e.name, width, e.title);
  return done;
}

}  // namespace

int run(const CommandLine& command) {
  try {
    switch (command.verb) {
      case Verb::check: return check_model(command);
      case Verb::simulate: return simulate_model(command);
      case Verb::invert: return invert_model(command);
      case Verb::optimize: return optimize_model(command);
      case Verb::control: return control_model(command);
      case Verb::report: return report(command);
      case Verb::list: return list();
    }
  } catch (const InputError& e) {
    fmt::print(stderr, "{}\n", e.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "invar: not enough memory\n");
  } catch (const std::exception& e) {
    fmt::print(stderr, "invar: {} (this is a bug in Invar)\n", e.what());
  }
  return wrong;
}

}  // namespace invar::app
