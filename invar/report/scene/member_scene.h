// Section forces of a beam or string in a scene, and the smooth line through its nodes.
#pragma once

#include <vector>

#include "invar/model/mechanism/member_line.h"
#include "invar/report/scene/frames.h"
#include "invar/report/scene/scene.h"

namespace invar {

SceneMember scene_member(const std::string& name, const MemberLine& line, const Frames& frames);

// Members whose colours show the same quantity get one range of it.
void share_colours(Scene& scene);

// A place of its axis in one frame.
struct MemberPlace {
  Vector3 at, normal;  // the latter zero if it has none
  double share;        // of the range of its colour, 0 … 1; NaN without one
};

// About so many, all nodes among them, joined by cubics whose slopes at a node are those of the parabola through it and
// its neighbours.
std::vector<MemberPlace> places_along(const SceneItem& item, int dimension, std::size_t frame, std::size_t about);

}  // namespace invar
