// See scene_data.h.
#include "invar/report/page/scene_data.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "invar/report/page/packing.h"

namespace invar {

namespace {

using Json = nlohmann::ordered_json;

constexpr double fine = 0x1p-21;  // of the room that a motion takes, and of the size of what else is drawn

double size_of(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double x : values)
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  return largest;
}

// How finely numbers are told.
struct Scales {
  std::size_t frames;
  double place;

  explicit Scales(const Scene& scene) : frames(scene.time.size()) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const SceneItem& item : scene.items)
      for (const double x : item.places)
        if (std::isfinite(x)) least = std::min(least, x), most = std::max(most, x);
    place = most > least ? fine * (most - least) : 0.0;
  }

  // As differences if that is shorter; nothing is lost that could be seen.
  Json packed(const std::vector<double>& values, double quantum) const {
    Json plain = packed_float(values);
    if (frames < 2 || values.empty() || values.size() % frames != 0) return plain;
    const auto small = packed_smooth(values, values.size() / frames, quantum);
    return small && packed_size(*small) < packed_size(plain) ? *small : plain;
  }
};

template <class Number>
std::vector<double> as_doubles(const std::vector<Number>& values) {
  return {values.begin(), values.end()};
}

Json json_of(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::box: return {{"box", shape.size}};
    case Shape::Kind::cylinder: return {{"cylinder", shape.size}};
    case Shape::Kind::sphere: return {{"sphere", shape.size.front()}};
    case Shape::Kind::mesh:
      return {
          {"mesh",
           {{"vertices", packed_float(as_doubles(shape.mesh->vertices))}, {"triangles", packed_float(as_doubles(shape.mesh->triangles))}}}};
    default: return {};
  }
}

void add_member(const SceneMember& member, Json& json) {
  json["nodes"] = member.nodes;
  if (!member.radii.empty()) json["radii"] = member.radii;
  if (!member.sides.empty()) json["sides"] = member.sides;
  if (member.is_string) json["role"] = "string";
  if (member.forces.empty()) return;
  json["at"] = member.points;
  for (const SceneForce& force : member.forces)
    json["forces"].push_back({{"name", force.name},
                              {"unit", force.unit},
                              {"values", packed_float(force.values)},
                              {"low", packed_float(force.low)},
                              {"high", packed_float(force.high)}});
  if (const auto& colour = member.colour)
    json["colour"] = {{"title", colour->title},
                      {"unit", colour->unit},
                      {"forces", colour->forces},
                      {"signless", colour->signless},
                      {"range", {colour->low, colour->high}}};
}

Json json_of(const SceneItem& item, const Scales& scales) {
  static constexpr const char* kinds[] = {"body",  "point", "line",  "spring", "circle",
                                          "joint", "arrow", "trace", "member"};
  using enum SceneItem::Kind;
  Json json = {{"kind", kinds[static_cast<std::size_t>(item.kind)]}, {"name", item.name}};
  const bool route = item.kind == line || item.kind == spring || item.kind == trace || item.kind == member;
  json[route ? "points" : "position"] = scales.packed(item.places, scales.place);
  if (item.kind == line || item.kind == member) json["count"] = item.count;
  if (item.kind == member) add_member(item.member, json);
  if (item.kind == joint) json["type"] = item.role;
  if ((item.kind == line || item.kind == arrow) && !item.role.empty()) json["role"] = item.role;
  static constexpr const char* details[] = {"rotation", "", "", "", "radius", "axis", "vector", "reference", "normals"};
  if (!item.details.empty()) {
    const bool places = item.kind == trace;
    json[details[static_cast<std::size_t>(item.kind)]] =
        scales.packed(item.details, places ? scales.place : fine * size_of(item.details));
  }
  if (const Json shape = json_of(item.shape); !shape.is_null()) json["shape"] = shape;
  return json;
}

}  // namespace

Json scene_data(const Scene& scene, const std::vector<double>& snapshots) {
  Json json = {{"dimension", scene.dimension}, {"up", scene.up}, {"time", packed_double(scene.time)}};
  if (scene.held) json["held"] = true;
  if (!snapshots.empty()) json["ghosts"] = snapshots;
  if (!scene.note.empty()) json["note"] = scene.note;
  for (const char letter : scene.axes) json["axes"].push_back(std::string(1, letter));
  json["items"] = Json::array();
  const Scales scales(scene);
  for (const SceneItem& item : scene.items) json["items"].push_back(json_of(item, scales));
  return json;
}

}  // namespace invar
