// A Trajectory as one SVG picture of small panels: a still that any browser or document shows, without scripts.
#pragma once

#include <string>
#include <vector>

#include "invar/record/trajectory.h"
#include "invar/report/plot/panels.h"

namespace invar {

struct PlotOptions {
  std::string title;
  std::vector<PlotPanel> panels;  // empty: all columns, four in each
  std::string x = "t";            // column along the horizontal axes; the first one if there is no such column
  std::string x_label = "t [s]";
  bool log_x = false, log_y = false;  // logarithmic axes; values that are not positive are left out
  double panel_height = 150.0;        // of the curves, in pixels
};

// The same data give the same text. At most 200 kB: long data are thinned, and panels beyond 16 are left out, which the
// picture then says. An InputError names a column that does not exist.
std::string plot_svg(const Trajectory& trajectory, const PlotOptions& options = {});

}  // namespace invar
