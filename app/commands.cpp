// See commands.h.
#include "app/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>

#include "app/examples.h"
#include "app/results.h"
#include "app/streams.h"
#include "app/terminal.h"
#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/base/private_files.h"
#include "invar/record/file.h"
#include "invar/record/result_folder.h"
#include "invar/record/summary.h"
#include "invar/report/page/page.h"
#include "invar/report/page/run_words.h"
#include "invar/scheme/scheme.h"
#include "invar/task/check/verdict.h"
#include "invar/task/control/control.h"
#include "invar/task/invert/invert.h"
#include "invar/task/optimize/optimize.h"
#include "invar/task/simulate/simulate.h"

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
    override_settings(command, problem.settings.of<InvertSettings>());
    if (!command.verify) problem.settings.of<InvertSettings>().verify = false;
  } else if (command.verb == Verb::optimize) {
    if (!problem.settings.has<OptimizeSettings>()) return problem;
    OptimizeSettings& settings = problem.settings.of<OptimizeSettings>();
    settings.intervals = command.intervals.value_or(settings.intervals);
    settings.refine = command.refine.value_or(settings.refine);
    const bool scheme = command.method != "direct" && command.method != "indirect";
    if (!command.method.empty()) (scheme ? settings.scheme : settings.method) = command.method;
    check(settings);
  } else if (command.verb == Verb::control) {
    if (!problem.settings.has<ControlSettings>()) return problem;
    ControlSettings& settings = problem.settings.of<ControlSettings>();
    settings.period = command.step.value_or(settings.period);
    settings.until = command.until.value_or(settings.until);
    if (!command.method.empty()) settings.controller = command.method;
    check(settings);
  } else {
    override_settings(command, problem.settings.of<SimulateSettings>());
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

// Each warning once, whatever is asked to be quiet: as soon as it is known, or with the result.
class Warnings {
 public:
  void tell(const std::string& warning) {
    if (told_.insert(warning).second) complain("invar: warning: {}\n", warning);
  }
  void tell(const std::vector<std::string>& warnings) {
    for (const std::string& w : warnings) tell(w);
  }

 private:
  std::set<std::string> told_;
};

// What can be said about the closed loop before it runs.
std::string loop_in_words(const Problem& problem, Summary& summary) {
  const std::optional<double> radius = summary.parts.set(check_loop(problem, summary.warnings)).spectral_radius;
  const ControlSettings& settings = problem.settings.of<ControlSettings>();
  return fmt::format("  closed loop: {} every {:.6g} s{}\n", settings.controller, settings.period,
                     radius ? fmt::format(", spectral radius at rest {:.6g}", *radius) : "");
}

int check_model(const CommandLine& command) {
  const Problem problem = read(command);
  Verdict verdict = about(problem, [&] { return check(problem); });
  std::string inverse;
  if (!problem.targets.empty()) try {
      const InverseStructure structure = about(problem, [&] { return analyse_inverse(problem); });
      verdict.summary.parts.set(inversion_summary(structure));
      inverse = fmt::format("  inverse problem: {}\n", in_words(structure));
    } catch (const InputError& refusal) {
      // A controller may be able to do what exact inversion cannot.
      if (!problem.settings.has<ControlSettings>()) throw;
      inverse = fmt::format("  inverse problem: {}\n", refusal.what());
    }
  if (problem.settings.has<ControlSettings>()) inverse += about(problem, [&] { return loop_in_words(problem, verdict.summary); });
  if (command.json)
    write_output(to_json(verdict.summary));
  else
    print("{}{}", in_words(problem, verdict), inverse);
  Warnings().tell(verdict.summary.warnings);
  return done;
}

void check_snapshots(const CommandLine& command, double end) {
  for (const double t : command.snapshots)
    if (t < 0.0 || t > end)
      throw InputError(fmt::format("--snapshots: {:.6g} lies outside the motion, from 0 to {:.6g} s", t, end));
}

// What was found, in words or as JSON.
void tell(const CommandLine& command, const Summary& summary) {
  if (command.json) return write_output(to_json(summary));
  if (command.quiet) return;
  const char* indent = "";
  for (const std::string& sentence : run_in_words(summary)) {
    print("{}{}\n", indent, sentence);
    indent = "  ";
  }
}

// The exit status of a run that ended so.
int status_of(const Problem& problem, const Summary& summary) {
  if (summary.status == RunStatus::done) return done;
  complain("{}: {}\n", problem.file, summary.message);
  return summary.status == RunStatus::interrupted ? interrupted : failed;
}

// What is left of a task that was stopped before it had any rows: what the model was, and why there is nothing.
Outcome nothing_yet(const CommandLine& command, const Problem& problem) {
  Outcome outcome;
  describe_model(problem, outcome.summary);
  outcome.summary.task = command.verb == Verb::invert     ? "invert"
                         : command.verb == Verb::optimize ? "optimize"
                         : command.verb == Verb::control  ? "control"
                                                          : "simulate";
  outcome.summary.status = RunStatus::interrupted;
  outcome.summary.message = "interrupted before there were results";
  return outcome;
}

// Runs a task with a progress bar and Ctrl-C, writes its folder, prints what it found.
template <class Task>
int run_task(const CommandLine& command, const Problem& problem, double until, const Task& task) {
  const std::string folder = command.out.empty() ? "out/" + problem.name : command.out;
  {
    ResultFolder can_be_written(folder);
  }
  Outcome outcome;
  Warnings warnings;
  bool stopped = false;
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
    options.warn = [&](const std::string& w) { warnings.tell(w); };
    const InterruptScope scope(&Interruption::requested);
    try {
      outcome = about(problem, [&] { return task(options); });
    } catch (const Interrupted&) {
      outcome = nothing_yet(command, problem);
      stopped = true;
    }
  }
  require_finite(outcome.summary);
  std::string loss;
  try {
    write_results(problem, outcome, folder,
                  stopped ? Pictures{false} : Pictures{command.report, command.svg, command.png, command.snapshots});
  } catch (const OutputError& e) {
    loss = e.what();
  }
  if (!stopped || command.json) tell(command, outcome.summary);
  if (loss.empty() && !command.quiet && !command.json) print("  results in {}\n", folder);
  warnings.tell(outcome.summary.warnings);
  const int status = status_of(problem, outcome.summary);
  if (loss.empty()) return status;
  complain("{}: the results are lost: {}\n", folder, loss);
  return undelivered;
}

