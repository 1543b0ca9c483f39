// The words of the command line as plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/read/read_problem.h"

namespace invar::app {

enum class Verb { check, simulate, invert, optimize, control, report, list };

struct CommandLine {
  Verb verb = Verb::list;
  std::string model;                     // file, or name of a bundled example
  std::vector<std::string> folders;      // of results, for report
  std::string out;                       // empty: out/<name>
  Overrides overrides;                   // --set
  std::optional<double> step, until;     // replace those of the file
  std::optional<int> intervals, refine;  // likewise
  std::string method;                    // likewise, if not empty
  std::string formulation;               // likewise
  bool quiet = false;
  bool json = false;
  bool report = true;
  bool svg = false, png = false;
  std::vector<double> snapshots;  // times of still pictures; none: five of them
  bool verify = true;             // of an inversion, by simulation
};

// What to do, or the text to print and the exit status: help, version, or one line about what is wrong.
struct Parsed {
  std::optional<CommandLine> command;
  std::string text;
  int status = 0;
};

Parsed parse_command_line(int argc, const char* const* argv);

}  // namespace invar::app
