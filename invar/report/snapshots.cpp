// See snapshots.h.
#include "invar/report/snapshots.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "invar/report/svg_text.h"

namespace invar {

namespace {

using Place = Eigen::Vector2d;

// From places of the scene to the plane of the picture, in metres, up being up.
class View {
 public:
  explicit View(const Scene& scene) : planar_(scene.dimension == 2) {
    const Vector3 up = Vector3(scene.up[0], scene.up[1], scene.up[2]).normalized();
    const Vector3 side = std::abs(up.x()) < 0.9 ? Vector3::UnitX() : Vector3::UnitY();
    const Vector3 across = (side - side.dot(up) * up).normalized(), away = up.cross(across);
    constexpr double turn = 0.6, tilt = 0.4;  // radians: seen obliquely, from a little above
    right_ = std::cos(turn) * across + std::sin(turn) * away;
    const Vector3 depth = -std::sin(turn) * across + std::cos(turn) * away;
    up_ = std::cos(tilt) * up + std::sin(tilt) * depth;
  }

  Place operator()(const Vector3& x) const { return planar_ ? Place(x.x(), x.y()) : Place(right_.dot(x), up_.dot(x)); }

 private:
  bool planar_;
  Vector3 right_, up_;
};

class Picture {
 public:
  Picture(const Scene& scene, const SnapshotOptions& options) : scene_(scene), options_(options), view_(scene) {
    fit();
  }

  std::string text() {
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n<title>{2}</title>\n<rect width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "fill=\"#ffffff\"/>\n",
        options_.width, options_.height, escaped(options_.title));
    for (const SceneItem& item : scene_.items)
      if (item.kind == SceneItem::Kind::trace) svg += path(item);
    const std::size_t frames = scene_.time.size();
    const int count = std::min<int>(options_.instants, static_cast<int>(frames));
    std::string times;
    for (int i = 0; i < count; ++i) {
      const std::size_t frame =
          count < 2 ? 0 : static_cast<std::size_t>(i) * (frames - 1) / static_cast<std::size_t>(count - 1);
      const double share = count < 2 ? 1.0 : static_cast<double>(i) / (count - 1);
      svg += fmt::format("<g opacity=\"{:.2f}\">\n", 0.25 + 0.75 * share);
      for (const SceneItem& item : scene_.items) svg += draw(item, frame);
      svg += "</g>\n";
      times += fmt::format("{}{:.4g}", i ? ", " : "", scene_.time[frame]);
    }
    svg += fmt::format(
        "<text x=\"12\" y=\"20\" font-weight=\"bold\">{}</text>\n<text x=\"12\" y=\"38\" fill=\"#555\">t = {} "
        "s</text>\n",
        escaped(shortened(options_.title, 60)), times);
    return svg + "</svg>\n";
  }

 private:
  Vector3 place(const SceneItem& item, std::size_t frame, std::size_t index) const {
    const auto d = static_cast<std::size_t>(scene_.dimension);
    const std::size_t frames = item.places.size() / (d * item.count);
    const std::size_t first = (std::min(frame, frames - 1) * item.count + index) * d;
    Vector3 x = Vector3::Zero();
    for (std::size_t c = 0; c < d; ++c) x(static_cast<Eigen::Index>(c)) = item.places[first + c];
    return x;
  }

  // Corners of a box, or ends of the axis of a cylinder, in the world.
  std::vector<Vector3> corners(const SceneItem& item, std::size_t frame) const {
    Matrix3 r = Matrix3::Identity();
    if (scene_.dimension == 2 && frame < item.details.size())
      r = Eigen::AngleAxisd(item.details[frame], Vector3::UnitZ()).toRotationMatrix();
    else if (4 * frame + 3 < item.details.size())
      r = Eigen::Quaterniond(item.details[4 * frame], item.details[4 * frame + 1], item.details[4 * frame + 2],
                             item.details[4 * frame + 3])
              .normalized()
              .toRotationMatrix();
    const std::vector<double>& s = item.shape.size;
    std::vector<Vector3> all;
    for (int k = 0; k < 8; ++k) {
      Vector3 half = Vector3::Zero();
      if (item.shape.kind == Shape::Kind::cylinder)
        half = {s[0], s[0], 0.5 * s[1]};
      else
        for (std::size_t c = 0; c < std::min<std::size_t>(3, s.size()); ++c)
          half(static_cast<Eigen::Index>(c)) = 0.5 * s[c];
      const Vector3 corner((k & 1 ? 1 : -1) * half.x(), (k & 2 ? 1 : -1) * half.y(), (k & 4 ? 1 : -1) * half.z());
      all.push_back(place(item, frame, 0) + r * corner);
    }
    return all;
  }
  static bool has_corners(const SceneItem& item) {
    return item.kind == SceneItem::Kind::body && item.shape.size.size() > 1;
  }