int simulate_model(const CommandLine& command) {
  const Problem problem = read(command);
  check_snapshots(command, problem.settings.of<SimulateSettings>().until);
  const auto task = [&](const RunOptions& options) {
    Simulation run = simulate(problem, options);
    return Outcome{std::move(run.trajectory), std::move(run.summary), {}, {}};
  };
  return run_task(command, problem, problem.settings.of<SimulateSettings>().until, task);
}

int invert_model(const CommandLine& command) {
  const Problem problem = read(command);
  check_snapshots(command, problem.settings.of<InvertSettings>().until);
  const auto task = [&](const RunOptions& options) {
    Inversion run = invert(problem, options);
    return Outcome{std::move(run.trajectory), std::move(run.summary), std::move(run.inputs), {}};
  };
  return run_task(command, problem, problem.settings.of<InvertSettings>().until, task);
}

int optimize_model(const CommandLine& command) {
  const Problem problem = read(command);
  check_snapshots(command, problem.settings.of<OptimizeSettings>().longest);
  const auto task = [&](const RunOptions& options) {
    Optimum run = optimize(problem, options);
    return Outcome{std::move(run.trajectory), std::move(run.summary), std::move(run.inputs), std::move(run.costates)};
  };
  return run_task(command, problem, 1.0, task);
}

int control_model(const CommandLine& command) {
  const Problem problem = read(command);
  check_snapshots(command, problem.settings.of<ControlSettings>().until);
  const auto task = [&](const RunOptions& options) {
    ControlRun run = control(problem, options);
    return Outcome{std::move(run.trajectory), std::move(run.summary), std::move(run.inputs), {}};
  };
  return run_task(command, problem, problem.settings.of<ControlSettings>().until, task);
}

// Called after its folder, or by its whole path if others are called the same.
StoredRun stored_run(const std::filesystem::path& folder, const std::vector<std::string>& all) {
  const auto last = [](const std::filesystem::path& path) {
    return path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
  };
  const auto same =
      std::count_if(all.begin(), all.end(), [&](const auto& other) { return last(other) == last(folder); });
  const std::string summary = read_file((folder / "summary.json").string()).value_or(std::string());
  if (!is_summary(summary))
    throw InputError(folder.string() + ": is no folder of results (it has no summary.json of Invar)");
  return {same > 1 ? folder.string() : last(folder), summary, read_csv(folder / "result.csv"),
          read_file((folder / "report.html").string()).value_or(std::string())};
}

// The report of a result folder once more, or several of them compared in one page.
int report(const CommandLine& command) {
  std::vector<StoredRun> runs;
  for (const std::string& folder : command.folders) runs.push_back(stored_run(folder, command.folders));
  const bool several = runs.size() > 1;
  const std::filesystem::path out = !command.out.empty() ? std::filesystem::path(command.out)
                                    : several            ? "comparison.html"
                                                         : std::filesystem::path(command.folders[0]) / "report.html";
  if (std::error_code error; out.has_parent_path() && !std::filesystem::is_directory(out.parent_path()))
    if (std::filesystem::create_directories(out.parent_path(), error); error)
      throw OutputError(out.string() + ": cannot be written: " + error.message());
  write_text(out, several ? comparison_page(runs) : stored_page(runs.front()));
  if (!command.quiet && several) print("{} runs compared in {}\n", runs.size(), out.string());
  if (!command.quiet && !several) print("report in {}\n", out.string());
  return done;
}

int list() {
  print("Schemes (--method):\n");
  for (const Scheme& s : schemes()) {
    std::string keeps = s.info.energy && s.info.momentum ? "keeps energy and momenta"
                        : s.info.momentum                ? "keeps momenta"
                                                         : "";
    print("  {:<27} order {}   {}{}{}\n", s.info.name, s.info.order, s.info.title, keeps.empty() ? "" : "; ", keeps);
  }
  const std::vector<Example> examples = bundled_examples();
  std::size_t width = 0;
  for (const Example& e : examples) width = std::max(width, e.name.size());
  print(
      "\nExamples (invar check NAME, invar simulate NAME; those with trajectories: invar invert NAME, with a goal: "
      "invar optimize NAME):\n");
  for (const Example& e : examples) print("  {:<{}}  {}\n", e.name, width, e.title);
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
  } catch (const OutputError& e) {
    complain("{}\n", e.what());
    return undelivered;
  } catch (const InputError& e) {
    complain("{}\n", e.what());
  } catch (const std::bad_alloc&) {
    complain("invar: not enough memory\n");
  } catch (const std::exception& e) {
    complain("invar: {} (this is a bug in Invar)\n", e.what());
  }
  return wrong;
}

}  // namespace invar::app
