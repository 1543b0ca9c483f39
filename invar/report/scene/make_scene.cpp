// See make_scene.h.
#include "invar/report/scene/make_scene.h"

#include <fmt/format.h>

#include <algorithm>

#include "invar/report/scene/departure.h"
#include "invar/report/scene/formula_scene.h"
#include "invar/report/scene/mechanism_scene.h"

namespace invar {

namespace {

Scene scene_of(const Problem& problem, const Frames& frames) {
  Scene scene;
  scene.time = frames.column("t");
  if (problem.mechanism) {
    add_mechanism(problem, frames, scene);
    add_traces(problem, frames, scene);
  } else {
    add_drawing(problem, frames, scene);
  }
  return scene;
}

// Whether smooth curves through the frames miss what happens between them by more than one part in a hundred of the
// room it takes.
bool misses(const Problem& problem, const Frames& frames) {
  constexpr double unseen = 0.01;
  const Frames probed = frames.with_probes();
  return probed.count() > frames.count() && departure(scene_of(problem, probed), probed) > unseen;
}

std::size_t numbers_per_frame(const Scene& scene) {
  std::size_t numbers = 0;
  for (const SceneItem& item : scene.items) {
    numbers += item.places.size() + item.details.size();
    for (const SceneForce& force : item.member.forces) numbers += force.values.size();
  }
  return numbers / std::max<std::size_t>(1, scene.time.size()) + 1;
}

std::string with_commas(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

void hold(Scene& scene, std::size_t rows) {
  scene.held = true;
  scene.note += fmt::format("{}{} of {} instants, nothing in between", scene.note.empty() ? "" : " · ",
                            with_commas(scene.time.size()), with_commas(rows));
}

}  // namespace

Scene make_scene(const Problem& given, const Trajectory& motion, const SceneOptions& options) {
  if (motion.rows() == 0) return {};
  const Problem& problem = given.plant ? *given.plant : given;
  constexpr std::size_t usual = 240, few = 60, numbers = 800000;
  std::size_t count = usual;
  Frames frames(motion, count, options.times);
  Scene scene = scene_of(problem, frames);
  if (const std::size_t fit = 2 * numbers / numbers_per_frame(scene); fit < count) {
    count = std::max(few, fit);
    frames = Frames(motion, count, options.times);
    scene = scene_of(problem, frames);
  }
  while (misses(problem, frames)) {
    if (2 * count > options.most || 2 * count * numbers_per_frame(scene) > numbers) {
      scene = scene_of(problem, Frames(motion, count, options.times, Frames::Spread::uneven));
      hold(scene, std::max(motion.rows(), options.recorded));
      break;
    }
    count *= 2;
    frames = Frames(motion, count, options.times);
    scene = scene_of(problem, frames);
  }
  return scene;
}

}  // namespace invar
