// How well a scene that is interpolated between its frames follows the motion: places and rotations along the cubics
// through four frames that the page draws.
#pragma once

#include "invar/report/scene/frames.h"
#include "invar/report/scene/scene.h"

namespace invar {

// The largest distance of a probe of `frames` from the curve through the frames around it, relative to the room that
// the motion takes; rotations count by their angle, a radian as a quarter of the room. The scene is that of the frames
// with their probes.
double departure(const Scene& scene, const Frames& frames);

}  // namespace invar
