// The motion at a few instants in one SVG picture, faint first and dark last, as figures in papers show it; without a
// browser.
#pragma once

#include <string>
#include <vector>

#include "invar/report/scene/scene.h"

namespace invar {

struct SnapshotOptions {
  std::string title = {};  // and times, above; nothing is written if it is empty
  std::vector<double> times =
      {};  // the nearest frames are shown; first and last if none are given, of a motion five of them
  double width = 640.0, height = 480.0;
};

// Empty if the scene is.
std::string snapshots_svg(const Scene& scene, const SnapshotOptions& options = {});
// Of a motion: with its times among the frames.
std::string snapshots_svg(const Problem& problem, const Trajectory& motion, SnapshotOptions options = {});

}  // namespace invar
