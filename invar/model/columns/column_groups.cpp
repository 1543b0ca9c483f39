// See column_groups.h.
#include "invar/model/columns/column_groups.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "invar/model/columns/dimension.h"
#include "invar/model/mechanism/force_element.h"
#include "invar/model/mechanism/member_line.h"

namespace invar {

using namespace std::string_view_literals;

std::string group_of(const std::string& column) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> groups = {
      {{"lambda.", "reactions"},
       {"tension.", "reactions"},
       {"energy.", "energy"},
       {"momentum.", "momentum"},
       {"angular_momentum.", "momentum"},
       {"drift.", "drift"},
       {"error.", "errors"},
       {"reference.", "references"}}};
  if (column == "hamiltonian") return column;
  for (const auto& [prefix, group] : groups)
    if (column.starts_with(prefix)) return std::string(group);
  return column.ends_with('\'') ? "velocities" : "coordinates";
}

namespace {

using Names = std::unordered_set<std::string>;

// NAME.rest for a name among these and a rest that begins with one of the parts.
bool begins_with_part(const Names& names, std::string_view column, std::span<const std::string_view> parts) {
  for (std::size_t dot = column.find('.'); dot != column.npos; dot = column.find('.', dot + 1))
    if (std::ranges::any_of(parts, [&](auto part) { return column.substr(dot).starts_with(part); }) &&
        names.contains(std::string(column.substr(0, dot))))
      return true;
  return false;
}

enum class Measure { none, length, angle, spin };

// What coordinates and outputs of a mechanism measure, by their names.
std::unordered_map<std::string, Measure> measures_of(const Mechanism& m) {
  std::unordered_map<std::string, Measure> all;
  const auto add = [&](const std::optional<NamedCoordinate>& x, Measure measure) {
    if (x) all.try_emplace(x->variable.name(), measure);
  };
  const auto add_places = [&](const std::string& owner, Measure measure) {
    for (const char* axis : {".x", ".y", ".z"}) all.try_emplace(owner + axis, measure);
  };
  const auto add_all = [&](const std::string& owner, std::initializer_list<const char*> parts, Measure measure) {
    for (const char* part : parts) all.try_emplace(owner + part, measure);
  };
  const auto add_freedoms = [&](const std::string& owner) {  // as minimal coordinates are called
    add_all(owner, {".angle", ".angle1", ".angle2", ".angle3"}, Measure::angle);
    add_all(owner, {".slide", ".slide1", ".slide2", ".move.x", ".move.y", ".move.z"}, Measure::length);
  };
  for (const Joint& joint : m.joints) {
    add(joint.angle, Measure::angle);
    add(joint.slide, Measure::length);
    add_freedoms(joint.name);
  }
  for (const Cable& cable : m.cables) add(cable.wound, Measure::length);
  for (const auto& element : m.force_elements)
    if (const NamedCoordinate* own = element->coordinate()) add(*own, Measure::length);
  for (const Body& body : m.bodies) {
    add_places(body.name, Measure::length);
    add_freedoms(body.name);
  }
  for (const Output& output : m.outputs)
    if (output.point || output.spin) add_places(output.name, output.point ? Measure::length : Measure::spin);
  return all;
}

std::string per_second(const std::string& unit) { return unit == "1" ? "1/s" : unit + "/s"; }

}  // namespace

struct ColumnGroups::Tables {
  const Problem& problem;
  Names inputs, outputs, coordinates, bodies, nodes;
  std::unordered_map<std::string, const Constraint*> constraints;
  std::unordered_map<std::string, Measure> measures;
  std::unordered_map<std::string, const Actuator*> actuators;
  std::unordered_map<std::string, const MemberLine*> members;

  explicit Tables(const Problem& p) : problem(p) {
    for (const Input& x : p.system.inputs) inputs.insert(x.name);
    for (const Quantity& x : p.system.outputs) outputs.insert(x.name);
    for (const Variable& x : p.system.coordinates) coordinates.insert(x.name());
    for (const Constraint& c : p.system.constraints) constraints.try_emplace(c.name, &c);
    if (!p.mechanism) return;
    for (const Body& body : p.mechanism->bodies) (body.node ? nodes : bodies).insert(body.name);
    for (const auto& element : p.mechanism->force_elements)
      if (const MemberLine* line = element->member()) members.try_emplace(element->name, line);
    for (const Actuator& actuator : p.mechanism->actuators) actuators.try_emplace(actuator.name, &actuator);
    measures = measures_of(*p.mechanism);
  }

