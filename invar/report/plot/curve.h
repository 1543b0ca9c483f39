// A polyline for a plot: thinned so that it looks the same at the resolution of the picture, however long the data.
#pragma once

#include <span>
#include <string>

#include "invar/report/plot/axis.h"

namespace invar {

// A rectangle of the picture.
struct PlotArea {
  double x = 0.0, y = 0.0, width = 0.0, height = 0.0;
};

// Lines are drawn in a group scaled by 1/10, so that their numbers are short integers.
inline constexpr double units_per_pixel = 10.0;

// SVG path data. Of the rows that share one of `buckets` strips of the frame, the first, lowest, highest and last are
// kept (U. Jugel et al., M4, Proc. VLDB 7 (2014) 797-808). Values that are not finite break the line.
std::string curve_path(std::span<const double> x, std::span<const double> y, const Axis& x_axis, const Axis& y_axis,
                       const PlotArea& frame, int buckets);

}  // namespace invar
