// See view.h. The outline by Andrew's monotone chain.
#include "invar/report/scene/view.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace invar {

View::View(const Scene& scene) : planar_(scene.dimension == 2) {
  const Vector3 up = Vector3(scene.up[0], scene.up[1], scene.up[2]).normalized();
  const Vector3 side = std::abs(up.x()) < 0.9 ? Vector3::UnitX() : Vector3::UnitY();
  const Vector3 across = (side - side.dot(up) * up).normalized(), away = up.cross(across);
  constexpr double turn = 0.6, tilt = 0.4;  // radians
  right_ = std::cos(turn) * across + std::sin(turn) * away;
  const Vector3 depth = -std::sin(turn) * across + std::cos(turn) * away;
  up_ = std::cos(tilt) * up + std::sin(tilt) * depth;
}

PlanePoint View::operator()(const Vector3& x) const {
  return planar_ ? PlanePoint(x.x(), x.y()) : PlanePoint(right_.dot(x), up_.dot(x));
}

std::vector<PlanePoint> convex_outline(std::vector<PlanePoint> points) {
  const auto before = [](const PlanePoint& a, const PlanePoint& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  };
  std::sort(points.begin(), points.end(), before);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  std::vector<PlanePoint> outline;
  const auto half = [&](const auto& from, const auto& to) {
    const std::size_t first = outline.size();
    for (auto p = from; p != to; ++p) {
      const auto turns_right = [&] {
        const PlanePoint a = outline.back() - outline[outline.size() - 2], b = *p - outline.back();
        return a.x() * b.y() - a.y() * b.x() <= 0.0;
      };
      while (outline.size() >= first + 2 && turns_right()) outline.pop_back();
      outline.push_back(*p);
    }
    outline.pop_back();  // it begins the other half
  };
  half(points.begin(), points.end());
  half(points.rbegin(), points.rend());
  return outline;
}

}  // namespace invar
