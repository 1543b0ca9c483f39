// See command_line.h; the only file that knows CLI11.
#include "app/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "invar/base/error.h"
#include "invar/base/nearest.h"
#include "invar/record/summary.h"
#include "invar/task/simulate/simulate_task.h"
#include "invar/task/table/tasks.h"

namespace invar::app {

namespace {

double number(const std::string& text, const std::string& what) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    throw InputError(what + ": \"" + text + "\" is not a number");
  return value;
}

// Several with commas between; none if there is no text.
std::vector<double> numbers(const std::string& text, const std::string& what) {
  std::vector<double> values;
  for (std::size_t from = 0, comma = 0; !text.empty() && comma != std::string::npos; from = comma + 1) {
    comma = text.find(',', from);
    values.push_back(number(text.substr(from, comma - from), what));
  }
  return values;
}

double whole_number(const std::string& text, const std::string& what) {
  constexpr double most = 1e9;
  const double count = number(text, what);
  if (count != std::floor(count) || std::abs(count) > most)
    throw InputError(what + ": \"" + text + "\" is not a whole number");
  return count;
}

std::pair<std::string, double> assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) throw InputError("--set " + text + ": write --set name=value");
  return {text.substr(0, equals), number(text.substr(equals + 1), "--set " + text)};
}

// The options as text, before they are checked.
struct Words {
  CommandLine command;
  std::vector<std::string> sets;
  std::map<std::string, std::string> numbers, counts;  // in place of settings, by option; empty if not given
  std::string snapshots;
};

void add_model_options(CLI::App& app, Words& words) {
  app.add_option("MODEL", words.command.model, "model file (.toml), or the name of a bundled example")->required();
  app.add_option("--set", words.sets, "name=value: another value for a parameter; may be repeated")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  app.add_option("--method", words.command.given.method, "scheme, see invar list");
  app.add_option("--formulation", words.command.formulation,
                 "coordinates for a model of bodies: director, minimal or lie");
  app.add_flag("--json", words.command.json, "print the summary as JSON");
}

void add_result_options(CLI::App& app, Words& words) {
  app.add_option("--out", words.command.out, "folder for the results (default out/<name>)");
  app.add_flag("--quiet", words.command.quiet, "print nothing but warnings and errors");
  app.add_flag("--no-compile{false}", words.command.compile, "long runs, too, interpret their formulas");
  for (const OutputFormat& format : output_formats())
    if (const std::string name(format.option); !name.empty())
      app.add_flag(
          name, [&words, name](std::int64_t) { words.command.outputs.options.insert(name); }, std::string(format.help));
  app.add_option("--format", words.command.outputs.format,
                 "of the table: " + row_format_names() + " (auto: csv, or hdf5 for long runs)");
  app.add_option("--snapshots", words.snapshots, "times of still pictures, such as 0,0.5,1 (default: five)");
}

// What replaces settings of the file.
void add_setting_options(CLI::App& app, const Task& task, Words& words) {
  for (const TaskOption& option : task.options) {
    const std::string name(option.name), help(option.help);
    switch (option.kind) {
      case TaskOption::Kind::number: app.add_option(name, words.numbers[name], help); break;
      case TaskOption::Kind::count: app.add_option(name, words.counts[name], help); break;
      case TaskOption::Kind::flag:
        app.add_flag(name, [&words, name](std::int64_t) { words.command.given.values[name] = 1.0; }, help);
    }
  }
}

CommandLine checked(Words words) {
  GivenSettings& given = words.command.given;
  for (const std::string& set : words.sets) words.command.overrides.push_back(assignment(set));
  for (const auto& [option, text] : words.numbers)
    if (!text.empty()) given.values[option] = number(text, option);
  words.command.outputs.snapshots = numbers(words.snapshots, "--snapshots");
  for (const auto& [option, text] : words.counts)
    if (!text.empty()) given.values[option] = whole_number(text, option);
  return words.command;
}

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// "a, b or c"
std::string one_of(const std::vector<std::string>& words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i)
    list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return list;
}

// CLI11's own words about a wrong command line are about its inner workings; ours are about what the user typed.
std::string complaint(const CLI::ParseError& e, const CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  const std::string first = argc > 1 ? argv[1] : "";
  if (first.empty() || first.front() == '-') return "say what to do: " + one_of(verbs) + "; see invar --help";
  if (std::find(verbs.begin(), verbs.end(), first) == verbs.end()) {
    const auto meant = nearest(first, verbs);
    return "unknown command \"" + first + "\"" + (meant ? "; did you mean \"" + *meant + "\"?" : "; see invar --help");
  }
  const CLI::App* verb = app.get_subcommand(first);
  if (const std::vector<std::string> left = verb->remaining(); !left.empty())
    return (left.front().front() == '-' ? "unknown option " : "too many words: ") + left.front() + "; see invar " +
           first + " --help";
  return one_line(e.what()) + "; see invar " + first + " --help";
}

}  // namespace

Parsed parse_command_line(int argc, const char* const* argv) {
  CLI::App app("Invar: motion and inputs of constrained mechanical systems", "invar");
  app.set_version_flag("--version", "invar " + program_version());
  app.require_subcommand(1);
  Words words;
  CLI::App* check = app.add_subcommand("check", "say what kind of problem a model is, without solving it");
  add_model_options(*check, words);
  add_setting_options(*check, simulate_task, words);
  check->add_flag("--matrices", words.command.matrices, "write the matrices at the start: M, G, B, P, S, S M⁻¹ Bᵀ");
  check->add_option("--out", words.command.out, "folder for the matrices (default out/<name>-matrices)");
  std::vector<std::pair<const CLI::App*, const Task*>> verbs;
  for (const Task* task : tasks()) {
    CLI::App* verb = app.add_subcommand(std::string(task->verb), std::string(task->help));
    add_model_options(*verb, words);
    add_result_options(*verb, words);
    add_setting_options(*verb, *task, words);
    verbs.emplace_back(verb, task);
  }
  CLI::App* report =
      app.add_subcommand("report", "the report of a result folder once more; several are compared in one page");
  report->add_option("FOLDER", words.command.folders, "folders with results, such as out/crane")->required();
  report->add_option("--out", words.command.out,
                     "the page (default report.html in the folder; of several comparison.html)");
  report->add_flag("--quiet", words.command.quiet, "print nothing but warnings and errors");
  app.add_subcommand("list", "list the bundled examples and the schemes");
  try {
    app.parse(argc, argv);
    for (const auto& [verb, task] : verbs)
      if (*verb) words.command.task = task;
    words.command.verb = *check               ? Verb::check
                         : words.command.task ? Verb::run_task
                         : *report            ? Verb::report
                                              : Verb::list;
    return {checked(words), {}, 0};
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    return {std::nullopt, chosen.empty() ? app.help() : chosen.front()->help("", CLI::AppFormatMode::Normal), 0};
  } catch (const CLI::CallForVersion& e) {
    return {std::nullopt, std::string(e.what()) + "\n", 0};
  } catch (const CLI::ParseError& e) {
    return {std::nullopt, "invar: " + complaint(e, app, argc, argv) + "\n", 1};
  } catch (const InputError& e) {
    return {std::nullopt, std::string("invar: ") + e.what() + "\n", 1};
  }
}

}  // namespace invar::app
