// How well a scene that is interpolated between its frames follows the motion: places along straight lines, rotations
// the shorter way.
#pragma once

#include "invar/report/scene/frames.h"
#include "invar/report/scene/scene.h"

namespace invar {

// The largest distance of a probe of `frames` from the line between the frames beside it, relative to the room that the
// motion takes; rotations count by their angle, a radian as a quarter of the room. The scene is that of the frames with
// their probes.
double departure(const Scene& scene, const Frames& frames);

}  // namespace invar
