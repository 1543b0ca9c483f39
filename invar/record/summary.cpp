// summary.json: field by field, in the order of the struct.
#include "invar/record/summary.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <variant>

namespace invar {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* marker = "invar";
constexpr int format = 1;  // of the result folder; a reader may refuse what is newer than itself

Json json(const std::vector<std::pair<std::string, double>>& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = value;
  return object;
}

Json json(const Summary::Counts& c) {
  return {{"coordinates", c.coordinates},
          {"constraints", c.constraints},
          {"inputs", c.inputs},
          {"outputs", c.outputs},
          {"degrees_of_freedom", c.degrees_of_freedom}};
}

Json json(const Summary::Mechanism& m) {
  Json bodies = Json::array(), joints = Json::array(), redundant = Json::array();
  for (const auto& b : m.bodies) {
    bodies.push_back({{"name", b.name}, {"mass", b.mass}, {"principal_moments", b.principal_moments}});
    if (!b.remark.empty()) bodies.back()["remark"] = b.remark;
  }
  for (const auto& j : m.joints) joints.push_back({{"kind", j.kind}, {"names", j.names}});
  for (const auto& r : m.redundant)
    redundant.push_back(
        {{"part", r.kind}, {"name", r.name}, {"redundant", r.redundant}, {"constraints", r.constraints}});
  Json object = {
      {"dimension", m.dimension}, {"bodies", bodies}, {"joints", joints}, {"gears", m.gears}, {"cables", m.cables}};
  for (const auto& k : m.force_elements) object[k.kind + "s"] = k.names;
  object.update({{"joint_constraints", m.joint_constraints},
                 {"counted_degrees_of_freedom", m.counted_freedom},
                 {"degrees_of_freedom", m.freedom},
                 {"degrees_of_freedom_at_start", m.freedom_at_start},
                 {"redundant", redundant},
                 {"floating", m.floating}});
  return object;
}

struct ToJson {
  Json operator()(std::nullptr_t) const { return {}; }
  Json operator()(bool value) const { return value; }
  Json operator()(std::int64_t value) const { return value; }
  Json operator()(std::uint64_t value) const { return value; }
  Json operator()(double value) const { return value; }
  Json operator()(const std::string& value) const { return value; }
  Json operator()(const JsonList& list) const {
    Json result = Json::array();
    for (const JsonValue& value : list) result.push_back(std::visit(*this, value.data));
    return result;
  }
  Json operator()(const JsonObject& object) const {
    Json result = Json::object();
    for (const auto& [key, value] : object) result[key] = std::visit(*this, value.data);
    return result;
  }
};

// What kind of problem it is, also as its task sees it.
Json json(const Summary::Structure& s, const SummaryParts& parts) {
  Json redundant = Json::array();
  for (const Summary::Redundant& r : s.redundant_constraints)
    redundant.push_back({{"constraint", r.constraint}, {"follows_from", r.follows_from}});
  Json conserved = Json::array(), singular = Json::array();
  for (const Summary::Kept& k : s.conserved) {
    conserved.push_back({{"name", k.name}, {"conserved", k.conserved}});
    if (!k.conserved) conserved.back()["why_not"] = k.why_not;
  }
  for (const Summary::SingularConfiguration& c : s.singular_configurations)
    singular.push_back({{"t", c.t}, {"dependent", c.dependent}, {"parts", c.parts}});
  Json object = Json::object();
  for (const auto& part : parts) object.update(ToJson()(part->structure()));
  object.update({{"mass_matrix", s.mass_matrix},
                 {"redundant_constraints", redundant},
                 {"conserved", conserved},
                 {"singular_configurations", singular}});
  if (s.mechanism) object["mechanism"] = json(*s.mechanism);
  return object;
}

Json json(const std::vector<Summary::Change>& changes) {
  Json list = Json::array();
  for (const Summary::Change& c : changes) list.push_back({{"name", c.name}, {"given", c.given}, {"used", c.used}});
  return list;
}

Json json(const InvariantDrift& d) {
  Json object = {{"name", d.name}, {"drift", d.drift}, {"expected_constant", d.expected}};
  if (!d.expected) object["why_not"] = d.why_not;
  return object;
}

Json json(const Accuracy& a) {
  Json energy = json(a.energy);
  energy.erase("name");
  Json invariants = Json::array();
  for (const InvariantDrift& d : a.invariants) invariants.push_back(json(d));
  energy["relative"] = a.energy_relative;
  return {{"drift_position", a.drift_position},
          {"drift_velocity", a.drift_velocity},
          {"energy", energy},
          {"invariants", invariants}};
}

Json json(const CodeReport& report) {
  Json parts = Json::array();
  for (const CodeReport::Part& p : report.parts) {
    Json part = {{"name", p.name}, {"instructions", p.instructions}, {"points_at_once", p.points}};
    if (p.used) {
      part["from_seconds"] = p.from;
      part["from_cache"] = p.cached;
      part["compile_seconds"] = p.took;
    } else {
      part["why_not"] = p.why_not;
    }
    parts.push_back(std::move(part));
  }
  return {{"why_not", report.why_not}, {"parts", parts}};
}

Json json(const Summary::Newton& n) { return {{"total", n.total}, {"per_step", n.per_step}, {"max", n.max}}; }

}  // namespace

