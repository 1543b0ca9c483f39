// See topics.h.
#include "app/topics.h"

#include <algorithm>

#include "app/examples.h"
#include "app/words/command.h"
#include "app/words/help.h"
#include "app/words/key_topics.h"
#include "app/words/model_kinds.h"
#include "invar/base/error.h"
#include "invar/base/message.h"
#include "invar/expr/foreign_words.h"
#include "invar/expr/op_names.h"
#include "invar/scheme/scheme.h"

namespace invar::app {

namespace {

// A kind of topics: which there are, and what is said about one; nothing if it is none.
struct Shelf {
  std::vector<std::string> (*names)();
  std::string (*about)(const std::string& name);
};

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.push_back(command.verb);
  return names;
}

std::string about_command(const std::string& name) {
  const Command* command = find_command(name);
  return command ? help_on(*command) : std::string();
}

std::vector<std::string> option_names() {
  std::vector<std::string> names;
  for (const Command& command : commands())
    for (const Option& option : command.options)
      if (std::ranges::find(names, option.name) == names.end()) names.push_back(option.name);
  return names;
}

// Options that say the same of several commands are told once.
std::string about_option(const std::string& name) {
  std::vector<std::pair<std::string, std::vector<std::string>>> sayings;
  for (const Command& command : commands()) {
    const Option* option = find_option(command, name.starts_with("-") ? name : "--" + name);
    if (option == nullptr) continue;
    const std::string said = shown_option(*option) + ": " + option->help;
    auto known = std::ranges::find(sayings, said, &decltype(sayings)::value_type::first);
    if (known == sayings.end()) known = sayings.insert(sayings.end(), {said, {}});
    known->second.push_back("invar " + command.verb);
  }
  std::string text;
  for (const auto& [said, verbs] : sayings) {
    std::string list;
    for (const std::string& verb : verbs) list += (list.empty() ? "" : ", ") + verb;
    text += wrapped(said) + wrapped("option of " + list, 2);
  }
  return text;
}

std::vector<std::string> scheme_names() { return known_words(Words::scheme); }

std::string about_scheme(const std::string& name) {
  const Scheme* scheme = find_scheme(name);
  if (scheme == nullptr) return {};
  const SchemeInfo& info = scheme->info;
  std::string text = std::string(info.name) + ": " + std::string(info.title) + ", order " + std::to_string(info.order);
  if (info.energy && info.momentum) text += "; keeps energy and momenta";
  if (!info.energy && info.momentum) text += "; keeps momenta";
  if (info.symmetric) text += "; symmetric in time";
  if (info.needs_mass) text += "; every coordinate needs a mass";
  if (info.open_chains) text += "; only for bodies in an open chain of joints";
  if (info.constant_mass) text += "; only for constant mass matrices and constraints at position level";
  text = wrapped(text);
  if (!info.synonym.empty()) text += wrapped("also known as " + std::string(info.synonym), 2);
  text += wrapped("source: " + std::string(info.source), 2);
  return text + wrapped("chosen by method = \"" + name + "\" under [simulate], or --method " + name, 2);
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const OpName& function : op_names) names.emplace_back(function.name);
  return names;
}

std::string about_function(const std::string& name) {
  const OpName* function = find_op(name);
  const std::string here = function ? std::string() : foreign_function(name);
  if (!here.empty()) return wrapped(name + " is what others call it" + here);
  if (function == nullptr) return {};
  return wrapped(std::string(function->usage) + ": a function in formulas; angles are in radians");
}

std::vector<std::string> example_names() { return known_words(Words::model); }

std::string about_example(const std::string& name) {
  for (const Example& example : bundled_examples())
    if (example.name == name)
      return wrapped(name + ", a bundled example: " + example.title) + wrapped("file: " + example.model.string(), 2) +
             wrapped("try invar check " + name, 2);
  return {};
}

std::string about_kind(const std::string& name) {
  const std::vector<std::string> kinds = model_kinds();
  if (std::ranges::find(kinds, name) == kinds.end()) return {};
  return wrapped(name + ", a model to start from: " + std::string(model_kind(name).help)) +
         wrapped("write it with invar new " + name, 2);
}

struct Part {
  std::string_view name, holds;
};

