// Bodies, joints, cables, springs, beams and strings of a mechanism in a scene. Only make_scene.cpp includes it.
#pragma once

#include "invar/report/scene/frames.h"
#include "invar/report/scene/scene.h"

namespace invar {

void add_mechanism(const Problem& problem, const Frames& frames, Scene& scene);
// Outputs that are points, with the paths that they shall follow.
void add_traces(const Problem& problem, const Frames& frames, Scene& scene);

}  // namespace invar