std::string program_version() { return INVAR_VERSION; }

namespace {

Json json(const Summary& s) {
  Json object = {{marker, format},
                 {"version", s.version},
                 {"name", s.name},
                 {"task", s.task},
                 {"method", s.method},
                 {"formulation", s.formulation},
                 {"parameters", json(s.parameters)},
                 {"step", s.step},
                 {"adaptive", s.adaptive},
                 {"until", s.until},
                 {"status", name_of(s.status)},
                 {"message", s.message},
                 {"counts", json(s.counts)},
                 {"structure", json(s.structure, s.parts)},
                 {"initial_changes", json(s.initial_changes)},
                 {"newton_iterations", json(s.newton_iterations)},
                 {"steps", s.steps},
                 {"substeps", s.substeps},
                 {"rejected_steps", s.rejected_steps},
                 {"recorded_rows", s.rows},
                 {"wall_seconds", s.wall_seconds},
                 {"compiled", s.machine_code.used()},
                 {"machine_code", json(s.machine_code)},
                 {"warnings", s.warnings}};
  // The other tasks have no motion, or one that is judged by the equations it solves.
  if (s.accuracy.measured) object["accuracy"] = json(s.accuracy);
  for (const auto& part : s.parts)
    if (!part->key().empty()) object[std::string(part->key())] = ToJson()(part->figures());
  return object;
}

// The first number that is not finite, by its keys: "accuracy.energy.drift". Empty if all are.
std::string not_finite(const Json& value, const std::string& name) {
  if (value.is_number_float()) return std::isfinite(value.get<double>()) ? std::string() : name;
  if (!value.is_structured()) return {};
  std::size_t place = 0;
  for (const auto& [key, part] : value.items()) {
    const std::string own = value.is_array() ? std::to_string(++place) : key;
    if (const std::string found = not_finite(part, name.empty() ? own : name + "." + own); !found.empty()) return found;
  }
  return {};
}

}  // namespace

std::string Summary::unit_of(const std::string& column) const {
  const auto found = units.find(column);
  return found == units.end() ? std::string() : found->second;
}

std::string Summary::unit_of(const std::vector<std::string>& columns) const {
  const std::string common = columns.empty() ? std::string() : unit_of(columns.front());
  const bool same = std::ranges::all_of(columns, [&](const std::string& c) { return unit_of(c) == common; });
  return same ? common : std::string();
}

namespace {

std::string behind(const std::string& unit) { return unit.empty() || unit == "1" ? std::string() : " " + unit; }

}  // namespace

std::string Summary::unit_behind(const std::string& column) const { return behind(unit_of(column)); }

std::string Summary::unit_behind(const std::vector<std::string>& columns) const { return behind(unit_of(columns)); }

void require_finite(Summary& s) {
  if (s.status != RunStatus::done) return;
  const std::string figure = not_finite(json(s), {});
  if (figure.empty()) return;
  s.status = RunStatus::failed;
  s.message = "the figure " + figure + " of the summary is not a finite number: the result cannot be judged";
}

std::string to_json(const Summary& s) {
  // Names come from files: bytes that are no UTF-8 are replaced rather than refused.
  return json(s).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_summary(std::string_view text) {
  const Json object = Json::parse(text, nullptr, false);
  return object.is_object() && object.contains(marker);
}

}  // namespace invar