  // Axes of bodies, and the forces that keep them at right angles, are for the animation and for the table; nodes and
  // section forces of beams and strings for the animation and its diagrams.
  bool is_inner(std::string_view column) const {
    static constexpr std::array parts = {".d1."sv, ".d2."sv, ".d3."sv, ".length"sv, ".right"sv};
    static constexpr std::array all = {"."sv};
    for (const std::string_view reaction : {"lambda."sv, "tension."sv})
      if (column.starts_with(reaction)) return is_inner(column.substr(reaction.size()));
    return begins_with_part(bodies, column, parts) || begins_with_part(nodes, column, all) || section_force(column);
  }

  // NAME.k.FORCE of a beam or string; nothing if it is something else.
  const SectionForce* section_force(std::string_view column) const {
    const std::size_t second = column.rfind('.');
    const std::size_t first = second == column.npos || second == 0 ? column.npos : column.rfind('.', second - 1);
    if (first == column.npos) return nullptr;
    const auto member = members.find(std::string(column.substr(0, first)));
    const std::string_view point = column.substr(first + 1, second - first - 1);
    if (member == members.end() || point.find_first_not_of("0123456789") != point.npos) return nullptr;
    const auto force = std::ranges::find(member->second->forces, column.substr(second + 1), &SectionForce::name);
    return force == member->second->forces.end() ? nullptr : &*force;
  }

  Measure measure_of(const std::string& name) const {
    const auto found = measures.find(name);
    return found == measures.end() ? Measure::none : found->second;
  }

  // Of a coordinate, without its primes.
  std::string unit_of_coordinate(const std::string& name) const {
    if (const auto told = problem.units.find(name); told != problem.units.end()) return told->second;
    if (is_director(name)) return "1";
    switch (measure_of(name)) {
      case Measure::length: return "m";
      case Measure::angle: return "rad";
      default: return {};
    }
  }

  bool is_director(std::string_view name) const {
    static constexpr std::array parts = {".d1."sv, ".d2."sv, ".d3."sv};
    return begins_with_part(bodies, name, parts) || begins_with_part(nodes, name, parts);
  }

  std::optional<Dimension> dimension_of_constraint(const Constraint& c) const {
    return dimension_of(c.expr, [&](const Expr& symbol) -> std::optional<Dimension> {
      if (symbol.kind() != SymbolKind::variable) return std::nullopt;
      const auto own = read_dimension(unit_of_coordinate(symbol.name()));
      return own ? std::optional(*own * Dimension{0, 0, -symbol.order()}) : own;
    });
  }

  // λ dΦ is work; at velocity level λΦ is power, at acceleration level λ goes with what Φ does in s².
  std::string unit_of_multiplier(const std::string& name) const {
    const auto found = constraints.find(name);
    if (found == constraints.end()) return {};
    const Constraint& c = *found->second;
    const auto dimension = dimension_of_constraint(c);
    if (!dimension) return {};
    const int rates = c.level == Level::position ? 0 : c.level == Level::velocity ? 1 : 2;
    return unit_name(joule * power(*dimension, -1) * Dimension{0, 0, -rates});
  }

  // Of the largest Φ, or of its rate, where all that have one agree.
  std::string unit_of_residual(bool rate) const {
    constexpr std::size_t many = 200;  // a large mechanism has constraints of all kinds
    if (problem.system.constraints.size() > many) return {};
    std::optional<Dimension> common;
    for (const Constraint& c : problem.system.constraints) {
      if (c.level == Level::acceleration || (c.level == Level::velocity && !rate)) continue;
      const auto dimension = dimension_of_constraint(c);
      if (!dimension) return {};
      const Dimension own = c.level == Level::position && rate ? *dimension * Dimension{0, 0, -1} : *dimension;
      if (common && *common != own) return {};
      common = own;
    }
    return common ? unit_name(*common) : std::string();
  }

