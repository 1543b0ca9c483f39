// [[string]]: cables with mass.
#include <fmt/format.h>

#include "invar/base/message.h"
#include "invar/model/flexible/member_reading.h"
#include "invar/model/flexible/read_members.h"
#include "invar/model/flexible/string_member.h"

namespace invar::model {
namespace {

// Formulas of arc length.
std::function<Vector3(double)> read_velocity(Reading& reading, Section& item) {
  if (!item.find("velocity")) return [](double) { return Vector3(Vector3::Zero()); };
  const Expr s = enter_arc_length(reading, item);
  const std::vector<Expr> velocity = read_vector_formulas(reading, item, "velocity", {.time = false});
  leave_arc_length(reading);
  use_up(reading, velocity, where(item, "velocity"));
  return along_line(velocity, s);
}

// Two points that are nearer to each other than the string is long: it hangs between them.
CentreLine read_string_line(Reading& reading, Section& item) {
  const Entry *points = item.find("points"), *length = item.find("length");
  const auto* list = points ? points->value.as<Array>() : nullptr;
  if (!length || !list || list->size() != 2) return read_line(reading, item, true);
  const std::vector<Vector3> ends = read_line_points(reading, item);
  const double long_as = read_positive(reading, item, "length");
  const Vector3& gravity = reading.parts->mechanism.gravity;
  constexpr double straight = 1e-9;
  if (long_as <= (ends[1] - ends[0]).norm() * (1.0 + straight)) return line_through(ends);
  if (gravity.isZero())
    item.fail(points->position, "without gravity nothing says how it hangs between two points; give more of them");
  CentreLine line;
  at_position(reading, item.position(), item.title() + ": ",
              [&] { line = catenary_line(ends[0], ends[1], long_as, gravity); });
  return line;
}

std::vector<Station> read_string_nodes(Reading& reading, Section& item, const std::string& name, const CentreLine& line,
                                       const MemberMesh& mesh) {
  const double stretch = line.length / mesh.length();
  const std::function<Vector3(double)> velocity = read_velocity(reading, item);
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
    node.velocity = velocity(mesh.nodes()[k]);
    stations.push_back(add_node(reading, item, std::move(node)));
  }
  return stations;
}

// A length that is out, to begin with that of the mesh.
std::optional<StringWinch> read_string_winch(Reading& reading, Section& item, const std::string& name, double length) {
  auto section = item.table("winch", item.title() + ": winch");
  if (!section) return std::nullopt;
  const Entry& entry = item.require("winch");
  if (!item.find("from")) item.fail(entry.position, "the winch winds the string up at \"from\", which is missing");
  if (item.find("damping"))
    item.fail(item.require("damping").position, "a string with a winch has no damping of its own");
  StringWinch winch{.out = add_coordinate(reading, read_text(*section, "coordinate"), length)};
  winch.stored = read_not_negative(reading, *section, "stored");
  winch.inertia = read_not_negative(reading, *section, "inertia", 0.0);
  if (winch.inertia > 0.0 || section->find("radius")) winch.radius = read_positive(reading, *section, "radius");
  section->finish();
  constexpr double end = 1e-9;  // of the length
  for (const Value* place : places_on(reading, name))
    if (const double s = read_number(reading, *place, "\"s\" on " + in_quotes(name)); s < (1.0 - end) * length)
      fail(reading.document, place->position,
           fmt::format("{} moves through a winch, so that nothing stays at s = {:.6g} of it; only its other end, s = "
                       "{:.6g}, can be spoken of",
                       in_quotes(name), s, length));
  return winch;
}

void read_string(Reading& reading, Section& item) {
  const std::string name = read_item_name(reading, item, NameKind::body, "string");
  const CentreLine line = read_string_line(reading, item);
  const double length =
      item.find("curve") || !item.find("length") ? line.length : read_positive(reading, item, "length");
  const MemberMesh mesh = read_mesh(reading, item, name, length);
  std::optional<StringWinch> winch = read_string_winch(reading, item, name, length);
  std::vector<Station> stations = read_string_nodes(reading, item, name, line, mesh);
  enter_member(reading, name, mesh, stations);
  const auto string = std::make_shared<StringMember>(mesh, std::move(stations));
  string->name = name;
  string->drawn = {.nodes = mesh.nodes(), .points = mesh.all_strain_points(), .forces = {{"N", "N"}}};
  string->mass = read_positive(reading, item, "mass_per_length");
  string->winch = std::move(winch);
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
