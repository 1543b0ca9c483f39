// See snapshots.h.
#include "invar/report/scene/snapshots.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "invar/report/plot/svg_shapes.h"
#include "invar/report/plot/svg_text.h"
#include "invar/report/scene/make_scene.h"
#include "invar/report/scene/member_scene.h"
#include "invar/report/scene/member_sketch.h"
#include "invar/report/scene/view.h"

namespace invar {

namespace {

constexpr std::array<const char*, 6> colours = {"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9"};
constexpr const char* ink = "#222222";
constexpr double key_height = 40.0;  // below pictures with colours that show something

class Picture {
 public:
  Picture(const Scene& scene, const SnapshotOptions& options) : scene_(scene), options_(options), view_(scene) {
    fit();
  }

  std::string text() {
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"13\">\n<title>{2}</title>\n"
        "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n",
        options_.width, options_.height, escaped(options_.title));
    for (const SceneItem& item : scene_.items)
      if (stands_still(item)) svg += draw(item, 0, ink);
    for (const SceneItem& item : scene_.items)
      if (item.kind == SceneItem::Kind::trace) svg += path(item);
    const std::vector<std::size_t> frames = instants();
    std::string times;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const bool last = i + 1 == frames.size();
      const double share = last ? 1.0 : static_cast<double>(i) / static_cast<double>(frames.size() - 1);
      svg += fmt::format("<g opacity=\"{:.2f}\">\n{}</g>\n", 0.2 + 0.8 * share * share, moving(frames[i], last));
      times += fmt::format("{}{:.4g}", i ? ", " : "", scene_.time[frames[i]]);
    }
    svg += colour_keys();
    if (!options_.title.empty())
      svg += fmt::format(
          "<text x=\"12\" y=\"20\" font-weight=\"bold\">{}</text>\n"
          "<text x=\"12\" y=\"38\" fill=\"#555555\">t = {} s</text>\n",
          escaped(shortened(options_.title, 60)), times);
    return svg + "</svg>\n";
  }

 private:
  std::vector<std::size_t> instants() const {
    const std::vector<double>& time = scene_.time;
    std::vector<std::size_t> frames;
    const std::vector<double> ends = {time.front(), time.back()};
    for (const double t : options_.times.empty() ? ends : options_.times) {
      const auto nearest = std::min_element(time.begin(), time.end(),
                                            [&](double a, double b) { return std::abs(a - t) < std::abs(b - t); });
      frames.push_back(static_cast<std::size_t>(nearest - time.begin()));
    }
    std::sort(frames.begin(), frames.end());
    frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
    return frames;
  }

  std::size_t frames_of(const SceneItem& item) const {
    return item.places.size() / (static_cast<std::size_t>(scene_.dimension) * item.count);
  }

  bool stands_still(const SceneItem& item) const {
    if (item.kind != SceneItem::Kind::line) return false;
    const std::size_t width = item.places.size() / frames_of(item);
    for (std::size_t i = width; i < item.places.size(); ++i)
      if (item.places[i] != item.places[i - width]) return false;
    return true;
  }

  std::string moving(std::size_t frame, bool last) const {
    std::string svg;
    std::size_t bodies = 0;
    for (const SceneItem& item : scene_.items) {
      const bool coloured = item.kind == SceneItem::Kind::body || item.kind == SceneItem::Kind::point;
      const char* colour = coloured ? colours[bodies++ % colours.size()] : ink;
      if (!stands_still(item) && (last || item.kind != SceneItem::Kind::arrow)) svg += draw(item, frame, colour);
    }
    return svg;
  }

  Vector3 place(const SceneItem& item, std::size_t frame, std::size_t index) const {
    const auto d = static_cast<std::size_t>(scene_.dimension);
    const std::size_t first = (std::min(frame, frames_of(item) - 1) * item.count + index) * d;
    Vector3 x = Vector3::Zero();
    for (std::size_t c = 0; c < d; ++c) x(static_cast<Eigen::Index>(c)) = item.places[first + c];
    return x;
  }

