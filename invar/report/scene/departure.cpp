// See departure.h.
#include "invar/report/scene/departure.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace invar {

namespace {

constexpr double radian = 0.25;  // of the room

double largest(double a, double b) { return std::isfinite(b) ? std::max(a, b) : a; }

struct Between {
  std::size_t before, probe, after;
  double part;  // of the way

  Between(const Scene& scene, std::size_t k) : before(k - 1), probe(k), after(k + 1) {
    const double span = scene.time[after] - scene.time[before];
    part = span > 0.0 ? (scene.time[probe] - scene.time[before]) / span : 0.0;
  }
};

double off_line(const std::vector<double>& places, std::size_t width, const Between& b) {
  double far = 0.0;
  for (std::size_t i = 0; i < width; ++i) {
    const double from = places[b.before * width + i], to = places[b.after * width + i];
    far = largest(far, std::abs(from + b.part * (to - from) - places[b.probe * width + i]));
  }
  return far;
}

double off_turn(const std::vector<double>& angles, const Between& b) {
  const auto shorter = [](double angle) { return std::remainder(angle, 2.0 * std::numbers::pi); };
  return std::abs(shorter(angles[b.before] + b.part * shorter(angles[b.after] - angles[b.before]) - angles[b.probe]));
}

double off_rotation(const std::vector<double>& quaternions, const Between& b) {
  const auto at = [&](std::size_t k) {
    const double* q = &quaternions[4 * k];
    return Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
  };
  return at(b.before).slerp(b.part, at(b.after)).angularDistance(at(b.probe));
}

// Zero if it stands still.
double off_way(const SceneItem& item, std::size_t frames, const Between& b, double room) {
  double far = 0.0;
  if (item.places.size() >= frames) far = off_line(item.places, item.places.size() / frames, b) / room;
  if (item.kind != SceneItem::Kind::body) return far;
  if (item.details.size() == frames) far = largest(far, radian * off_turn(item.details, b));
  if (item.details.size() == 4 * frames) far = largest(far, radian * off_rotation(item.details, b));
  return far;
}

double room_of(const Scene& scene) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const SceneItem& item : scene.items)
    for (const double x : item.places)
      if (std::isfinite(x)) least = std::min(least, x), most = std::max(most, x);
  return most > least ? most - least : 1.0;
}

}  // namespace

double departure(const Scene& scene, const Frames& frames) {
  const std::size_t count = scene.time.size();
  const double room = room_of(scene);
  double far = 0.0;
  for (std::size_t k = 1; k + 1 < count; ++k)
    if (frames.is_probe(k))
      for (const SceneItem& item : scene.items) far = largest(far, off_way(item, count, Between(scene, k), room));
  return far;
}

}  // namespace invar
