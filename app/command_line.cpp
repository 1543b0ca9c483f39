// See command_line.h; the only file that knows CLI11.
#include "app/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "invar/base/error.h"
#include "invar/base/nearest.h"
#include "invar/expr/parse.h"
#include "invar/record/summary.h"

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

// Nothing if there is no text.
std::optional<int> whole_number(const std::string& text, const std::string& what) {
  if (text.empty()) return std::nullopt;
  constexpr double most = 1e9;
  const double count = number(text, what);
  if (count != std::floor(count) || std::abs(count) > most)
    throw InputError(what + ": \"" + text + "\" is not a whole number");
  return static_cast<int>(count);
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
  std::string step, until, intervals, refine, snapshots;
};

void add_model_options(CLI::App& app, Words& words) {
  app.add_option("MODEL", words.command.model, "model file (.toml), or the name of a bundled example")->required();
  app.add_option("--set", words.sets, "name=value: another value for a parameter; may be repeated")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  app.add_option("--method", words.command.method, "scheme, see invar list");
  app.add_option("--formulation", words.command.formulation,
                 "coordinates for a model of bodies: director, minimal or lie");
  app.add_flag("--json", words.command.json, "print the summary as JSON");
}

void add_time_options(CLI::App& app, Words& words) {
  app.add_option("--step", words.step, "time step in seconds");
  app.add_option("--until", words.until, "end time in seconds");
}

void add_result_options(CLI::App& app, Words& words) {
  app.add_option("--out", words.command.out, "folder for the results (default out/<name>)");
  app.add_flag("--quiet", words.command.quiet, "print nothing but warnings and errors");
  app.add_flag("--svg", words.command.svg, "plot.svg and snapshots.svg even with --no-report");
  app.add_flag("--png", words.command.png, "the pictures also as PNG (needs rsvg-convert)");
  app.add_option("--snapshots", words.snapshots, "times of still pictures, such as 0,0.5,1 (default: five)");
  app.add_flag(
      "--no-report", [&](std::int64_t) { words.command.report = false; }, "no page and no pictures, only the numbers");
}

CommandLine checked(Words words) {
  for (const std::string& set : words.sets) words.command.overrides.push_back(assignment(set));
  if (!words.step.empty()) words.command.step = number(words.step, "--step");
  if (!words.until.empty()) words.command.until = number(words.until, "--until");
  words.command.snapshots = numbers(words.snapshots, "--snapshots");
  words.command.intervals = whole_number(words.intervals, "--intervals");
  words.command.refine = whole_number(words.refine, "--refine");
  return words.command;
}

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// CLI11's own words about a wrong command line are about its inner workings; ours are about what the user typed.
std::string complaint(const CLI::ParseError& e, const CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  const std::string first = argc > 1 ? argv[1] : "";
  if (first.empty() || first.front() == '-')
    return "say what to do: check, simulate, invert, optimize, control, report or list; see invar --help";
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
  CLI::App* simulate = app.add_subcommand("simulate", "compute the motion of a model");
  add_model_options(*simulate, words);
  add_result_options(*simulate, words);
  CLI::App* invert = app.add_subcommand("invert", "compute the inputs that make the outputs follow their trajectories");
  add_model_options(*invert, words);
  add_result_options(*invert, words);
  invert->add_flag(
      "--no-verify", [&](std::int64_t) { words.command.verify = false; }, "no simulation with the computed inputs");
  CLI::App* optimize = app.add_subcommand("optimize", "compute the inputs that reach a goal at the least cost");
  add_model_options(*optimize, words);
  add_result_options(*optimize, words);
  optimize->add_option("--intervals", words.intervals, "number of time steps");
  optimize->add_option("--refine", words.refine,
                       "so many meshes, each twice as fine as the one before, and the limit of their costs");
  CLI::App* control =
      app.add_subcommand("control", "simulate a plant together with a controller that follows the trajectories");
  add_model_options(*control, words);
  add_result_options(*control, words);
  for (CLI::App* verb : {check, simulate, invert, control}) add_time_options(*verb, words);
  CLI::App* report =
      app.add_subcommand("report", "the report of a result folder once more; several are compared in one page");
  report->add_option("FOLDER", words.command.folders, "folders with results, such as out/crane")->required();
  report->add_option("--out", words.command.out,
                     "the page (default report.html in the folder; of several comparison.html)");
  report->add_flag("--quiet", words.command.quiet, "print nothing but warnings and errors");
  app.add_subcommand("list", "list the bundled examples and the schemes");
  try {
    app.parse(argc, argv);
    words.command.verb = *check      ? Verb::check
                         : *simulate ? Verb::simulate
                         : *invert   ? Verb::invert
                         : *optimize ? Verb::optimize
                         : *control  ? Verb::control
                         : *report   ? Verb::report
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