  Matrix3 rotation(const SceneItem& item, std::size_t frame) const {
    if (scene_.dimension == 2 && frame < item.details.size())
      return Eigen::AngleAxisd(item.details[frame], Vector3::UnitZ()).toRotationMatrix();
    if (scene_.dimension == 2 || 4 * frame + 3 >= item.details.size()) return Matrix3::Identity();
    const double* q = &item.details[4 * frame];
    return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  }

  // What a solid reaches to, in body axes: the corners of a box, points on the rims of a cylinder, the vertices of a
  // mesh.
  std::vector<Vector3> corners(const Shape& shape) const {
    std::vector<Vector3> all;
    const std::vector<double>& s = shape.size;
    if (shape.kind == Shape::Kind::box)
      for (int k = 0; k < 8; ++k)
        all.emplace_back((k & 1 ? 0.5 : -0.5) * s[0], (k & 2 ? 0.5 : -0.5) * s[1],
                         s.size() > 2 ? (k & 4 ? 0.5 : -0.5) * s[2] : 0.0);
    constexpr int points = 48;
    if (shape.kind == Shape::Kind::cylinder)
      for (int k = 0; k < points; ++k) {
        const double angle = 2.0 * std::numbers::pi * k / (points / 2.0);
        all.emplace_back(s[0] * std::cos(angle), s[0] * std::sin(angle),
                         scene_.dimension == 2 ? 0.0 : (k < points / 2 ? 0.5 : -0.5) * s[1]);
      }
    if (shape.kind == Shape::Kind::mesh)
      for (std::size_t i = 0; i + 2 < shape.mesh->vertices.size(); i += 3)
        all.emplace_back(shape.mesh->vertices[i], shape.mesh->vertices[i + 1], shape.mesh->vertices[i + 2]);
    return all;
  }

  std::vector<PlanePoint> outline(const SceneItem& item, std::size_t frame) const {
    std::vector<PlanePoint> points;
    const Matrix3 r = rotation(item, frame);
    for (const Vector3& x : corners(item.shape)) points.push_back(view_(place(item, frame, 0) + r * x));
    return convex_outline(std::move(points));
  }

  void fit() {
    PlanePoint least = PlanePoint::Constant(std::numeric_limits<double>::infinity()), most = -least;
    const auto include = [&](const PlanePoint& p, double radius = 0.0) {
      if (!p.allFinite()) return;
      least = least.cwiseMin((p.array() - radius).matrix());
      most = most.cwiseMax((p.array() + radius).matrix());
    };
    for (const SceneItem& item : scene_.items)
      for (std::size_t k = 0; k < frames_of(item); ++k) {
        const bool ball = item.kind == SceneItem::Kind::body && item.shape.kind == Shape::Kind::sphere;
        for (std::size_t i = 0; i < item.count; ++i)
          include(view_(place(item, k, i)), ball ? item.shape.size.front() : radius_of(item, k));
        if (item.kind == SceneItem::Kind::body)
          for (const PlanePoint& p : outline(item, k)) include(p);
      }
    if (!least.allFinite()) least = most = PlanePoint::Zero();
    const double margin = 0.06 * options_.width, header = options_.title.empty() ? 0.0 : 30.0;
    const double footer = quantities().empty() ? 0.0 : key_height;
    if ((most - least).norm() == 0.0) {  // nothing moves: a metre fills the picture
      least.array() -= 0.5;
      most.array() += 0.5;
    }
    const PlanePoint size = (most - least).cwiseMax(1e-6 * (most - least).norm());
    scale_ =
        std::min((options_.width - 2 * margin) / size.x(), (options_.height - 2 * margin - header - footer) / size.y());
    const PlanePoint middle = 0.5 * (least + most);
    shift_ = {0.5 * options_.width - scale_ * middle.x(),
              0.5 * (options_.height + header - footer) + scale_ * middle.y()};
  }

