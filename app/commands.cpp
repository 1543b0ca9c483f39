// See commands.h.
#include "app/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "app/examples.h"
#include "app/results/checkpoint.h"
#include "app/results/results.h"
#include "app/results/work.h"
#include "app/streams.h"
#include "app/sweep_command.h"
#include "app/terminal.h"
#include "app/words/command.h"
#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/read/read_problem.h"
#include "invar/record/file.h"
#include "invar/record/folder/result_folder.h"
#include "invar/record/summary.h"
#include "invar/record/sweep/read_sweep_table.h"
#include "invar/report/page/page.h"
#include "invar/report/page/run_words.h"
#include "invar/task/check/matrices.h"
#include "invar/task/check/verdict.h"
#include "invar/task/simulate/simulate_task.h"
#include "invar/task/table/tasks.h"

namespace invar::app {

namespace {

constexpr int done = 0, wrong = 1, failed = 2;

Problem read_model(const CommandLine& command) {
  const std::optional<std::string> formulation =
      command.formulation.empty() ? std::nullopt : std::optional(command.formulation);
  const DataFiles data = command.allow_outside ? DataFiles::anywhere : DataFiles::below_the_model;
  if (command.model == "-" || command.model == "/dev/stdin")
    return read_problem_text(read_input(), "standard input", command.overrides, formulation, data);
  return read_problem(find_model(command.model), command.overrides, formulation, data);
}

// A rule is told about a setting; it was an option that broke it, since those of the file are good.
std::string as_option(const CommandLine& command, std::string rule) {
  const std::size_t end = rule.find('"', 1);
  if (!rule.starts_with('"') || end == rule.npos) return rule;
  const std::string option = "--" + rule.substr(1, end - 1);
  return find_option(*command.command, option) ? option + rule.substr(end + 1) : rule;
}

}  // namespace

Problem problem_for(const CommandLine& command, const Task& task) {
  Problem problem = read_model(command);
  try {
    task.take(command.given, problem);
  } catch (const InputError& e) {
    throw InputError("invar: " + as_option(command, e.what()));
  }
  return problem;
}

namespace {

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

// The matrices at the start, into a folder; what is said about them.
std::string write_matrices(const CommandLine& command, const Problem& problem, Verdict& verdict) {
  const std::string folder = command.out.empty() ? "out/" + problem.name + "-matrices" : command.out;
  const MatricesSummary& found = verdict.summary.parts.set(MatricesSummary(matrices(problem, verdict)));
  ResultFolder results(folder);
  for (const NamedMatrix& m : found.list()) results.write(m.file + ".csv", to_csv(m));
  results.write("summary.json", to_json(verdict.summary));
  results.commit();
  std::string lines;
  for (const std::string& sentence : found.sentences(verdict.summary)) lines += fmt::format("  {}\n", sentence);
  return lines + fmt::format("  matrices in {}\n", folder);
}

}  // namespace

int check_model(const CommandLine& command) {
  const Problem problem = problem_for(command, simulate_task);
  if (!command.out.empty() && !command.matrices) throw InputError("invar: check --out is for --matrices");
  Checked checked = check_with_tasks(problem);
  // Matrices tell most where a task is refused.
  if (checked.refusal && !command.matrices) throw InputError(*checked.refusal);
  Verdict& verdict = checked.verdict;
  if (command.matrices) checked.words += write_matrices(command, problem, verdict);
  if (command.json)
    write_output(to_json(verdict.summary));
  else
    write_output(checked.words);
  Warnings().tell(verdict.summary.warnings);
  if (checked.refusal) throw InputError(*checked.refusal);
  return done;
}

namespace {

void check_snapshots(const CommandLine& command, double end) {
  for (const double t : command.outputs.snapshots)
    if (t < 0.0 || t > end)
      throw InputError(fmt::format("invar: --snapshots: {:.6g} lies outside the motion, from 0 to {:.6g} s", t, end));
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

}  // namespace

namespace {

// The run to go on with. Who begins anew is told that there is one.
std::optional<Checkpoint> earlier_run(const CommandLine& command, const std::string& folder) {
  if (command.resume) {
    std::optional<Checkpoint> found = find_checkpoint(folder);
    if (!found) throw InputError(folder + ": there is no run that was interrupted and can be gone on with");
    return found;
  }
  try {
    if (const std::optional<Checkpoint> found = find_checkpoint(folder))
      complain("invar: warning: {} has a run that was interrupted; --resume would go on with it, this begins anew\n",
               found->folder.string());
  } catch (const InputError&) {  // nobody asks for it
  }
  return std::nullopt;
}

// A disk that is full now may have room in a minute.
void try_to_keep(CheckpointFile& checkpoints, const std::string& state) {
  try {
    checkpoints.keep(state);
  } catch (const OutputError& e) {
    complain("invar: warning: no checkpoint: {}\n", e.what());
  }
}

// What was gone on with is a part of the result now.
void remove_earlier(const Checkpoint& earlier, const std::string& place) {
  std::error_code error;
  if (!std::filesystem::equivalent(earlier.folder, place, error)) std::filesystem::remove_all(earlier.folder, error);
}

// What became of the results.
struct Delivery {
  std::string place;  // where they are; empty if nowhere
  std::string loss;   // what was lost, in words
};

Delivery deliver(const OutputFormat::Run& run, const std::string& folder, std::optional<ResultFolder>& results,
                 std::optional<Interruption::Saving>& saving) {
  const InterruptScope undisturbed([] { return false; });
  saving.emplace();
  try {
    write_results(run, *results, [&] { saving.reset(); });
    return {results->shown(), {}};
  } catch (const OutputError& e) {
    const std::string reason = e.what();
    if (results->is_committed())
      return {results->shown(), fmt::format("{}: not all of the results: {}", folder, reason)};
    run.rows.give_up();
    results.reset();
    if (const std::optional<std::string> rescued = rescue(run, folder, reason))
      return {*rescued, fmt::format("{}: the results could not be written: {}; what was kept of them is in {}", folder,
                                    reason, *rescued)};
    return {{}, fmt::format("{}: the results are lost: {}", folder, reason)};
  }
}

}  // namespace

// With a progress bar; writes the folder of results, prints what was found.
int run_task(const CommandLine& command) {
  const Task& task = *command.task;
  const Problem problem = problem_for(command, task);
  const double end = task.end(problem), whole = task.tells_fraction ? 1.0 : end;
  check_snapshots(command, end);
  const std::string folder = command.out.empty() ? "out/" + problem.name : command.out;
  std::optional<ResultFolder> results(folder);
  ResultRows rows(results->path(), command.outputs.format);
  const std::optional<Checkpoint> earlier = task.goes_on ? earlier_run(command, folder) : std::nullopt;
  std::optional<Interruption::Saving> saving;  // since the run has noticed that it is to stop
  Ran ran;
  Warnings warnings;
  {
    ProgressBar bar(!command.quiet);
    RunOptions options;
    if (command.compile) options.compiler = user_compiler();
    options.rows = &rows;
    Summary unfinished = nothing_yet(task, problem, options).summary;
    unfinished.message = "the run was killed; --resume goes on with it";
    CheckpointFile checkpoints(*results, rows, std::move(unfinished));
    if (earlier) checkpoints.go_on(*earlier);
    if (task.goes_on)
      options.checkpoints = Checkpoints{.every = command.checkpoint,
                                        .keep = [&](const std::string& state) { try_to_keep(checkpoints, state); },
                                        .from = earlier ? earlier->state : std::string()};
    options.kept_numbers = kept_numbers;
    const auto stop = [&] {
      if (Interruption::requested() && !saving) saving.emplace();
      return saving.has_value();
    };
    options.keep_going = [&](double t) {
      bar.show(t / whole);
      return !stop();
    };
    options.tell = [&](const std::string& state) { bar.tell(state); };
    options.warn = [&](const std::string& w) { warnings.tell(w); };
    const InterruptScope scope(stop);  // in place of that of the command
    ran = run_to_some_end(task, Prepared(problem), {}, options);
  }
  const Outcome& outcome = ran.outcome;
  OutputChoice choice = command.outputs;
  if (ran.without_rows) choice.options.insert("--no-report");
  if (outcome.summary.status == RunStatus::interrupted && task.goes_on && !ran.without_rows)
    ran.outcome.summary.message += "; --resume goes on from there";
  const Delivery delivery = deliver({problem, outcome, choice, rows}, folder, results, saving);
  if (!ran.without_rows || command.json) tell(command, outcome.summary);
  if (!delivery.place.empty() && !command.quiet && !command.json) print("  results in {}\n", delivery.place);
  warnings.tell(outcome.summary.warnings);
  const int status = status_of(problem, outcome.summary);
  if (delivery.loss.empty() && status == done && earlier) remove_earlier(*earlier, delivery.place);
  if (delivery.loss.empty()) return status;
  complain("{}\n", delivery.loss);
  return undelivered;
}

namespace {

// Empty if there is no such file.
std::string text_in(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::exists(file, error) ? read_text(file) : std::string();
}

// Called after its folder, or by its whole path if others are called the same.
StoredRun stored_run(const std::filesystem::path& folder, const std::vector<std::string>& all) {
  const auto last = [](const std::filesystem::path& path) {
    return path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
  };
  const auto same =
      std::count_if(all.begin(), all.end(), [&](const auto& other) { return last(other) == last(folder); });
  const std::string summary = text_in(folder / "summary.json");
  if (!is_summary(summary))
    throw InputError(folder.string() + ": is no folder of results (it has no summary.json of Invar)");
  return {same > 1 ? folder.string() : last(folder), summary, read_rows(folder), text_in(folder / "report.html")};
}

}  // namespace

int report(const CommandLine& command) {
  const std::filesystem::path first = command.arguments.front();
  if (is_sweep_summary(text_in(first / "summary.json"))) {
    if (command.arguments.size() > 1) throw InputError(first.string() + ": is a sweep, which cannot be compared");
    return report_sweep(command);
  }
  if (!command.cases.empty()) throw InputError("--case: " + first.string() + " is no folder of a sweep");
  std::vector<StoredRun> runs;
  for (const std::string& folder : command.arguments) runs.push_back(stored_run(folder, command.arguments));
  const bool several = runs.size() > 1;
  const std::filesystem::path out = !command.out.empty() ? std::filesystem::path(command.out)
                                    : several            ? "comparison.html"
                                                         : std::filesystem::path(command.arguments[0]) / "report.html";
  if (std::error_code error; out.has_parent_path() && !std::filesystem::is_directory(out.parent_path()))
    if (std::filesystem::create_directories(out.parent_path(), error); error)
      throw OutputError(out.string() + ": cannot be written: " + error.message());
  replace_text(out, several ? comparison_page(runs) : stored_page(runs.front()));
  if (!command.quiet && several) print("{} runs compared in {}\n", runs.size(), out.string());
  if (!command.quiet && !several) print("report in {}\n", out.string());
  return done;
}

int run(const CommandLine& command) {
  try {
    const InterruptScope scope(&Interruption::requested);
    return command.command->run(command);
  } catch (const FileError& e) {
    complain("{}\n", e.what());
    return undelivered;
  } catch (const InputError& e) {
    complain("{}\n", e.what());
  } catch (const Interrupted&) {
    complain("invar: interrupted\n");
    return interrupted;
  } catch (const std::bad_alloc&) {
    complain("invar: not enough memory\n");
    return undelivered;
  } catch (const std::filesystem::filesystem_error& e) {
    complain("invar: {}\n", e.what());
    return undelivered;
  } catch (const std::exception& e) {
    complain("invar: {} (this is a bug in Invar)\n", e.what());
  }
  return wrong;
}

}  // namespace invar::app
