// The folder that a run leaves behind, and the formats in which it is written.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/result_rows.h"
#include "invar/model/problem/problem.h"
#include "invar/record/result_folder.h"
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
  bool usual = true;  // written unless the option is given
  void (*write)(const Run& run, ResultFolder& results) = nullptr;
};

// In the order in which they are written. To add one is to add a line.
std::span<const OutputFormat> output_formats();

// Fills the folder and puts it in its place. InputError if it cannot be written.
void write_results(const OutputFormat::Run& run, ResultFolder& results);

}  // namespace invar::app