  static double radius_of(const SceneItem& item, std::size_t frame) {
    return item.kind == SceneItem::Kind::circle ? item.details[std::min(frame, item.details.size() - 1)] : 0.0;
  }

  PlanePoint paper(const PlanePoint& p) const { return {shift_.x() + scale_ * p.x(), shift_.y() - scale_ * p.y()}; }
  PlanePoint paper(const Vector3& x) const { return paper(view_(x)); }

  std::string path(const SceneItem& item) const {
    std::vector<PlanePoint> points;
    for (std::size_t k = 0; k < frames_of(item); ++k) points.push_back(paper(place(item, k, 0)));
    if (scene_.held) return dots(points, stroke(colours[0], 1.5));
    return polyline(points, stroke(colours[0], 1.0) + " stroke-dasharray=\"4 3\"");
  }

  // The longest arrow of the motion gets a fifth of the picture.
  std::string arrow(const SceneItem& item, std::size_t frame) const {
    const auto d = static_cast<std::size_t>(scene_.dimension);
    const auto vector = [&](std::size_t k) {
      Vector3 x = Vector3::Zero();
      for (std::size_t c = 0; c < d; ++c) x(static_cast<Eigen::Index>(c)) = item.details[k * d + c];
      return x;
    };
    double longest = 0.0;
    for (std::size_t k = 0; k < item.details.size() / d; ++k)
      if (vector(k).allFinite()) longest = std::max(longest, vector(k).norm());
    const PlanePoint foot = paper(place(item, frame, 0));
    const PlanePoint along = paper(Vector3(place(item, frame, 0) + vector(frame))) - foot;
    const double length = longest > 0.0 ? 0.2 * options_.width * vector(frame).norm() / longest : 0.0;
    if (!along.allFinite() || along.norm() == 0.0) return {};
    return svg_arrow(foot, foot + length * along.normalized(), colours[4]);
  }

  std::string draw(const SceneItem& item, std::size_t frame, const char* colour) const {
    using enum SceneItem::Kind;
    std::vector<PlanePoint> points;
    for (std::size_t i = 0; i < item.count; ++i) points.push_back(paper(place(item, frame, i)));
    switch (item.kind) {
      case point: return dot(points[0], 5.0, fmt::format("fill=\"{}\"", colour));
      case joint: return dot(points[0], 3.0, "fill=\"#ffffff\" stroke=\"#222222\"");
      case line:
        return polyline(points, item.role == "link"     ? stroke(ink, 3.0) + " stroke-linecap=\"round\""
                                : item.role == "ground" ? stroke("#999999", 4.0)
                                                        : stroke(ink, 1.2));
      case spring: return polyline(zigzag(points.front(), points.back()), stroke(colours[2], 1.5));
      case circle: return dot(points[0], std::max(1.0, scale_ * radius_of(item, frame)), stroke(ink, 1.5));
      case body: return draw_body(item, frame, points[0], colour);
      case arrow: return this->arrow(item, frame);
      case trace: return {};
      case member: return draw_member(item, frame);
    }
    return {};
  }

