// See scene.h.
#include "invar/report/scene.h"

#include "invar/report/formula_scene.h"
#include "invar/report/mechanism_scene.h"

namespace invar {

Scene make_scene(const Problem& problem, const Trajectory& motion, std::size_t most_frames) {
  Scene scene;
  if (motion.rows() == 0) return scene;
  const Frames frames(motion, most_frames);
  scene.time = frames.column("t");
  if (problem.mechanism) {
    add_mechanism(problem, frames, scene);
    add_traces(problem, frames, scene);
  } else {
    add_drawing(problem, frames, scene);
  }
  return scene;
}

}  // namespace invar
