// See member_scene.h.
#include "invar/report/scene/member_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace invar {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::string force_column(const std::string& member, std::size_t point, std::string_view force) {
  return fmt::format("{}.{}.{}", member, point + 1, force);
}

struct ForceRange {
  double low = unknown, high = unknown;

  void include(double x) {  // of a number and NaN, fmin and fmax give the number
    low = std::fmin(low, x);
    high = std::fmax(high, x);
  }
};

// At all points in frames, with its range in all rows; nothing if the result lacks it.
std::optional<SceneForce> force_along(const std::string& name, const MemberLine& line, const SectionForce& force,
                                      const Frames& frames) {
  const std::size_t count = line.points.size();
  SceneForce all{std::string(force.name), std::string(force.unit), std::vector<double>(frames.count() * count), {}, {}};
  for (std::size_t i = 0; i < count; ++i) {
    const std::string column = force_column(name, i, force.name);
    if (!frames.has(column)) return std::nullopt;
    const std::vector<double> some = frames.column(column);
    for (std::size_t k = 0; k < some.size(); ++k) all.values[k * count + i] = some[k];
    ForceRange range;
    for (const double x : frames.in_all_rows(column)) range.include(x);
    all.low.push_back(range.low);
    all.high.push_back(range.high);
  }
  return all;
}

double coloured_value(const MemberColour& colour, const std::vector<double>& forces) {
  if (!colour.signless) return forces.front();
  double squares = 0.0;
  for (const double x : forces) squares += x * x;
  return std::sqrt(squares);
}

// Bending where it bends, otherwise tension.
std::optional<MemberColour> colour_of(const std::string& name, const SceneMember& member, const Frames& frames) {
  MemberColour colour{"bending moment", "N m", {}, true, unknown, unknown};
  for (const SceneForce& force : member.forces)
    if (force.name == "M1" || force.name == "M2") colour.forces.push_back(force.name);
  if (colour.forces.empty()) {
    if (std::ranges::none_of(member.forces, [](const SceneForce& f) { return f.name == "N"; })) return std::nullopt;
    colour = {"tension", "N", {"N"}, false, unknown, unknown};
  }
  ForceRange range;
  for (std::size_t i = 0; i < member.points.size(); ++i) {
    std::vector<std::vector<double>> columns;
    for (const std::string& force : colour.forces) columns.push_back(frames.in_all_rows(force_column(name, i, force)));
    std::vector<double> row(columns.size());
    for (std::size_t k = 0; k < columns[0].size(); ++k) {
      for (std::size_t j = 0; j < row.size(); ++j) row[j] = columns[j][k];
      range.include(coloured_value(colour, row));
    }
  }
  colour.low = range.low;
  colour.high = range.high;
  return std::isfinite(range.low) && std::isfinite(range.high) ? std::optional(colour) : std::nullopt;
}

// dr/ds at a node, from the parabola through it and its neighbours, or the last three.
Vector3 slope_at(const std::vector<Vector3>& r, const std::vector<double>& s, std::size_t node) {
  const std::size_t last = r.size() - 1;
  if (last == 1) return (r[1] - r[0]) / (s[1] - s[0]);
  const std::size_t b = std::clamp<std::size_t>(node, 1, last - 1), a = b - 1, c = b + 1;
  const Vector3 before = (r[b] - r[a]) / (s[b] - s[a]), after = (r[c] - r[b]) / (s[c] - s[b]);
  const Vector3 bend = (after - before) / (s[c] - s[a]);
  return before + bend * (2.0 * s[node] - s[a] - s[b]);
}

// Between the points straight, beyond them constant.
double interpolated_at(const std::vector<double>& s, const std::vector<double>& values, double x) {
  const auto after = static_cast<std::size_t>(std::upper_bound(s.begin(), s.end(), x) - s.begin());
  if (after == 0) return values.front();
  if (after == s.size()) return values.back();
  const double part = (x - s[after - 1]) / (s[after] - s[after - 1]);
  return values[after - 1] + part * (values[after] - values[after - 1]);
}

// As parts of the range of the colour, at the points of the member; empty without one.
std::vector<double> shares_of(const SceneMember& member, std::size_t frame) {
  if (!member.colour) return {};
  const MemberColour& colour = *member.colour;
  std::vector<double> shares;
  for (std::size_t i = 0; i < member.points.size(); ++i) {
    std::vector<double> row;
    for (const SceneForce& force : member.forces)
      if (std::ranges::find(colour.forces, force.name) != colour.forces.end())
        row.push_back(force.values[frame * member.points.size() + i]);
    const double span = colour.high - colour.low;
    shares.push_back(span > 0.0 ? (coloured_value(colour, row) - colour.low) / span : 0.5);
  }
  return shares;
}

std::vector<Vector3> vectors_in(const std::vector<double>& numbers, std::size_t count, int dimension,
                                std::size_t frame) {
  const auto d = static_cast<std::size_t>(dimension);
  std::vector<Vector3> list(count, Vector3::Zero());
  for (std::size_t i = 0; i < count && !numbers.empty(); ++i)
    for (std::size_t c = 0; c < d; ++c) list[i](static_cast<Eigen::Index>(c)) = numbers[(frame * count + i) * d + c];
  return list;
}

}  // namespace

SceneMember scene_member(const std::string& name, const MemberLine& line, const Frames& frames) {
  SceneMember member{.nodes = line.nodes, .points = line.points, .radii = line.radii, .sides = line.sides};
  member.is_string = line.normals.empty();
  for (const SectionForce& force : line.forces)
    if (auto values = force_along(name, line, force, frames)) member.forces.push_back(std::move(*values));
  member.colour = colour_of(name, member, frames);
  return member;
}

void share_colours(Scene& scene) {
  std::map<std::string, ForceRange> ranges;
  for (const SceneItem& item : scene.items)
    if (const auto& colour = item.member.colour) {
      ranges[colour->title].include(colour->low);
      ranges[colour->title].include(colour->high);
    }
  for (SceneItem& item : scene.items)
    if (auto& colour = item.member.colour) {
      colour->low = ranges[colour->title].low;
      colour->high = ranges[colour->title].high;
    }
}

std::vector<MemberPlace> places_along(const SceneItem& item, int dimension, std::size_t frame, std::size_t about) {
  const std::vector<double>& s = item.member.nodes;
  const std::vector<Vector3> r = vectors_in(item.places, item.count, dimension, frame);
  const std::vector<Vector3> normals = vectors_in(item.details, item.count, dimension, frame);
  const std::vector<double> shares = shares_of(item.member, frame);
  const std::size_t pieces = std::max<std::size_t>(1, about / (item.count - 1));
  std::vector<MemberPlace> all;
  for (std::size_t n = 0; n + 1 < item.count; ++n) {
    const double length = s[n + 1] - s[n];
    const Vector3 begin = length * slope_at(r, s, n), end = length * slope_at(r, s, n + 1);
    for (std::size_t i = n == 0 ? 0 : 1; i <= pieces; ++i) {
      const double x = static_cast<double>(i) / static_cast<double>(pieces), y = 1.0 - x;
      const Vector3 at =
          y * y * (1.0 + 2.0 * x) * r[n] + x * x * (1.0 + 2.0 * y) * r[n + 1] + x * y * y * begin - x * x * y * end;
      all.push_back({at, y * normals[n] + x * normals[n + 1],
                     shares.empty() ? unknown : interpolated_at(item.member.points, shares, s[n] + x * length)});
    }
  }
  return all;
}

}  // namespace invar
