// [[string]]: cables with mass.
#include <fmt/format.h>

#include "invar/base/message.h"
#include "invar/model/flexible/member_reading.h"
#include "invar/model/flexible/read_members.h"
#include "invar/model/flexible/string_member.h"

namespace invar::model {
namespace {

std::vector<Station> read_string_nodes(Reading& reading, Section& item, const std::string& name, const CentreLine& line,
                                       const MemberMesh& mesh) {
  const double stretch = line.length / mesh.length();
  const Vector3 velocity = read_vector(reading, item, "velocity", Vector3::Zero()),
                spin = read_turning(reading, item, "angular_velocity", Vector3::Zero());
  std::vector<Station> stations;
  for (std::size_t k = 0; k < mesh.nodes().size(); ++k) {
    const Vector3 place = line.place(stretch * mesh.nodes()[k]);
    const bool first = k == 0, last = k + 1 == mesh.nodes().size();
    if (first || last)
      if (const auto end = read_end(reading, item, first ? "from" : "to", place, Matrix3::Identity())) {
        stations.push_back(*end);
        continue;
      }
    Body node;
    node.name = fmt::format("{}.n{}", name, k);
    node.node = node.point = true;
    node.position = place;
    node.velocity = velocity + spin.cross(place - line.place(0.0));
    stations.push_back(add_node(reading, item, std::move(node)));
  }
  return stations;
}

void read_string(Reading& reading, Section& item) {
  const std::string name = read_item_name(reading, item, NameKind::body, "string");
  const CentreLine line = read_line(reading, item);
  const double length =
      item.find("curve") || !item.find("length") ? line.length : read_positive(reading, item, "length");
  const MemberMesh mesh = read_mesh(reading, item, name, length);
  std::vector<Station> stations = read_string_nodes(reading, item, name, line, mesh);
  enter_member(reading, name, mesh, stations);
  const auto string = std::make_shared<StringMember>(mesh, std::move(stations));
  string->name = name;
  string->mass = read_positive(reading, item, "mass_per_length");
  const Entry* stiffness = item.find("EA");
  const bool rigid = item.find("inextensible") && item.boolean("inextensible");
  if (rigid == (stiffness != nullptr)) item.fail(item.position(), "give either \"EA\" or \"inextensible = true\"");
  if (stiffness) string->stiffness = read_positive(reading, item, "EA");
  string->damping = read_not_negative(reading, item, "damping", 0.0);
  if (rigid && string->damping > 0.0)
    item.fail(item.require("damping").position, "what cannot be stretched has no damping");
  item.finish();
  constexpr double unstretched = 1e-9;
  if (rigid && std::abs(line.length - length) > unstretched * length)
    item.fail(item.position(),
              fmt::format("is inextensible and {:.6g} m long, but its start is {:.6g} m long", length, line.length));
  reading.parts->mechanism.force_elements.push_back(string);
}

}  // namespace

void read_strings(Reading& reading, Section& top) {
  if (!reading.parts) return;
  for (Section& item : top.tables("string", "[[string]]")) read_string(reading, item);
}

}  // namespace invar::model