  void fit() {
    Place least = Place::Constant(std::numeric_limits<double>::infinity()), most = -least;
    const auto include = [&](const Vector3& x) {
      if (!x.allFinite()) return;
      least = least.cwiseMin(view_(x));
      most = most.cwiseMax(view_(x));
    };
    const auto d = static_cast<std::size_t>(scene_.dimension);
    for (const SceneItem& item : scene_.items)
      for (std::size_t k = 0; k < item.places.size() / (d * item.count); ++k) {
        for (std::size_t i = 0; i < item.count; ++i) include(place(item, k, i));
        if (has_corners(item))
          for (const Vector3& x : corners(item, k)) include(x);
      }
    if (!least.allFinite()) least = most = Place::Zero();
    constexpr double margin = 40.0, header = 30.0;
    const Place size = (most - least).cwiseMax(1e-9);
    scale_ = std::min((options_.width - 2 * margin) / size.x(), (options_.height - 2 * margin - header) / size.y());
    scale_ = std::min(scale_, options_.width);  // nothing moves: a metre fills the picture
    const Place middle = 0.5 * (least + most);
    shift_ = {0.5 * options_.width - scale_ * middle.x(), 0.5 * (options_.height + header) + scale_ * middle.y()};
  }

  std::string at(const Vector3& x) const {
    const Place p = view_(x);
    return fmt::format("{:.1f},{:.1f}", shift_.x() + scale_ * p.x(), shift_.y() - scale_ * p.y());
  }

  std::string polyline(const std::vector<Vector3>& places, const char* style, bool closed = false) const {
    std::string points;
    for (const Vector3& x : places)
      if (x.allFinite()) points += at(x) + " ";
    return fmt::format("<{} points=\"{}\" fill=\"none\" {}/>\n", closed ? "polygon" : "polyline", points, style);
  }

  std::string path(const SceneItem& item) const {
    std::vector<Vector3> places;
    const std::size_t frames = item.places.size() / static_cast<std::size_t>(scene_.dimension);
    for (std::size_t k = 0; k < frames; ++k) places.push_back(place(item, k, 0));
    return polyline(places, "stroke=\"#0072b2\" stroke-width=\"1\" stroke-dasharray=\"3 3\"");
  }

  std::string dot(const Vector3& x, double radius, const char* style) const {
    if (!x.allFinite()) return {};
    const Place p = view_(x);
    return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" {}/>\n", shift_.x() + scale_ * p.x(),
                       shift_.y() - scale_ * p.y(), radius, style);
  }

  std::string draw(const SceneItem& item, std::size_t frame) const {
    using enum SceneItem::Kind;
    std::vector<Vector3> places;
    for (std::size_t i = 0; i < item.count; ++i) places.push_back(place(item, frame, i));
    switch (item.kind) {
      case point: return dot(places[0], 5.0, "fill=\"#0072b2\"");
      case joint: return dot(places[0], 3.0, "fill=\"#ffffff\" stroke=\"#222\"");
      case line:
        return polyline(places, item.role == "link"     ? "stroke=\"#222\" stroke-width=\"3\" stroke-linecap=\"round\""
                                : item.role == "ground" ? "stroke=\"#999\" stroke-width=\"4\""
                                                        : "stroke=\"#222\" stroke-width=\"1.2\"");
      case spring: return polyline(places, "stroke=\"#009e73\" stroke-width=\"2\" stroke-dasharray=\"2 2\"");
      case circle:
        return dot(places[0], std::max(1.0, scale_ * item.details[std::min(frame, item.details.size() - 1)]),
                   "fill=\"none\" stroke=\"#222\"");
      case body: return draw_body(item, frame, places[0]);
      case arrow:
      case trace: return {};
    }
    return {};
  }

  std::string draw_body(const SceneItem& item, std::size_t frame, const Vector3& centre) const {
    if (item.shape.kind == Shape::Kind::sphere)
      return dot(centre, scale_ * item.shape.size.front(), "fill=\"#56b4e9\" fill-opacity=\"0.4\" stroke=\"#222\"");
    if (!has_corners(item)) return dot(centre, 3.0, "fill=\"#d55e00\"");
    const std::vector<Vector3> c = corners(item, frame);
    const char* style = "stroke=\"#222\" stroke-width=\"1\"";
    if (scene_.dimension == 2) return polyline({c[0], c[1], c[3], c[2]}, style, true);
    std::string text;
    constexpr std::array<std::array<std::size_t, 2>, 12> edges = {
        {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};
    for (const auto& [a, b] : edges) text += polyline({c[a], c[b]}, style);
    return text;
  }

  const Scene& scene_;
  const SnapshotOptions& options_;
  View view_;
  double scale_ = 1.0;
  Place shift_ = Place::Zero();
};

}  // namespace

std::string snapshots_svg(const Scene& scene, const SnapshotOptions& options) {
  if (scene.items.empty() || scene.time.empty()) return {};
  return Picture(scene, options).text();
}

}  // namespace invar
