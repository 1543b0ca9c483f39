// The rows of the table; see command.h.
#include <algorithm>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/examples.h"
#include "app/new_model.h"
#include "app/program_words.h"
#include "app/sweep_command.h"
#include "app/topics.h"
#include "app/watch.h"
#include "app/words/arguments.h"
#include "app/words/command.h"
#include "app/words/model_kinds.h"
#include "invar/base/error.h"
#include "invar/scheme/scheme.h"
#include "invar/task/simulate/simulate_task.h"
#include "invar/task/table/tasks.h"

namespace invar::app {

namespace {

using Line = CommandLine;
using Text = const std::string&;

const char* const about_models =
    "MODEL is a file, the name of a bundled example (see invar list), or - for standard input. A file of that name "
    "comes first.";

Option quiet_option() {
  return {"--quiet", "", "print nothing but warnings and errors", [](Line& line, Text) { line.quiet = true; }};
}

Option out_option(const std::string& help, const std::string& value = "DIR") {
  return {"--out", value, help, [](Line& line, Text text) { line.out = text; }, Words::folder};
}

std::vector<Option> model_options() {
  return {
      {"--set", "NAME=VALUE", "another value for a parameter; may be repeated",
       [](Line& line, Text text) { line.overrides.push_back(assignment(text)); }, Words::any, true},
      {"--method", "M", "scheme or method in place of the file's; see invar list",
       [](Line& line, Text text) { line.given.method = text; }, Words::scheme},
      {"--formulation", "F", "coordinates for a model of bodies: director, minimal or lie",
       [](Line& line, Text text) { line.formulation = text; }, Words::formulation},
      {"--allow-outside", "", "the model may read data files that are not below its folder",
       [](Line& line, Text) { line.allow_outside = true; }},
      {"--json", "", "print the summary as JSON", [](Line& line, Text) { line.json = true; }},
  };
}

std::vector<Option> result_options() {
  std::vector<Option> options = {
      out_option("folder for the results (out/NAME if not given)"),
      quiet_option(),
      {"--no-compile", "", "long runs, too, interpret their formulas", [](Line& line, Text) { line.compile = false; }},
  };
  for (const OutputFormat& format : output_formats())
    if (const std::string name(format.option); !name.empty())
      options.push_back(
          {name, "", std::string(format.help), [name](Line& line, Text) { line.outputs.options.insert(name); }});
  options.push_back({"--format", "F", "of the table: " + row_format_names() + " (auto: csv, or hdf5 for long runs)",
                     [](Line& line, Text text) { line.outputs.format = text; }, Words::format});
  options.push_back({"--snapshots", "T1,T2,…", "times of still pictures, such as 0,0.5,1 (five if not given)",
                     [](Line& line, Text text) { line.outputs.snapshots = numbers(text, "--snapshots"); }});
  return options;
}

// What replaces settings of the file.
std::vector<Option> setting_options(const Task& task) {
  std::vector<Option> options;
  for (const TaskOption& option : task.options) {
    const std::string name(option.name), help(option.help);
    switch (option.kind) {
      case TaskOption::Kind::number:
        options.push_back(
            {name, "X", help, [name](Line& line, Text text) { line.given.values[name] = number(text, name); }});
        break;
      case TaskOption::Kind::count:
        options.push_back(
            {name, "N", help, [name](Line& line, Text text) { line.given.values[name] = whole_number(text, name); }});
        break;
      case TaskOption::Kind::flag:
        options.push_back({name, "", help, [name](Line& line, Text) { line.given.values[name] = 1.0; }});
    }
  }
  return options;
}

// Of tasks that another process can go on with.
std::vector<Option> going_on_options(const Task& task) {
  if (!task.goes_on) return {};
  return {{"--resume", "", "go on with the run into the same folder that was interrupted or killed",
           [](Line& line, Text) { line.resume = true; }},
          {"--checkpoint", "SECONDS", "between two states on the disk from which --resume goes on (60)",
           [](Line& line, Text text) { line.checkpoint = seconds(text, "--checkpoint"); }}};
}

std::vector<Option> joined(std::initializer_list<std::vector<Option>> lists) {
  std::vector<Option> all;
  for (const std::vector<Option>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

Command task_command(const Task& task) {
  return {.verb = std::string(task.verb),
          .help = std::string(task.help),
          .arguments = "MODEL",
          .least = 1,
          .most = 1,
          .words = Words::model,
          .options = joined({model_options(), result_options(), setting_options(task), going_on_options(task)}),
          .about = about_models,
          .run = run_task,
          .task = &task};
}

Command check_command() {
  return {.verb = "check",
          .help = "say what kind of problem a model is, without solving it",
          .arguments = "MODEL",
          .least = 1,
          .most = 1,
          .words = Words::model,
          .options = joined({model_options(),
                             setting_options(simulate_task),
                             {{"--matrices", "", "write the matrices at the start: M, G, B, P, S, S M⁻¹ Bᵀ",
                               [](Line& line, Text) { line.matrices = true; }},
                              out_option("folder for the matrices (out/NAME-matrices if not given)")}}),
          .about = about_models,
          .run = check_model};
}

std::uint64_t count(const std::string& text, const std::string& option) {
  const double count = whole_number(text, option);
  if (count < 0.0) throw InputError(option + ": " + text + " is negative");
  return static_cast<std::uint64_t>(count);
}

std::uint64_t positive_count(const std::string& text, const std::string& option) {
  const double count = whole_number(text, option);
  if (count < 1.0) throw InputError(option + ": " + text + " is not positive");
  return static_cast<std::uint64_t>(count);
}

std::vector<Option> sweep_options() {
  return {
      {"--task", "TASK", "what is run (simulate if not given)", [](Line& line, Text text) { line.sweep.task = text; },
       Words::task},
      {"--over", "NAME=VALUES",
       "what is varied, a parameter or a place such as initial.x; 50:500:10 (ten values), 1,2,5, uniform(0,1), "
       "normal(4,0.1); may be repeated",
       [](Line& line, Text text) { add_varied(varied(text), line.sweep.over); }, Words::any, true},
      {"--samples", "N", "so many samples of what is drawn at random",
       [](Line& line, Text text) { line.sweep.samples = positive_count(text, "--samples"); }},
      {"--sampling", "S", "random, latin, sobol or saltelli", [](Line& line, Text text) { line.sweep.sampling = text; },
       Words::sampling},
      {"--seed", "N", "other samples", [](Line& line, Text text) { line.sweep.seed = count(text, "--seed"); }},
      {"--cases", "FILE", "a CSV file with a row for each case", [](Line& line, Text text) { line.sweep.cases = text; },
       Words::file},
      {"--record", "WHAT",
       "what is kept of each run: figures, or COLUMN.KIND with end, min, max, peak, mean, rms or series; commas "
       "between (figures,end if not given, end with --device)",
       [](Line& line, Text text) { line.sweep.record = separated(text); }},
      {"--threads", "N", "so many runs at a time (one for each core if not given)",
       [](Line& line, Text text) { line.sweep.threads = positive_count(text, "--threads"); }},
      {"--device", "D",
       "cuda: many runs at once on a GPU; auto: there where that takes less time; cpu: on the cores (if not given)",
       [](Line& line, Text text) { line.sweep.device = text; }, Words::device},
      {"--part", "K/N",
       "only the cases of this part, for a machine among others; invar sweep --merge puts all together",
       [](Line& line, Text text) { line.sweep.part = part_of(text); }},
      {"--merge", "", "run nothing, make the results of the parts that have been run",
       [](Line& line, Text) { line.sweep.merge = true; }},
      {"--limit", "SECONDS", "a run that takes longer is stopped",
       [](Line& line, Text text) { line.sweep.limit = seconds(text, "--limit"); }},
      {"--memory", "BYTES", "a run that needs more, such as 500MB, is stopped; runs are then processes of their own",
       [](Line& line, Text text) { line.sweep.memory = bytes(text, "--memory"); }},
  };
}

// Of all tasks, each once; the one that is run says which it has.
std::vector<Option> setting_options_of_all() {
  std::vector<Option> all;
  for (const Task* task : tasks())
    for (Option& option : setting_options(*task))
      if (std::ranges::find(all, option.name, &Option::name) == all.end()) all.push_back(std::move(option));
  return all;
}

Command sweep_command() {
  return {.verb = "sweep",
          .help = "run a task many times with other values each time: grids, samples, tables of cases",
          .arguments = "MODEL",
          .least = 1,
          .most = 1,
          .words = Words::model,
          .options = joined(
              {sweep_options(),
               model_options(),
               {out_option("folder for the results (out/NAME-sweep if not given)"),
                {"--no-report", "", "no page", [](Line& line, Text) { line.outputs.options.insert("--no-report"); }},
                {"--reports", "N",
                 "at the end run so many of the worst cases once more, and as many that failed, for "
                 "reports of their own (3 if not given)",
                 [](Line& line, Text text) { line.sweep.reports = count(text, "--reports"); }},
                quiet_option()},
               setting_options_of_all()}),
          .about = about_models,
          .run = sweep};
}

Command report_command() {
  return {
      .verb = "report",
      .help = "the report of a result folder once more; of several, a page that compares them",
      .arguments = "FOLDER …",
      .least = 1,
      .most = 1000,
      .words = Words::folder,
      .options = {out_option("the page (report.html in the folder if not given; of several comparison.html)", "FILE"),
                  {"--case", "N", "of a sweep: run this case once more, for a report of its own; may be repeated",
                   [](Line& line, Text text) { line.cases.push_back(count(text, "--case")); }, Words::any, true},
                  quiet_option()},
      .run = report};
}

Command watch_command() {
  std::vector<Option> of_model = model_options();
  std::erase_if(of_model, [](const Option& option) { return option.name == "--json"; });
  return {
      .verb = "watch",
      .help = "run a model again at every save, and show its page in a browser",
      .arguments = "MODEL",
      .least = 1,
      .most = 1,
      .words = Words::model,
      .options = joined({of_model,
                         {{"--task", "TASK", "what to run (the first task that the model has a table of, or simulate)",
                           [](Line& line, Text text) { line.task_name = text; }, Words::task},
                          {"--open", "", "open the page in a browser", [](Line& line, Text) { line.open = true; }},
                          {"--no-compile", "", "long runs, too, interpret their formulas",
                           [](Line& line, Text) { line.compile = false; }},
                          quiet_option()}}),
      .about =
          "The page is at a free port of this machine, which others cannot reach, under a random word. Errors stand "
          "over it with the lines at fault. Nothing is written; Ctrl-C ends it.",
      .run = watch};
}

std::vector<Command> all_commands() {
  std::vector<Command> all = {check_command()};
  for (const Task* task : tasks()) all.push_back(task_command(*task));
  all.push_back(sweep_command());
  all.push_back(report_command());
  all.push_back(watch_command());
  all.push_back(
      {.verb = "new",
       .help = "write a commented model to start from",
       .arguments = "KIND",
       .least = 1,
       .most = 1,
       .words = Words::kind,
       .options = {out_option("the file (KIND.toml if not given; - for standard output)", "FILE"), quiet_option()},
       .about = model_kinds_in_words(),
       .run = new_model});
  all.push_back({.verb = "init",
                 .help = "make a folder for a project: a model to start from, and what an editor needs to know",
                 .arguments = "FOLDER",
                 .least = 1,
                 .most = 1,
                 .words = Words::folder,
                 .options = {{"--kind", "KIND", "the model to start from, as with invar new (crane if not given)",
                              [](Line& line, Text text) { line.kind = text; }, Words::kind},
                             quiet_option()},
                 .run = new_project});
  all.push_back({.verb = "list", .help = "list the bundled examples and the schemes", .run = list});
  all.push_back({.verb = "help",
                 .help = "explain a command, an option, a scheme, an exit status …",
                 .arguments = "[TOPIC]",
                 .most = 1,
                 .words = Words::topic,
                 .run = help});
  all.push_back({.verb = "completion",
                 .help = "print what completes commands and options in a shell",
                 .arguments = "SHELL",
                 .least = 1,
                 .most = 1,
                 .words = Words::shell,
                 .about = "SHELL is bash, zsh or fish. An installation has all three in place. By hand, for bash: "
                          "source <(invar completion bash).",
                 .run = completion});
  all.push_back({.verb = "schema",
                 .help = "print the JSON schema of model files, for editors",
                 .about = "For Taplo and editors that use it: a first line #:schema with the place of the file, or "
                          ".taplo.toml as invar init writes it.",
                 .run = print_schema});
  all.push_back(
      {.verb = "manual",
       .help = "print the manual page, for man -l -",
       .options = {{"--markdown", "", "docs/command_line.md instead", [](Line& line, Text) { line.markdown = true; }}},
       .run = manual});
  return all;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> all = all_commands();
  return all;
}

const Command* find_command(std::string_view verb) {
  const auto found = std::ranges::find(commands(), verb, &Command::verb);
  return found == commands().end() ? nullptr : &*found;
}

const Option* find_option(const Command& command, std::string_view name) {
  const auto found = std::ranges::find(command.options, name, &Option::name);
  return found == command.options.end() ? nullptr : &*found;
}

std::vector<std::string> known_words(Words words) {
  std::vector<std::string> known;
  switch (words) {
    case Words::any:
    case Words::folder:
    case Words::file: break;
    case Words::model:
      for (const Example& example : bundled_examples()) known.push_back(example.name);
      break;
    case Words::scheme:
      for (const Scheme& scheme : schemes()) known.emplace_back(scheme.info.name);
      break;
    case Words::formulation: known = {"director", "minimal", "lie"}; break;
    case Words::format:
      known.emplace_back(automatic_format);
      for (const RowFormat& format : row_formats()) known.emplace_back(format.name);
      break;
    case Words::task:
      for (const Task* task : tasks()) known.emplace_back(task->verb);
      break;
    case Words::kind: known = model_kinds(); break;
    case Words::sampling: known = {"random", "latin", "sobol", "saltelli"}; break;
    case Words::device: known = {"cpu", "cuda", "auto"}; break;
    case Words::shell: known = {"bash", "zsh", "fish"}; break;
    case Words::topic: known = help_topics(); break;
  }
  return known;
}

}  // namespace invar::app
