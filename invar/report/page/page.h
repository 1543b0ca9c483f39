// report.html: one page with the verdict, the figures, plots and the motion of a run, or several runs side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/model/problem/problem.h"
#include "invar/record/summary.h"
#include "invar/record/trajectory.h"

namespace invar {

struct ReportedRun {
  const Problem& problem;
  const Summary& summary;
  const Trajectory& trajectory;
  const Trajectory* costates = nullptr;  // of optimal control, with the Hamiltonian
  std::string model_text;                // the file, to be shown at the end
  std::vector<double> snapshots = {};    // times of still pictures to be shown in the animation
  const Trajectory* table = nullptr;     // report_table() of these, if it is there already
  const Trajectory* even = nullptr;      // rows at equal distances, where the trajectory is a sample
  std::string documentation = {};        // the address of its pages, which explanations link to
};

// The page, complete in itself.
std::string report_page(const ReportedRun& run);

// A run as its folder has it.
struct StoredRun {
  std::string name;     // of the folder
  std::string summary;  // text of summary.json
  Trajectory trajectory;
  std::string page = {};  // text of report.html, empty if there is none
};

// Several runs in one page: what tells them apart, their curves and motions over each other. If they differ in their
// step, the difference of each to the finest is plotted against it. InputError if there is nothing in common to
// compare.
std::string comparison_page(const std::vector<StoredRun>& runs);

// The report of one run from its folder: the one it has, in the page of this version, or one made from the table,
// without an animation.
std::string stored_page(const StoredRun& run);

// The page with this data in it: no text of the data can end the script it stands in.
std::string filled_template(const std::string& json);
// The data of a page that was filled so; empty if there is none.
std::string_view data_of_page(std::string_view page);

}  // namespace invar
