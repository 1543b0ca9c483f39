// The drawing of a system of formulas in a scene. Only make_scene.cpp includes it.
#pragma once

#include "invar/report/scene/frames.h"
#include "invar/report/scene/scene.h"

namespace invar {

void add_drawing(const Problem& problem, const Frames& frames, Scene& scene);

}  // namespace invar