  std::string draw_member(const SceneItem& item, std::size_t frame) const {
    constexpr std::size_t about = 96;
    const std::vector<MemberPlace> places = places_along(item, scene_.dimension, frame, about);
    std::vector<SketchPlace> sketch;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Vector3 along = places[std::min(i + 1, places.size() - 1)].at - places[i > 0 ? i - 1 : 0].at;
      sketch.push_back({paper(places[i].at), member_width(item.member, along, places[i].normal), places[i].share});
    }
    return member_sketch(sketch);
  }

  // Across its line on paper.
  double member_width(const SceneMember& member, const Vector3& along, const Vector3& normal) const {
    if (!member.radii.empty()) return 2.0 * scale_ * member.radii[0];
    if (member.sides.empty()) return member.is_string ? 1.6 : 4.0;
    if (scene_.dimension == 2) return scale_ * member.sides[1];
    const PlanePoint seen = view_(along), across = PlanePoint(-seen.y(), seen.x()).normalized();
    const Vector3 second = along.cross(normal).normalized();
    return scale_ * (member.sides[0] * std::abs(across.dot(view_(normal))) +
                     member.sides[1] * std::abs(across.dot(view_(second))));
  }

  // What colours show, each once: all members share its range.
  std::vector<MemberColour> quantities() const {
    std::vector<MemberColour> list;
    for (const SceneItem& item : scene_.items)
      if (const auto& colour = item.member.colour;
          colour && std::ranges::find(list, colour->title, &MemberColour::title) == list.end())
        list.push_back(*colour);
    return list;
  }

  // Side by side below the picture.
  std::string colour_keys() const {
    constexpr double margin = 12.0, apart = 156.0;
    std::string svg;
    PlanePoint corner = {options_.width - margin, options_.height - margin};
    for (const MemberColour& colour : quantities()) {
      svg += colour_key(colour, corner);
      corner.x() -= apart;
    }
    return svg;
  }

  // All triangles as one area: turned the same way round, so that none cuts a hole into another.
  std::string draw_mesh(const SceneItem& item, std::size_t frame, const char* colour) const {
    std::vector<PlanePoint> vertices;
    const Matrix3 r = rotation(item, frame);
    for (const Vector3& x : corners(item.shape)) vertices.push_back(paper(Vector3(place(item, frame, 0) + r * x)));
    std::string path;
    const std::vector<std::uint32_t>& t = item.shape.mesh->triangles;
    for (std::size_t i = 0; i < t.size(); i += 3) {
      const PlanePoint &a = vertices[t[i]], &b = vertices[t[i + 1]], &c = vertices[t[i + 2]];
      const bool left = (b - a).x() * (c - a).y() > (b - a).y() * (c - a).x();
      const PlanePoint &second = left ? b : c, &third = left ? c : b;
      path += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f} {:.1f} {:.1f}z", a.x(), a.y(), second.x(), second.y(),
                          third.x(), third.y());
    }
    return fmt::format("<path d=\"{}\" fill=\"{}\" fill-opacity=\"0.5\"/>\n", path, colour);
  }

  std::string draw_body(const SceneItem& item, std::size_t frame, const PlanePoint& centre, const char* colour) const {
    if (item.shape.kind == Shape::Kind::sphere) return dot(centre, scale_ * item.shape.size.front(), filled(colour));
    constexpr std::size_t most_triangles = 2000;  // beyond, the outline is enough
    if (item.shape.kind == Shape::Kind::mesh && item.shape.mesh->triangles.size() <= 3 * most_triangles)
      return draw_mesh(item, frame, colour);
    std::vector<PlanePoint> points = outline(item, frame);
    if (points.size() < 3) return dot(centre, 3.0, fmt::format("fill=\"{}\"", colour));
    for (PlanePoint& p : points) p = paper(p);
    return polyline(points, filled(colour), true);
  }

  const Scene& scene_;
  const SnapshotOptions& options_;
  View view_;
  double scale_ = 1.0;
  PlanePoint shift_ = PlanePoint::Zero();
};

}  // namespace

std::string snapshots_svg(const Scene& scene, const SnapshotOptions& options) {
  if (scene.items.empty() || scene.time.empty()) return {};
  return Picture(scene, options).text();
}

std::string snapshots_svg(const Problem& problem, const Trajectory& motion, SnapshotOptions options) {
  if (options.times.empty() && motion.rows() > 0) {
    constexpr int usual = 5;
    const double start = motion.row(0)[0], end = motion.row(motion.rows() - 1)[0];
    for (int i = 0; i < usual; ++i) options.times.push_back(start + (end - start) * i / (usual - 1));
  }
  constexpr std::size_t seen = 2400;  // more points of a path cannot be told apart
  return snapshots_svg(make_scene(problem, motion, {.times = options.times, .most = seen}), options);
}

}  // namespace invar
