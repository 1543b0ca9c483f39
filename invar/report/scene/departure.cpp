// See departure.h.
#include "invar/report/scene/departure.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace invar {

namespace {

constexpr double radian = 0.25;  // of the room

double largest(double a, double b) { return std::isfinite(b) ? std::max(a, b) : a; }

// dx/dt at a node by the parabola through it and its neighbours, as weights of these.
struct Slope {
  std::size_t first;
  std::array<double, 3> weights;
};
Slope slope_at(const std::vector<double>& t, std::size_t node) {
  const std::size_t b = std::clamp<std::size_t>(node, 1, t.size() - 2), a = b - 1, c = b + 1;
  const double before = 1.0 / (t[b] - t[a]), after = 1.0 / (t[c] - t[b]);
  const double bend = (2.0 * t[node] - t[a] - t[b]) / (t[c] - t[a]);
  return {a, {-before + bend * before, before - bend * (after + before), bend * after}};
}

// A probe between two frames, and what the frames around it count for in the cubic that the page draws between them
// (viewer/src/scene/track.ts): its slopes are those of parabolas.
struct Between {
  std::size_t probe, before, after;
  double part;                      // of the way
  std::vector<std::size_t> frames;  // of the cubic; none where there are too few
  std::vector<double> weights;

  Between(const Scene& scene, const std::vector<std::size_t>& kept, std::size_t place, std::size_t inside)
      : probe(inside), before(kept[place]), after(kept[place + 1]) {
    const double span = scene.time[after] - scene.time[before];
    part = span > 0.0 ? (scene.time[probe] - scene.time[before]) / span : 0.0;
    const std::size_t count = std::min<std::size_t>(4, kept.size());
    const std::size_t first = std::min(place > 0 ? place - 1 : 0, kept.size() - count);
    std::vector<double> t;
    for (std::size_t i = 0; i < count; ++i) t.push_back(scene.time[kept[first + i]]);
    if (count < 3 || std::ranges::adjacent_find(t, std::greater_equal()) != t.end()) return;
    frames.assign(kept.begin() + static_cast<std::ptrdiff_t>(first),
                  kept.begin() + static_cast<std::ptrdiff_t>(first + count));
    weights.assign(count, 0.0);
    const std::size_t n = place - first;
    const double x = part, y = 1.0 - x;
    weights[n] += y * y * (1.0 + 2.0 * x);
    weights[n + 1] += x * x * (1.0 + 2.0 * y);
    const auto add = [&](std::size_t node, double weight) {
      const Slope slope = slope_at(t, node);
      for (std::size_t i = 0; i < slope.weights.size(); ++i) weights[slope.first + i] += weight * slope.weights[i];
    };
    add(n, x * y * y * span);
    add(n + 1, -x * x * y * span);
  }
};

// A number of each frame at the probe.
template <class Value>
double seen(const Between& b, const Value& value) {
  double sum = 0.0;
  for (std::size_t i = 0; i < b.frames.size(); ++i) sum += b.weights[i] * value(b.frames[i]);
  return b.frames.empty() || !std::isfinite(sum) ? value(b.before) + b.part * (value(b.after) - value(b.before)) : sum;
}

double off_curve(const std::vector<double>& places, std::size_t width, const Between& b) {
  double far = 0.0;
  for (std::size_t i = 0; i < width; ++i)
    far = largest(
        far, std::abs(seen(b, [&](std::size_t k) { return places[k * width + i]; }) - places[b.probe * width + i]));
  return far;
}

double shorter(double angle) { return std::remainder(angle, 2.0 * std::numbers::pi); }

double off_turn(const std::vector<double>& angles, const Between& b) {
  const double here = angles[b.before];
  // Turned on from frame to frame by the shorter way, beginning with the one before.
  const auto turned = [&](std::size_t k) {
    double angle = here;
    const auto from = std::ranges::find(b.frames, b.before), to = std::ranges::find(b.frames, k);
    if (from == b.frames.end() || to == b.frames.end()) return here + shorter(angles[k] - here);
    for (auto i = from; i < to; ++i) angle += shorter(angles[i[1]] - angles[i[0]]);
    for (auto i = from; i > to; --i) angle += shorter(angles[i[-1]] - angles[i[0]]);
    return angle;
  };
  return std::abs(shorter(seen(b, turned) - angles[b.probe]));
}

double off_rotation(const std::vector<double>& quaternions, const Between& b) {
  using Quaternion = Eigen::Quaterniond;
  const auto at = [&](std::size_t k) {
    const double* q = &quaternions[4 * k];
    return Quaternion(q[0], q[1], q[2], q[3]).normalized();
  };
  const Quaternion there = at(b.probe);
  if (b.frames.empty()) return at(b.before).slerp(b.part, at(b.after)).angularDistance(there);
  Eigen::Vector4d sum = Eigen::Vector4d::Zero(), last = at(b.frames[0]).coeffs();
  for (std::size_t i = 0; i < b.frames.size(); ++i) {
    const Eigen::Vector4d next = at(b.frames[i]).coeffs();
    last = next.dot(last) < 0.0 ? Eigen::Vector4d(-next) : next;
    sum += b.weights[i] * last;
  }
  return Quaternion(sum).normalized().angularDistance(there);
}

// Zero if it stands still.
double off_way(const SceneItem& item, std::size_t frames, const Between& b, double room) {
  double far = 0.0;
  if (item.places.size() >= frames) far = off_curve(item.places, item.places.size() / frames, b) / room;
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
  const double room = room_of(scene);
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < scene.time.size(); ++k)
    if (!frames.is_probe(k)) kept.push_back(k);
  double far = 0.0;
  for (std::size_t place = 0; place + 1 < kept.size(); ++place)
    for (std::size_t probe = kept[place] + 1; probe < kept[place + 1]; ++probe) {
      const Between between(scene, kept, place, probe);
      for (const SceneItem& item : scene.items) far = largest(far, off_way(item, scene.time.size(), between, room));
    }
  return far;
}

}  // namespace invar
