// [[joint]]: what two bodies let each other do. Places and axes are those of the start configuration, in the world.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <tuple>

#include "invar/base/message.h"
#include "invar/model/mechanism/joint_names.h"
#include "invar/model/tables/mechanism_reading.h"

namespace invar::model {
namespace {

enum class Points { none, second, both };  // which of the two may be point masses

struct Kind {
  std::string_view name;
  JointKind kind;
  bool axis, angle, slide;
  bool anywhere;  // what the joint says does not depend on its place
  bool in_plane;
  Points points;
};
constexpr Kind kinds[] = {
    {"fixed", JointKind::fixed, false, false, false, true, true, Points::none},
    {"revolute", JointKind::revolute, true, true, false, false, true, Points::none},
    {"prismatic", JointKind::prismatic, true, false, true, true, true, Points::none},
    {"cylindrical", JointKind::cylindrical, true, true, true, false, false, Points::none},
    {"spherical", JointKind::spherical, false, false, false, false, false, Points::both},
    {"universal", JointKind::universal, true, false, false, false, false, Points::none},
    {"planar", JointKind::planar, true, false, false, true, false, Points::none},
    {"distance", JointKind::distance, false, false, false, false, true, Points::both},
    {"point-on-line", JointKind::point_on_line, true, false, true, false, true, Points::second},
    {"point-on-plane", JointKind::point_on_plane, true, false, false, false, false, Points::second},
    {"screw", JointKind::screw, true, true, true, false, false, Points::none},
};

const Kind& read_kind(const Reading& reading, Section& item) {
  const Text type = read_text(item, "type");
  std::vector<std::string> names = {"gear"};
  for (const Kind& kind : kinds) {
    names.emplace_back(kind.name);
    if (kind.name != type.text) continue;
    if (reading.parts->mechanism.dimension == 2 && !kind.in_plane)
      item.fail(type.position, "a joint of type " + in_quotes(type.text) + " needs a world of dimension 3");
    return kind;
  }
  item.fail(type.position, "unknown joint type " + in_quotes(type.text) + suggestion(type.text, names));
}

void read_axes(const Reading& reading, Section& item, const Kind& kind, Joint& joint) {
  const bool turns_in_plane = reading.parts->mechanism.dimension == 2 && kind.angle;  // about z
  if (!kind.axis || turns_in_plane) return;
  joint.axis = read_direction(reading, item, "axis");
  if (kind.kind != JointKind::universal) return;
  joint.second_axis = read_direction(reading, item, "second_axis");
  if (joint.axis.cross(joint.second_axis).norm() < start_tolerance)
    item.fail(item.require("second_axis").value.position, "\"axis\" and \"second_axis\" must not be parallel");
}

// A point mass has one place only: that is where the joint is, whether it is said or not.
Vector3 read_place(const Reading& reading, Section& item, std::string_view key, int point) {
  const Vector3 there = find_body(reading, point)->position;
  const Vector3 given = read_vector(reading, item, key, there);
  const double off = (given - there).stableNorm();
  if (off > start_tolerance * std::max(given.stableNorm(), there.stableNorm()))
    item.fail(item.require(key).value.position,
              fmt::format("the start configuration violates it: {} is {:.6g} m away from {}", in_words(reading, point),
                          off, in_quotes(key)));
  return there;
}

void read_places(const Reading& reading, Section& item, const Kind& kind, Joint& joint) {
  const bool a_is_point = is_point(reading, joint.a), b_is_point = is_point(reading, joint.b);
  if (kind.kind == JointKind::distance) {
    joint.at = a_is_point ? read_place(reading, item, "at", joint.a) : read_vector(reading, item, "at");
    joint.to = b_is_point ? read_place(reading, item, "to", joint.b) : read_vector(reading, item, "to");
    if (!((joint.to - joint.at).stableNorm() > 0.0))
      item.fail(item.position(), "its two points are at the same place; use \"spherical\"");
    return;
  }
  const Body* some = find_body(reading, joint.b != ground ? joint.b : joint.a);
  joint.at = b_is_point      ? read_place(reading, item, "at", joint.b)
             : a_is_point    ? read_place(reading, item, "at", joint.a)
             : kind.anywhere ? read_vector(reading, item, "at", some->position)
                             : read_vector(reading, item, "at");
  if (a_is_point && b_is_point) read_place(reading, item, "at", joint.a);
}

void refuse_points(const Reading& reading, Section& item, const Kind& kind, const Joint& joint) {
  // In the plane a revolute joint is a pin, which needs no orientation as long as nobody asks for its angle.
  const bool pin = reading.parts->mechanism.dimension == 2 && kind.kind == JointKind::revolute && !joint.angle;
  if (pin || kind.points == Points::both) return;
  for (const int body : {joint.a, joint.b}) {
    if (!is_point(reading, body) || (kind.points == Points::second && body == joint.b)) continue;
    item.fail(
        item.require("between").value.position,
        fmt::format("{} has no orientation, which a joint of type \"{}\" needs", in_words(reading, body), kind.name));
  }
}

// What `coordinate` says: one name, or for an angle and a displacement two.
std::vector<Text> read_names(Section& item, const Kind& kind) {
  const Entry* entry = item.find("coordinate");
  if (!entry) return {};
  if (!entry->value.as<Array>()) return {read_text(item, "coordinate")};
  std::vector<Text> names = item.strings("coordinate");
  const std::size_t most = kind.angle && kind.slide ? 2 : 1;
  if (names.size() > most)
    item.fail(entry->value.position, fmt::format("a joint of type \"{}\" has {} coordinate{}, not {}", kind.name, most,
                                                 most == 1 ? "" : "s", names.size()));
  return names;
}

// Where the coordinates start; zero if nothing is said.
std::vector<double> read_starts(const Reading& reading, Section& item, std::size_t count) {
  const Entry* entry = item.find("start");
  if (!entry) return std::vector<double>(count, 0.0);
  if (count == 0) item.fail(entry->position, "\"start\" is that of a \"coordinate\", which has no name");
  if (count == 1 && !entry->value.as<Array>()) return {read_real(reading, item, "start")};
  return read_numbers(reading, item, *entry, count);
}

void read_coordinates(Reading& reading, Section& item, const Kind& kind, Joint& joint) {
  if (!kind.angle && !kind.slide) return;
  std::vector<Text> names = read_names(item, kind);
  const Position position = item.require("name").value.position;
  bool needed = kind.kind == JointKind::screw;
  for (const std::string_view key : {"damping", "stiffness", "motion"}) needed = item.find(key) || needed;
  if (names.empty() && needed) names.push_back({joint.name + (kind.angle ? ".angle" : ".slide"), position});
  if (names.size() == 1 && kind.kind == JointKind::screw) names.push_back({joint.name + ".slide", position});
  const std::vector<double> starts = read_starts(reading, item, names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    (kind.angle && i == 0 ? joint.angle : joint.slide) = add_coordinate(reading, names[i], starts[i]);
  joint.damping = read_not_negative(reading, item, "damping", 0.0);
  joint.stiffness = read_real(reading, item, "stiffness", 0.0);
  if (const Entry* rest = item.find("rest"); rest && !item.find("stiffness"))
    item.fail(rest->position, "\"rest\" is where \"stiffness\" pulls to, which is missing");
  joint.rest = read_real(reading, item, "rest", 0.0);
  if (const Entry* level = item.find("motion_level"); level && !item.find("motion"))
    item.fail(level->position, "\"motion_level\" has no meaning without \"motion\"");
}

void read_joint(Reading& reading, Section& item) {
  Joint joint;
  joint.name = read_item_name(reading, item, NameKind::joint);
  if (is_gear(item)) {
    for (const std::string_view key : {"type", "coordinates", "ratio"}) item.find(key);
    item.finish();
    return;
  }
  const Kind& kind = read_kind(reading, item);
  joint.kind = kind.kind;
  std::tie(joint.a, joint.b) = read_pair(reading, item);
  read_coordinates(reading, item, kind, joint);
  refuse_points(reading, item, kind, joint);
  read_axes(reading, item, kind, joint);
  read_places(reading, item, kind, joint);
  if (kind.kind == JointKind::screw) joint.pitch = read_real(reading, item, "pitch");
  item.finish();
  reading.parts->mechanism.joints.push_back(std::move(joint));
}

}  // namespace

bool is_gear(Section& item) { return item.find("type") && item.string("type") == "gear"; }

void read_joints(Reading& reading, Section& top) {
  if (!reading.parts) return;
  for (Section& item : top.tables("joint", "[[joint]]")) read_joint(reading, item);
}

}  // namespace invar::model

std::string invar::name_of(JointKind kind) {
  for (const model::Kind& k : model::kinds)
    if (k.kind == kind) return std::string(k.name);
  return {};
}
