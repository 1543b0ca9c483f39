// A motion as things to look at: bodies, points, lines, springs, beams and arrows at the times of some frames.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/model/problem/problem.h"
#include "invar/record/trajectory.h"

namespace invar {

// A section force at the points of a member.
struct SceneForce {
  std::string name, unit;
  std::vector<double> values;     // frame by frame
  std::vector<double> low, high;  // of each point in all of the motion
};

// What its colours show: one section force, or the length of the vector of some.
struct MemberColour {
  std::string title, unit;
  std::vector<std::string> forces;
  bool signless;
  double low, high;  // in all of the motion
};

// A beam or string: its places are those of its nodes, joined smoothly.
struct SceneMember {
  std::vector<double> nodes = {}, points = {};  // arc lengths, of the latter where section forces are known
  std::vector<double> radii = {}, sides = {};   // of its sections, as MemberLine has them
  bool is_string = false;
  std::vector<SceneForce> forces = {};
  std::optional<MemberColour> colour = {};
};

struct SceneItem {
  enum class Kind { body, point, line, spring, circle, joint, arrow, trace, member };
  Kind kind = Kind::point;
  std::string name = {};
  std::string role = {};            // of a line: cable, link, ground; of an arrow: force, torque; of a joint: its type
  std::size_t count = 1;            // places per frame
  std::vector<double> places = {};  // frame by frame; one frame only if it stands still
  // Rotation of a body (quaternion w x y z, in the plane an angle), vector of an arrow, axis of a joint, radius of a
  // circle, the path that a trace shall follow, the first directions d1 of rectangular sections in space.
  std::vector<double> details = {};
  Shape shape = {};
  SceneMember member = {};
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
