// See column_groups.h.
#include "invar/report/rows/column_groups.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

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

// Axes of bodies, and the forces that keep them at right angles, are for the animation and for the table.
bool is_inner(const Problem& problem, const std::string& column) {
  if (!problem.mechanism) return false;
  for (const Body& body : problem.mechanism->bodies)
    for (const char* part : {".d1.", ".d2.", ".d3.", ".length", ".right"})
      if (column.starts_with(body.name + part) || column.starts_with("lambda." + body.name + part)) return true;
  return false;
}

enum class Measure { none, length, angle, spin };

// What a coordinate of a mechanism measures, by its name.
Measure measure_of(const Mechanism& m, const std::string& name) {
  const auto is = [&](const std::optional<NamedCoordinate>& x) { return x && x->variable.name() == name; };
  for (const Joint& joint : m.joints) {
    if (is(joint.angle)) return Measure::angle;
    if (is(joint.slide)) return Measure::length;
  }
  for (const Cable& cable : m.cables)
    if (is(cable.wound)) return Measure::length;
  const auto at = [&](const std::string& owner) {
    return name.size() == owner.size() + 2 && name.starts_with(owner + ".") &&
           "xyz"sv.find(name.back()) != "xyz"sv.npos;
  };
  for (const Body& body : m.bodies)
    if (at(body.name)) return Measure::length;
  for (const Output& output : m.outputs)
    if (at(output.name) && (output.point || output.spin)) return output.point ? Measure::length : Measure::spin;
  return Measure::none;
}

// Of a multiplier of a joint: what holds two points together, or slides them along an axis, is a force, what aligns
// axes a moment.
std::string unit_of_multiplier(const Mechanism& m, std::string_view column) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> parts = {{{"x", "N"},
                                                                                           {"y", "N"},
                                                                                           {"z", "N"},
                                                                                           {"side1", "N"},
                                                                                           {"side2", "N"},
                                                                                           {"slide", "N"},
                                                                                           {"tilt1", "N m"},
                                                                                           {"tilt2", "N m"},
                                                                                           {"turn", "N m"},
                                                                                           {"angle", "N m"}}};
  for (const Joint& joint : m.joints)
    if (const std::string prefix = "lambda." + joint.name + "."; column.starts_with(prefix))
      for (const auto& [part, unit] : parts)
        if (column.substr(prefix.size()) == part) return std::string(unit);
  return {};
}

std::string unit_of_input(const Mechanism& m, const std::string& name) {
  for (const Actuator& actuator : m.actuators) {
    if (actuator.name != name || actuator.gain != 1.0) continue;
    if (actuator.coordinate) return measure_of(m, actuator.coordinate->name()) == Measure::angle ? "N m" : "N";
    if (actuator.force.isZero()) return actuator.torque.norm() == 1.0 ? "N m" : "";
    if (actuator.torque.isZero()) return actuator.force.norm() == 1.0 ? "N" : "";
  }
  return {};
}

std::string per_second(const std::string& unit) { return unit == "1" ? "1/s" : unit + "/s"; }

}  // namespace

std::optional<std::string> shown_group(const Problem& problem, const std::string& column) {
  const System& system = problem.system;
  const auto named = [&](const auto& list, const auto& name_of) {
    return std::any_of(list.begin(), list.end(), [&](const auto& x) { return name_of(x) == column; });
  };
  std::string group = group_of(column);
  if (column == "t" || group == "references" || is_inner(problem, column)) return std::nullopt;
  if (group != "coordinates") return group;
  if (named(system.inputs, [](const Input& x) { return x.name; })) return "inputs";
  if (named(system.outputs, [](const Quantity& x) { return x.name; })) return "outputs";
  if (named(system.coordinates, [](const Variable& x) { return x.name(); })) return group;
  return "further quantities";
}

std::string unit_of(const Problem& problem, const std::string& column) {
  if (constexpr std::string_view error = "error."; column.starts_with(error))
    return unit_of(problem, column.substr(error.size()));
  const bool rate = column.ends_with('\'');
  const std::string quantity = rate ? column.substr(0, column.size() - 1) : column;
  if (const auto told = problem.units.find(quantity); told != problem.units.end())
    return rate ? per_second(told->second) : told->second;
  if (column.starts_with("energy.")) return "J";
  if (column.starts_with("tension.")) return "N";
  if (!problem.mechanism) return {};
  if (column.starts_with("lambda.")) return unit_of_multiplier(*problem.mechanism, column);
  if (column.starts_with("momentum.")) return "kg m/s";
  if (column.starts_with("angular_momentum.")) return "kg m²/s";
  switch (measure_of(*problem.mechanism, quantity)) {
    case Measure::length: return rate ? "m/s" : "m";
    case Measure::angle: return rate ? "rad/s" : "rad";
    case Measure::spin: return rate ? "rad/s²" : "rad/s";
    case Measure::none: return unit_of_input(*problem.mechanism, column);
  }
  return {};
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
