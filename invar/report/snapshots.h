// The motion at a few instants in one SVG picture, faint first and dark last, as figures in papers show it; without a browser.
#pragma once

#include <string>
#include <vector>

#include "invar/report/scene.h"

namespace invar {

struct SnapshotOptions {
  std::string title = {};          // and times, above; nothing is written if it is empty
  std::vector<double> times = {};  // the nearest frames are shown; five from the first to the last if none are given
  double width = 640.0, height = 480.0;
};

// Empty if the scene is.
std::string snapshots_svg(const Scene& scene, const SnapshotOptions& options = {});

}  // namespace invar
