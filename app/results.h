// The folder that a run leaves behind.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/model/problem/problem.h"
#include "invar/record/summary.h"
#include "invar/record/trajectory.h"

namespace invar::app {

// What a task leaves behind.
struct Outcome {
  Trajectory trajectory;
  Summary summary;
  std::optional<Trajectory> inputs, costates;  // for files of their own
};

struct Pictures {
  bool report = true;                  // the page, plot and snapshots
  bool svg = false;                    // plot and snapshots even without the page
  bool png = false;                    // plot and snapshots also so
  std::vector<double> snapshots = {};  // their times; five of them if none are given
};

// Tables and summary, with the report and pictures if they are wanted. InputError if it cannot be written.
void write_results(const Problem& problem, const Outcome& outcome, const std::string& folder, const Pictures& pictures);

}  // namespace invar::app
