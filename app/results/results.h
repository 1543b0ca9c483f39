// The folder that a run leaves behind, and the formats in which it is written.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/results/result_rows.h"
#include "invar/model/problem/problem.h"
#include "invar/record/folder/result_folder.h"
#include "invar/task/run/task.h"

namespace invar::app {

struct OutputFormat;

// Which formats are wanted: the usual ones, changed by options of the command line.
struct OutputChoice {
  std::set<std::string, std::less<>> options = {};     // that were given
  std::vector<double> snapshots = {};                  // times of still pictures; five of them if none are given
  std::string format = std::string(automatic_format);  // of the table

  bool wants(const OutputFormat& format) const;
};

struct OutputFormat {
  struct Run {
    const Problem& problem;
    const Outcome& outcome;
    const OutputChoice& choice;
    ResultRows& rows;  // some tasks have written them while they ran
  };
  std::string_view option = {};  // of the command line, that asks for it or leaves it out; none: it is always written
  std::string_view help = {};
  bool usual = true;        // written unless the option is given
  bool is_picture = false;  // of what the others have written
  void (*write)(const Run& run, ResultFolder& results) = nullptr;
};

// In the order in which they are written. To add one is to add a line.
std::span<const OutputFormat> output_formats();

// Fills the folder and puts it in its place. OutputError if it cannot be written; if only pictures and pages cannot,
// the folder stands there without them.
void write_results(
    const OutputFormat::Run& run, ResultFolder& results, const std::function<void()>& when_numbers_are_there = [] {});

// What stays of a run whose folder could not be written: its numbers, as far as they were kept in memory, in the place
// itself, where there may be room now, or among temporary files. The folder; nothing if there is no room anywhere.
std::optional<std::string> rescue(const OutputFormat::Run& run, const std::string& place, const std::string& reason);

}  // namespace invar::app
