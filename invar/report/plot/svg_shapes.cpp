// See svg_shapes.h.
#include "invar/report/plot/svg_shapes.h"

#include <fmt/format.h>

#include <algorithm>

namespace invar {

std::string polyline(const std::vector<PlanePoint>& points, const std::string& style, bool closed) {
  std::string list;
  for (const PlanePoint& p : points)
    if (p.allFinite()) list += fmt::format("{:.1f},{:.1f} ", p.x(), p.y());
  return fmt::format("<{} points=\"{}\" {}/>\n", closed ? "polygon" : "polyline", list, style);
}
std::string dots(const std::vector<PlanePoint>& places, const std::string& style) {
  std::string path;
  for (const PlanePoint& p : places)
    if (p.allFinite()) path += fmt::format("M{:.1f} {:.1f}h0", p.x(), p.y());
  return fmt::format("<path d=\"{}\" {} stroke-linecap=\"round\"/>\n", path, style);
}
std::string stroke(const char* colour, double width) {
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"", colour, width);
}
std::string filled(const char* colour) {
  return fmt::format("fill=\"{0}\" fill-opacity=\"0.3\" stroke=\"{0}\" stroke-width=\"1.5\"", colour);
}

std::string dot(const PlanePoint& p, double radius, const std::string& style) {
  if (!p.allFinite()) return {};
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" {}/>\n", p.x(), p.y(), radius, style);
}

std::string svg_arrow(const PlanePoint& foot, const PlanePoint& tip, const char* colour) {
  constexpr double head = 8.0;
  if (!((tip - foot).norm() >= head)) return {};
  const PlanePoint direction = (tip - foot).normalized(), aside(-direction.y(), direction.x());
  const PlanePoint back = tip - head * direction;
  return polyline({foot, back}, stroke(colour, 2.0)) +
         polyline({tip, back + 0.5 * head * aside, back - 0.5 * head * aside}, fmt::format("fill=\"{}\"", colour),
                  true);
}

std::vector<PlanePoint> zigzag(const PlanePoint& a, const PlanePoint& b) {
  constexpr double lead = 0.12, tooth = 4.0;  // share of the length, pixels
  const PlanePoint along = b - a;
  const int teeth = std::clamp(static_cast<int>(along.norm() / tooth), 6, 14);
  const double amplitude = std::min(5.0, 0.15 * along.norm());
  const PlanePoint aside = PlanePoint(-along.y(), along.x()).normalized() * amplitude;
  std::vector<PlanePoint> points = {a, a + lead * along};
  for (int i = 1; i < teeth; ++i)
    points.push_back(a + (lead + (1.0 - 2.0 * lead) * i / teeth) * along + (i % 2 ? 1.0 : -1.0) * aside);
  points.push_back(b - lead * along);
  points.push_back(b);
  return points;
}

}  // namespace invar
