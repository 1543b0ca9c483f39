// What a plot shows: panels of curves, picked from a Trajectory by name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/record/trajectory.h"

namespace invar {

struct PlotPanel {
  std::string title;  // empty: after the columns, if they share a body
  std::vector<std::string> columns;
  std::vector<std::string> references = {};  // what the columns shall be, in their order: dashed in the same colours
};

struct Curve {
  std::string name;   // in full
  std::string label;  // within its panel
  std::vector<double> y;
  std::optional<std::size_t> reference_of = {};  // the curve that this one is wanted of
};

struct Panel {
  std::string title;
  std::vector<Curve> curves;
};

// The named columns. An InputError names a column that does not exist.
Panel named_panel(const Trajectory& trajectory, const std::string& title, const std::vector<std::string>& columns);

// Columns in panels of at most four, a new one where the body changes: "load.x" and "load.y" are called after it.
std::vector<PlotPanel> in_panels(const std::vector<std::string>& columns, const std::string& title = {},
                                 const std::string& unit = {});

}  // namespace invar
