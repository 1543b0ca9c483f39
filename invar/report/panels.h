// What a plot shows: panels of curves, picked from a Trajectory by name or by what its columns are.
#pragma once

#include <string>
#include <vector>

#include "invar/record/trajectory.h"

namespace invar {

struct Curve {
  std::string name;   // in full
  std::string label;  // within its panel
  std::vector<double> y;
};

struct Panel {
  std::string title;
  std::vector<Curve> curves;
};

// The named columns. An InputError names a column that does not exist.
Panel named_panel(const Trajectory& trajectory, const std::string& title, const std::vector<std::string>& columns);

// Coordinates (columns x that have a column x'), inputs and outputs in panels of at most four, energies, their relative
// change, the change of other invariants, and the drift off the constraints.
std::vector<Panel> default_panels(const Trajectory& trajectory);

}  // namespace invar
