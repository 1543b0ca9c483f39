// The motion at a few instants in one SVG picture, faint first and dark last, as figures in papers show it; without a browser.
#pragma once

#include <string>

#include "invar/report/scene.h"

namespace invar {

struct SnapshotOptions {
  std::string title = {};
  int instants = 5;
  double width = 640.0, height = 480.0;
};

// Scenes in space are seen from the side and above, without perspective. Empty if the scene is.
std::string snapshots_svg(const Scene& scene, const SnapshotOptions& options = {});

}  // namespace invar
