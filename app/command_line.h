// The words of the command line as plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/results/results.h"
#include "invar/model/problem/overrides.h"
#include "invar/sweep/case_queue.h"
#include "invar/task/run/task.h"
#include "invar/task/sweep/sweep_settings.h"

namespace invar::app {

struct Command;

// What is said in place of [sweep].
struct GivenSweep {
  std::string task, cases, sampling, device;  // empty if it says nothing
  std::vector<SweepSettings::Varied> over;
  std::vector<std::string> record;
  std::optional<std::uint64_t> samples, seed;
  std::optional<double> limit, memory;
  std::optional<std::size_t> reports;  // of single cases
  std::size_t threads = 0;             // 0: as many as the machine has cores
  std::optional<SweepPart> part;
  bool merge = false;
};

struct CommandLine {
  const Command* command = nullptr;    // what to do
  const Task* task = nullptr;          // to be run
  std::string model;                   // file, name of a bundled example, or - for standard input
  std::vector<std::string> arguments;  // of commands without a model
  std::string out;                     // empty: out/<name>
  Overrides overrides;                 // --set
  GivenSettings given;                 // in place of settings of the file
  std::string formulation;             // likewise, if not empty
  OutputChoice outputs;
  bool allow_outside = false;  // data files that are not below the model
  bool quiet = false;
  bool json = false;
  bool matrices = false;     // of check: write them
  bool compile = true;       // formulas of long runs to machine code
  bool resume = false;       // go on with the run that was interrupted
  double checkpoint = 60.0;  // seconds between two of them
  GivenSweep sweep;
  std::vector<std::uint64_t> cases;  // of report: to be run once more
  std::string kind;                  // of init: the model to start from
  bool markdown = false;             // of manual
  std::string task_name;             // of watch; empty: the one that the model is made for
  bool open = false;                 // of watch: the page in a browser
};

// What to do, or the text to print and the exit status: help, version, or one line about what is wrong.
struct Parsed {
  std::optional<CommandLine> command;
  std::string text;
  int status = 0;
};

Parsed parse_command_line(int argc, const char* const* argv);

}  // namespace invar::app
