// The commands and their options, once, as data: by this table the command line is read, helped with, completed and
// documented. To add a command or an option is to add a row of command_table.cpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "invar/task/run/task.h"

namespace invar::app {

struct CommandLine;

// What a word of the command line can be, for completion and near misses.
enum class Words { any, model, folder, file, scheme, formulation, format, task, kind, shell, topic, sampling, device };

struct Option {
  std::string name;   // "--step"
  std::string value;  // that it takes, "H"; empty: it takes none
  std::string help;   // in one line
  std::function<void(CommandLine& line, const std::string& value)> take;
  Words words = Words::any;
  bool repeats = false;
};

struct Command {
  std::string verb, help;           // "simulate", and what it does in one line
  std::string arguments = {};       // "MODEL" or "FOLDER …"; in brackets if it can be left out
  std::size_t least = 0, most = 0;  // how many of them
  Words words = Words::any;         // what they are
  std::vector<Option> options = {};
  std::string about = {};  // further paragraphs, for help and manual
  int (*run)(const CommandLine& line) = nullptr;
  const Task* task = nullptr;
};

const std::vector<Command>& commands();
const Command* find_command(std::string_view verb);
const Option* find_option(const Command& command, std::string_view name);

// The words that there are of this kind; none if any will do.
std::vector<std::string> known_words(Words words);

inline constexpr std::string_view program_summary = "motion and inputs of constrained mechanical systems";

}  // namespace invar::app
