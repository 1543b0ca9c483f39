// See scene.h.
#include "invar/report/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/report/formula_scene.h"
#include "invar/report/mechanism_scene.h"

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

// The largest distance of a place from the straight line between its neighbours in time, relative to the room that the motion takes.
double departure(const Scene& scene) {
  const std::size_t frames = scene.time.size();
  double least = std::numeric_limits<double>::infinity(), most = -least, far = 0.0;
  for (const SceneItem& item : scene.items) {
    if (item.places.empty() || item.places.size() % frames != 0) continue;
    const std::size_t width = item.places.size() / frames;
    for (std::size_t i = 0; i < item.places.size(); ++i) {
      const double x = item.places[i];
      least = std::min(least, x);
      most = std::max(most, x);
      if (i < width || i + width >= item.places.size()) continue;
      const std::size_t k = i / width;
      const double s = (scene.time[k] - scene.time[k - 1]) / (scene.time[k + 1] - scene.time[k - 1]);
      const double d = std::abs((1.0 - s) * item.places[i - width] + s * item.places[i + width] - x);
      if (std::isfinite(d)) far = std::max(far, d);
    }
  }
  return most > least ? far / (most - least) : 0.0;
}

std::size_t numbers_per_frame(const Scene& scene) {
  std::size_t numbers = 0;
  for (const SceneItem& item : scene.items) numbers += item.places.size() + item.details.size();
  return numbers / std::max<std::size_t>(1, scene.time.size()) + 1;
}

}  // namespace

Scene make_scene(const Problem& given, const Trajectory& motion, const SceneOptions& options) {
  if (motion.rows() == 0) return {};
  const Problem& problem = given.plant ? *given.plant : given;
  constexpr std::size_t usual = 240, most = 2400, numbers = 300000;
  // Between every second frame straight lines are four times as far off as between all of them: one part in a hundred is not seen.
  constexpr double unseen = 0.04;
  const double start = motion.row(0)[0], last = motion.row(motion.rows() - 1)[0];
  double end = last;
  std::size_t count = usual;
  Scene scene = scene_of(problem, Frames(motion, count, end, options.times));
  while (scene.time.size() >= count && departure(scene) > unseen) {
    if (2 * count <= most && 2 * count * numbers_per_frame(scene) <= numbers)
      count *= 2;
    else if (options.whole)
      break;
    else
      end = start + 0.5 * (end - start);
    scene = scene_of(problem, Frames(motion, count, end, options.times));
  }
  if (end < last) scene.note = fmt::format("The first {:.3g} of {:.4g} s", end - start, last - start);
  return scene;
}

}  // namespace invar
