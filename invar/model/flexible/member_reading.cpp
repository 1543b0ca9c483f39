// See member_reading.h.
#include "invar/model/flexible/member_reading.h"

#include <fmt/format.h>

#include <cmath>

#include "invar/base/message.h"
#include "invar/expr/derivative.h"
#include "invar/model/mechanism/frame.h"
#include "invar/tape/function.h"

namespace invar::model {
namespace {

constexpr std::string_view arc_length_name = "s";

CentreLine read_arc(const Reading& reading, Section& item) {
  Section section = *item.table("arc", item.title() + ": arc");
  Arc arc{read_vector(reading, section, "from"), read_direction(reading, section, "along"),
          read_direction(reading, section, "towards"), read_positive(reading, section, "radius"),
          read_positive(reading, section, "angle")};
  section.finish();
  if (!(arc.along.cross(arc.towards).norm() > start_tolerance))
    section.fail(section.require("towards").value.position, "\"towards\" must not be along \"along\"");
  return arc_line(arc);
}

// Formulas of arc length: their slope has length one, or is the stretch.
CentreLine read_curve(Reading& reading, Section& item, bool may_be_stretched) {
  constexpr double unit = 1e-6;
  constexpr int probes = 16;
  const Expr s = enter_arc_length(reading, item);
  const std::vector<Expr> place = read_vector_formulas(reading, item, "curve", {.time = false});
  leave_arc_length(reading);
  use_up(reading, place, where(item, "curve"));
  CentreLine line{read_positive(reading, item, "length"), along_line(place, s),
                  along_line(directional(place, Exprs{s}, Exprs{1.0}), s)};
  for (int k = 0; k <= probes; ++k) {
    const double at = line.length * k / probes, slope = line.tangent(at).norm();
    if (!may_be_stretched && !(std::abs(slope - 1.0) < unit))
      item.fail(item.require("curve").value.position,
                fmt::format("\"curve\" must be given by arc length, but its slope at s = {:.4g} has length {:.6g}", at,
                            slope));
  }
  return line;
}

// Values of "s" in tables whose "on" is this name.
void find_places(const Value& value, const std::string& name, std::vector<const Value*>& found) {
  if (const auto* list = value.peek<Array>())
    for (const Value& inner : *list) find_places(inner, name, found);
  const auto* table = value.peek<Table>();
  if (!table) return;
  bool on = false;
  const Value* s = nullptr;
  for (const Entry& entry : *table) {
    if (const auto* text = entry.value.peek<std::string>(); text && entry.key == "on") on = *text == name;
    if (entry.key == arc_length_name) s = &entry.value;
    find_places(entry.value, name, found);
  }
  if (on && s) found.push_back(s);
}

}  // namespace

std::vector<Vector3> read_line_points(const Reading& reading, Section& item) {
  const Entry& entry = item.require("points");
  const auto* list = entry.value.as<Array>();
  if (!list || list->size() < 2) item.fail(entry.value.position, "\"points\" must be an array of two or more points");
  std::vector<Vector3> points;
  for (const Value& value : *list) {
    const Entry point{"points", value.position, value};
    const std::vector<double> x =
        read_numbers(reading, item, point, static_cast<std::size_t>(reading.parts->mechanism.dimension));
    points.emplace_back(x[0], x[1], x.size() > 2 ? x[2] : 0.0);
    if (points.size() > 1 && !((points.back() - points[points.size() - 2]).norm() > 0.0))
      item.fail(value.position, "this point is where the one before it is");
  }
  return points;
}

Expr enter_arc_length(Reading& reading, const Section& item) {
  if (reading.names.contains(arc_length_name))
    item.fail(item.position(), "the name \"s\" stands for arc length here; call what the model names so by another");
  const Expr s = reading.problem.system.graph.parameter(std::string(arc_length_name));
  reading.names.emplace(arc_length_name, Name{.kind = NameKind::parameter, .symbol = s});
  return s;
}

void leave_arc_length(Reading& reading) { reading.names.erase(reading.names.find(arc_length_name)); }

std::function<Vector3(double)> along_line(const std::vector<Expr>& formulas, const Expr& s) {
  Exprs arguments = {s};
  const auto function = std::make_shared<const Function>(arguments, formulas);
  return [function](double at) {
    Scratch scratch;
    std::vector<double> out(3);
    (*function)(std::vector<double>{at}, out, scratch);
    return Vector3(out[0], out[1], out[2]);
  };
}

CentreLine read_line(Reading& reading, Section& item, bool may_be_stretched) {
  const Entry* found = nullptr;
  for (const std::string_view key : {"points", "arc", "curve"}) {
    const Entry* entry = item.find(key);
    if (entry && found) item.fail(entry->position, "give either " + in_quotes(found->key) + " or " + in_quotes(key));
    if (entry) found = entry;
  }
  if (!found) item.fail(item.position(), "missing \"points\", \"arc\" or \"curve\"");
  if (found->key == "points") return line_through(read_line_points(reading, item));
  return found->key == "arc" ? read_arc(reading, item) : read_curve(reading, item, may_be_stretched);
}

std::vector<const Value*> places_on(const Reading& reading, const std::string& name) {
  std::vector<const Value*> found;
  for (const Entry& entry : reading.document.root) find_places(entry.value, name, found);
  return found;
}

MemberMesh read_mesh(const Reading& reading, Section& item, const std::string& name, double length) {
  constexpr int most_elements = 5000;
  const int elements = read_count(reading, item, "elements", 8), nodes = read_count(reading, item, "element_nodes", 3);
  if (elements < 1 || elements > most_elements)
    item.fail(item.require("elements").value.position,
              fmt::format("\"elements\" must lie between 1 and {}", most_elements));
  if (nodes != 2 && nodes != 3)
    item.fail(item.require("element_nodes").value.position, "\"element_nodes\" must be 2 or 3");
  std::vector<double> places;
  for (const Value* value : places_on(reading, name)) {
    const double s = read_number(reading, *value, "\"s\" on " + in_quotes(name));
    if (!(s >= 0.0 && s <= length * (1.0 + start_tolerance)))
      fail(reading.document, value->position,
           fmt::format("s = {:.6g} is not on {}, which is {:.6g} m long", s, in_quotes(name), length));
    places.push_back(std::min(s, length));
  }
  return {length, elements, nodes, std::move(places)};
}

std::optional<Station> read_end(const Reading& reading, Section& item, std::string_view key, const Vector3& place,
                                const Matrix3& axes) {
  const Entry* entry = item.find(key);
  if (!entry) return std::nullopt;
  Station end;
  if (entry->value.as<Table>()) {
    Section section = *item.table(key, item.title() + ": " + std::string(key));
    const Attachment given = read_attachment(reading, section);
    section.finish();
    end.body = given.body;
    const double off = (place_at_start(reading, given) - place).norm();
    if (section.find("at") && off > start_tolerance * std::max(1.0, place.norm()))
      item.fail(entry->value.position, fmt::format("its end is {:.6g} m away from there", off));
  } else {
    end.body = read_body(reading, item, read_text(item, key));
  }
  const Body* body = find_body(reading, end.body);
  if (body && body->point && (body->position - place).norm() > start_tolerance * std::max(1.0, place.norm()))
    item.fail(entry->value.position,
              fmt::format("its end is {:.6g} m away from there", (body->position - place).norm()));
  end.at = body ? Vector3(body->rotation.transpose() * (place - body->position)) : place;
  end.axes = body ? Matrix3(body->rotation.transpose() * axes) : axes;
  if (body && body->point) end.at.setZero();
  return end;
}

Station add_node(Reading& reading, const Section& item, Body node) {
  Mechanism& mechanism = reading.parts->mechanism;
  const auto n = static_cast<std::size_t>(mechanism.dimension);
  const auto enter = [&](const std::string& coordinate) {
    add_name(reading.names, reading.document, item.position(), coordinate, NameKind::placement);
  };
  for (std::size_t c = 0; c < n; ++c) enter(node.name + "." + axis_names[c]);
  for (std::size_t i = 1; !node.point && i <= n; ++i)
    for (std::size_t c = 0; c < n; ++c) enter(node.name + ".d" + std::to_string(i) + "." + axis_names[c]);
  const Station station{static_cast<int>(mechanism.bodies.size()), Vector3::Zero(), Matrix3::Identity()};
  mechanism.bodies.push_back(std::move(node));
  return station;
}

void enter_member(Reading& reading, const std::string& name, const MemberMesh& mesh,
                  const std::vector<Station>& stations) {
  Member& member = reading.parts->members[name];
  for (std::size_t k = 0; k < stations.size(); ++k)
    member.nodes.push_back({mesh.nodes()[k], stations[k].attachment(), stations[k].axes});
}

}  // namespace invar::model