// The tables of a model file; docs/format.md tells their keys.
constexpr Part parts_of_a_file[] = {
    {"parameters", "constants for formulas; another value for one run: --set NAME=VALUE"},
    {"system", "a mechanical system by formulas: coordinates, energies, constraints, inputs, outputs"},
    {"reduce", "fewer coordinates for the same system"},
    {"initial", "where the motion starts"},
    {"world", "dimension and gravity"},
    {"body", "a rigid body"},
    {"point", "a body whose rotation does not matter"},
    {"joint", "what connects two bodies, or a body and the ground; with a coordinate, stiffness, damping"},
    {"cable", "a cable that does not stretch, over pulleys and winches"},
    {"beam", "a flexible beam"},
    {"string", "a heavy string"},
    {"spring", "a spring between two places"},
    {"bushing", "a spring in all directions"},
    {"force", "a force or torque on a body, given over time"},
    {"spin", "a body whose angular velocity is given over time"},
    {"actuator", "an input: a force or torque whose value is sought or given"},
    {"output", "what is recorded, and can be prescribed"},
    {"signal", "a function of time for formulas"},
    {"trajectory", "what outputs shall do over time"},
    {"plant", "how the plant differs from the model that the controller knows"},
    {"draw", "how a system of formulas looks in reports"},
    {"units", "units of a system of formulas"},
};

std::vector<std::string> part_names() {
  std::vector<std::string> names;
  for (const Part& part : parts_of_a_file) names.emplace_back(part.name);
  return names;
}

// Also as it stands in a file: [[joint]].
std::string about_part(const std::string& name) {
  const std::size_t first = name.find_first_not_of('[');
  const std::string bare = first > name.size() ? name : name.substr(first, name.find(']') - first);
  for (const Part& part : parts_of_a_file)
    if (part.name == bare)
      return wrapped(bare + ", a table of the model file: " + std::string(part.holds)) +
             wrapped("its keys: docs/format.md", 2);
  return {};
}

std::vector<std::string> status_names() {
  std::vector<std::string> names;
  for (const ExitStatus& status : exit_statuses) names.push_back(std::to_string(status.status));
  return names;
}

std::string about_status(const std::string& name) {
  for (const ExitStatus& status : exit_statuses)
    if (std::to_string(status.status) == name)
      return wrapped("exit status " + name + ": " + std::string(status.meaning));
  return {};
}

struct Page {
  std::string_view name;
  std::string (*text)();
};

std::string about_errors() {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const ExitStatus& status : exit_statuses)
    rows.emplace_back(std::to_string(status.status), std::string(status.meaning));
  return wrapped(
             "An error is one line on standard error that begins with its origin: FILE:LINE:COLUMN for what a model "
             "file says, FILE for what follows from it as a whole, invar for the command line. A warning begins with "
             "\"invar: warning\". The exit status tells how a run went:") +
         "\n" + two_columns(rows);
}

std::string about_formulas() {
  std::string functions;
  for (const OpName& function : op_names) functions += (functions.empty() ? "" : ", ") + std::string(function.usage);
  return wrapped(
      "Formulas stand in quotes: \"m*g*l*(1 - cos(phi))\". They have + - * / ^ and parentheses, numbers, the names of "
      "the model, pi, the time t where time matters, and x' for the velocity of x. Functions: " +
      functions +
      ". Wherever a number is expected, a formula of the parameters will do.\n\n"
      "All values are in SI units, without a unit behind them, and all angles in radians.");
}

constexpr Page pages[] = {{"errors", about_errors},
                          {"status", about_errors},
                          {"exit", about_errors},
                          {"formulas", about_formulas},
                          {"units", about_formulas}};

std::vector<std::string> page_names() {
  std::vector<std::string> names;
  for (const Page& page : pages) names.emplace_back(page.name);
  return names;
}

std::string about_page(const std::string& name) {
  for (const Page& page : pages)
    if (page.name == name) return page.text();
  return {};
}

constexpr Shelf shelves[] = {
    {command_names, about_command},   {option_names, about_option},   {scheme_names, about_scheme},
    {function_names, about_function}, {example_names, about_example}, {status_names, about_status},
    {part_names, about_part},         {model_kinds, about_kind},      {page_names, about_page},
    {key_names, about_key},
};

}  // namespace

std::vector<std::string> help_topics() {
  std::vector<std::string> topics;
  for (const Shelf& shelf : shelves)
    for (std::string& name : shelf.names())
      if (std::ranges::find(topics, name) == topics.end()) topics.push_back(std::move(name));
  return topics;
}

std::string help_about(const std::string& topic) {
  std::string text;
  for (const Shelf& shelf : shelves)
    if (const std::string found = shelf.about(topic); !found.empty()) text += (text.empty() ? "" : "\n") + found;
  if (!text.empty()) return text;
  if (const std::size_t space = topic.find(' '); space != topic.npos) {  // invar help exit status, help method rk4
    for (const std::string& word : {topic.substr(topic.rfind(' ') + 1), topic.substr(0, space)})
      for (const Shelf& shelf : shelves)
        if (const std::string found = shelf.about(word); !found.empty()) return found;
  }
  const std::string meant = suggestion(topic, help_topics());
  throw InputError("invar help: nothing is known about " + in_quotes(topic) +
                   (meant.empty() ? "; see invar --help" : meant));
}

}  // namespace invar::app
