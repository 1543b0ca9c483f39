// [[joint]]: what two bodies let each other do. Places and axes are those of the start configuration, in the world.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <tuple>

#include "invar/base/message.h"
#include "invar/model/file/mechanism_reading.h"
#include "invar/model/joints/joint_kinds.h"

namespace invar::model {
namespace {

const JointKind& read_kind(const Reading& reading, Section& item) {
  const Text type = read_text(item, "type");
  std::vector<std::string> names = {"gear"};
  for (const JointKind* kind : joint_kinds) names.emplace_back(kind->name);
  offer(item.require("type").value, names);
  for (const JointKind* kind : joint_kinds) {
    if (kind->name != type.text) continue;
    if (reading.parts->mechanism.dimension == 2 && !kind->in_plane)
      item.fail(type.position, "a joint of type " + in_quotes(type.text) + " needs a world of dimension 3");
    return *kind;
  }
  item.fail(type.position, "unknown joint type " + in_quotes(type.text) + suggestion(type.text, names));
}

// In the plane bodies turn about z, which nobody has to say.
void read_axes(const Reading& reading, Section& item, const JointKind& kind, Joint& joint) {
  const bool planar = reading.parts->mechanism.dimension == 2;
  if (kind.axis && !(planar && kind.angle && !kind.turns_about_second_axis))
    joint.axis = read_direction(reading, item, "axis");
  if (!kind.second_axis) return;
  joint.second_axis = planar ? Vector3(Vector3::UnitZ()) : read_direction(reading, item, "second_axis");
  if (joint.axis.cross(joint.second_axis).norm() < start_tolerance)
    item.fail(item.require("second_axis").value.position, "\"axis\" and \"second_axis\" must not be parallel");
}

void read_places(const Reading& reading, Section& item, const JointKind& kind, Joint& joint) {
  const bool a_is_point = is_point(reading, joint.a), b_is_point = is_point(reading, joint.b);
  if (kind.to) {
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

void refuse_points(const Reading& reading, Section& item, const JointKind& kind, const Joint& joint) {
  // In the plane a pin needs no orientation as long as nobody asks for its angle.
  using Points = JointKind::Points;
  const bool pin = reading.parts->mechanism.dimension == 2 && !joint.angle;
  const Points points = pin ? std::max(kind.points, kind.pinned_points) : kind.points;
  if (points == Points::both) return;
  for (const int body : {joint.a, joint.b}) {
    if (!is_point(reading, body) || (points == Points::second && body == joint.b)) continue;
    item.fail(
        item.require("between").value.position,
        fmt::format("{} has no orientation, which a joint of type \"{}\" needs", in_words(reading, body), kind.name));
  }
}

// What `coordinate` says: one name, or for an angle and a displacement two.
std::vector<Text> read_names(Section& item, const JointKind& kind) {
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

void read_coordinates(Reading& reading, Section& item, const JointKind& kind, Joint& joint) {
  if (!kind.angle && !kind.slide) return;
  std::vector<Text> names = read_names(item, kind);
  const Position position = item.require("name").value.position;
  bool needed = kind.always_named;
  for (const std::string_view key : {"damping", "stiffness", "motion"}) needed = item.find(key) || needed;
  if (names.empty() && needed) names.push_back({joint.name + (kind.angle ? ".angle" : ".slide"), position});
  if (names.size() == 1 && kind.always_named && kind.angle && kind.slide)
    names.push_back({joint.name + ".slide", position});
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
  const JointKind& kind = read_kind(reading, item);
  joint.kind = &kind;
  std::tie(joint.a, joint.b) = read_pair(reading, item);
  read_coordinates(reading, item, kind, joint);
  refuse_points(reading, item, kind, joint);
  read_axes(reading, item, kind, joint);
  read_places(reading, item, kind, joint);
  if (kind.pitch) joint.pitch = read_real(reading, item, "pitch");
  item.finish();
  reading.parts->mechanism.joints.push_back(std::move(joint));
}

}  // namespace

void read_joints(Reading& reading, Section& top) {
  if (!reading.parts) return;
  for (Section& item : top.tables("joint", "[[joint]]")) read_joint(reading, item);
}

}  // namespace invar::model