  // momentum.NAME = ∂T/∂q' of a coordinate that T and V do not contain.
  std::string unit_of_cyclic_momentum(std::string_view column) const {
    constexpr std::string_view prefix = "momentum.";
    if (!column.starts_with(prefix)) return {};
    const auto own = read_dimension(unit_of_coordinate(std::string(column.substr(prefix.size()))));
    return own ? unit_name(joule * power(*own, -1) * Dimension{0, 0, 1}) : std::string();
  }

  std::string unit_of_input(const std::string& name) const {
    const auto found = actuators.find(name);
    if (found == actuators.end() || found->second->gain != 1.0) return {};
    const Actuator& actuator = *found->second;
    if (actuator.coordinate) return measure_of(actuator.coordinate->name()) == Measure::angle ? "N m" : "N";
    if (actuator.force.isZero()) return actuator.torque.norm() == 1.0 ? "N m" : "";
    if (actuator.torque.isZero()) return actuator.force.norm() == 1.0 ? "N" : "";
    return {};
  }
};

ColumnGroups::ColumnGroups(const Problem& problem) : tables_(std::make_shared<const Tables>(problem)) {}

std::optional<std::string> ColumnGroups::shown(const std::string& column) const {
  std::string group = group_of(column);
  if (column == "t" || group == "references" || tables_->is_inner(column)) return std::nullopt;
  if (group != "coordinates") return group;
  if (tables_->inputs.contains(column)) return "inputs";
  if (tables_->outputs.contains(column)) return "outputs";
  if (tables_->coordinates.contains(column)) return group;
  return "Further quantities";
}

std::string ColumnGroups::unit_of(const std::string& column) const {
  if (constexpr std::string_view error = "error."; column.starts_with(error))
    return unit_of(column.substr(error.size()));
  const bool rate = column.ends_with('\'');
  const std::string quantity = rate ? column.substr(0, column.size() - 1) : column;
  const Problem& problem = tables_->problem;
  if (const auto told = problem.units.find(quantity); told != problem.units.end())
    return rate ? per_second(told->second) : told->second;
  if (column.starts_with("energy.")) return "J";
  if (column.starts_with("tension.")) return "N";
  if (column == "drift.position" || column == "drift.velocity")
    return tables_->unit_of_residual(column == "drift.velocity");
  if (column.starts_with("lambda.")) return tables_->unit_of_multiplier(column.substr("lambda."sv.size()));
  if (!problem.mechanism) return tables_->unit_of_cyclic_momentum(column);
  if (const SectionForce* force = tables_->section_force(column)) return std::string(force->unit);
  if (column.starts_with("momentum.")) return "kg m/s";
  if (column.starts_with("angular_momentum.")) return "kg m²/s";
  switch (tables_->measure_of(quantity)) {
    case Measure::length: return rate ? "m/s" : "m";
    case Measure::angle: return rate ? "rad/s" : "rad";
    case Measure::spin: return rate ? "rad/s²" : "rad/s";
    case Measure::none: return tables_->unit_of_input(column);
  }
  return {};
}

std::map<std::string, std::string> named_units(const Problem& problem) {
  const ColumnGroups groups(problem);
  std::map<std::string, std::string> units;
  const auto add = [&](const std::string& column) {
    if (std::string unit = groups.unit_of(column); !unit.empty()) units.try_emplace(column, std::move(unit));
  };
  for (const Variable& q : problem.system.coordinates)
    for (const std::string& column : {q.name(), q.name() + "'", "momentum." + q.name()}) add(column);
  for (const Input& u : problem.system.inputs) add(u.name);
  for (const Quantity& y : problem.system.outputs)
    for (const std::string& column : {y.name, "error." + y.name}) add(column);
  for (const char* momentum : {"momentum.", "angular_momentum."})
    for (const char* axis : {"x", "y", "z"}) add(std::string(momentum) + axis);
  for (const char* drift : {"drift.position", "drift.velocity"}) add(drift);
  return units;
}

const TimeFunction* path_of(const Problem& problem, const std::string& output) {
  for (const ServoTarget& target : problem.targets)
    if (target.output == output && !target.follow.empty()) return target.follow.front().function.get();
  return nullptr;
}

std::vector<double> values_at(const TimeFunction& path, const std::vector<double>& time) {
  std::vector<double> values(time.size());
  for (std::size_t k = 0; k < time.size(); ++k) path.series(time[k], Side::right, {&values[k], 1});
  return values;
}

}  // namespace invar
