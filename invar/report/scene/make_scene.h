// The scene of a motion.
#pragma once

#include <cstddef>
#include <vector>

#include "invar/model/problem/problem.h"
#include "invar/record/trajectory.h"
#include "invar/report/scene/scene.h"

namespace invar {

struct SceneOptions {
  std::vector<double> times = {};  // of the motion that must be among the frames, to the nearest row
  std::size_t recorded = 0;        // rows of which the motion is a sample, if it is one
  std::size_t most = 40000;        // frames
};

// From the columns of a result; of a closed loop the plant is drawn, since it is what moves. A system of formulas is
// drawn as the file says or, if it says nothing, by what the names of coordinates suggest: x1, z1 are a point, and a
// constraint between two points a line.
//
// The frames are rows of the motion from its begin to its end, as many as smooth curves through them need to follow
// it, within what a page can hold: if these are not enough they are held, which the note says.
Scene make_scene(const Problem& problem, const Trajectory& motion, const SceneOptions& options = {});

}  // namespace invar
