// A motion as things to look at: bodies, points, lines, springs and arrows at the times of some frames.
#pragma once

#include <string>
#include <vector>

#include "invar/model/problem/problem.h"
#include "invar/record/trajectory.h"

namespace invar {

struct SceneItem {
  enum class Kind { body, point, line, spring, circle, joint, arrow, trace };
  Kind kind = Kind::point;
  std::string name = {};
  std::string role = {};            // of a line: cable, link, ground; of an arrow: force, torque; of a joint: its type
  std::size_t count = 1;            // places per frame
  std::vector<double> places = {};  // frame by frame; one frame only if it stands still
  // Rotation of a body (quaternion w x y z, in the plane an angle), vector of an arrow, axis of a joint, radius of a
  // circle, the path that a trace shall follow.
  std::vector<double> details = {};
  Shape shape = {};
};

struct Scene {
  int dimension = 2;      // numbers of a place
  std::string axes = {};  // letters of its axes, if not x, y, z
  std::string note = {};  // what is to be known about it
  bool held = false;      // the frames are too few for what happens between them: each stays until the next
  std::vector<double> up = {0.0, 0.0, 1.0};
  std::vector<double> time;
  std::vector<SceneItem> items;
};

}  // namespace invar
