// See member_sketch.h.
#include "invar/report/scene/member_sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace invar {

namespace {

// From little to much; the report page has the same ones (--load-0 … in colours.css).
constexpr std::array<std::array<int, 3>, 5> load_colours = {
    {{116, 179, 224}, {111, 134, 207}, {139, 91, 181}, {177, 58, 130}, {179, 32, 46}}};
constexpr const char* uncoloured = "#5b8db8";
constexpr int bins = 24;  // colours that one can tell apart

std::string load_colour(double share) {
  const double x = std::clamp(share, 0.0, 1.0) * (load_colours.size() - 1);
  const auto k = std::min<std::size_t>(static_cast<std::size_t>(x), load_colours.size() - 2);
  const auto mixed = [&](std::size_t c) {
    const double a = load_colours[k][c], b = load_colours[k + 1][c];
    return static_cast<int>(std::lround(a + (x - static_cast<double>(k)) * (b - a)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2));
}

std::string colour_between(const SketchPlace& a, const SketchPlace& b) {
  const double share = 0.5 * (a.share + b.share);
  return std::isfinite(share) ? load_colour(std::round(bins * share) / bins) : uncoloured;
}

double width_between(const SketchPlace& a, const SketchPlace& b) {
  constexpr double least = 1.6;  // pixels
  return std::max(least, std::round(a.width + b.width) / 2.0);
}

}  // namespace

// Pieces of one colour and width are one stroke.
std::string member_sketch(const std::vector<SketchPlace>& places) {
  std::string svg, look;
  std::vector<PlanePoint> points;
  const auto end_stroke = [&] {
    if (points.size() > 1) svg += polyline(points, look);
    points.clear();
  };
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const std::string next =
        stroke(colour_between(places[i], places[i + 1]).c_str(), width_between(places[i], places[i + 1])) +
        " stroke-linecap=\"round\"";
    if (next != look) end_stroke();
    look = next;
    if (points.empty()) points.push_back(places[i].at);
    points.push_back(places[i + 1].at);
  }
  end_stroke();
  return svg;
}

std::string colour_key(const MemberColour& colour, const PlanePoint& corner) {
  constexpr double width = 120.0, height = 7.0;
  std::string svg, name = colour.title;
  std::ranges::replace(name, ' ', '-');
  svg += fmt::format("<linearGradient id=\"{}\">", name);
  for (std::size_t k = 0; k < load_colours.size(); ++k) {
    const double share = static_cast<double>(k) / (load_colours.size() - 1);
    svg += fmt::format("<stop offset=\"{}\" stop-color=\"{}\"/>", share, load_colour(share));
  }
  const double left = corner.x() - width, top = corner.y() - 20.0;
  svg += fmt::format(
      "</linearGradient>\n<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{}\" height=\"{}\" rx=\"2\" "
      "fill=\"url(#{})\"/>\n",
      left, top, width, height, name);
  const auto text = [&](double x, double y, const char* anchor, const std::string& words) {
    svg +=
        fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"{}\" font-size=\"11\" fill=\"#555555\">{}</text>\n",
                    x, y, anchor, words);
  };
  text(left, top - 4.0, "start", fmt::format("{} [{}]", colour.title, colour.unit));
  text(left, top + 18.0, "start", fmt::format("{:.3g}", colour.low));
  text(corner.x(), top + 18.0, "end", fmt::format("{:.3g}", colour.high));
  return svg;
}

}  // namespace invar
