// summary.json: field by field, in the order of the struct.
#include "invar/record/summary.h"

#include <nlohmann/json.hpp>

namespace invar {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* marker = "invar";
constexpr int format = 1;  // of the result folder; a reader may refuse what is newer than itself

Json json(const Summary::Counts& c) {
  return {{"coordinates", c.coordinates},
          {"constraints", c.constraints},
          {"inputs", c.inputs},
          {"outputs", c.outputs},
          {"degrees_of_freedom", c.degrees_of_freedom}};
}

Json json(const Summary::Structure& s) {
  Json redundant = Json::array();
  for (const Summary::Redundant& r : s.redundant_constraints)
    redundant.push_back({{"constraint", r.constraint}, {"follows_from", r.follows_from}});
  return {{"mass_matrix", s.mass_matrix}, {"redundant_constraints", redundant}};
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

Json json(const Summary::Newton& n) { return {{"total", n.total}, {"per_step", n.per_step}, {"max", n.max}}; }

Json json(const Summary::Inversion& i) {
  Json needed = Json::array(), zeros = Json::array(), singular = Json::array();
  for (const auto& n : i.needed_derivatives)
    needed.push_back({{"output", n.output}, {"continuous_derivatives", n.order}, {"given", n.given}});
  for (const std::complex<double>& z : i.zero_dynamics) zeros.push_back({z.real(), z.imag()});
  for (const auto& s : i.singular_times) singular.push_back({{"t", s.t}, {"open", s.open}, {"vanishing", s.vanishing}});
  return {{"unknowns", i.unknowns},
          {"index", i.index},
          {"formal_index", i.formal_index},
          {"degrees_of_freedom", i.degrees_of_freedom},
          {"flat", i.flat},
          {"hidden_structure", i.hidden_structure},
          {"realisation", i.realisation},
          {"needed_derivatives", needed},
          {"zero_dynamics", zeros},
          {"singular_times", singular},
          {"equation_residual", i.equation_residual},
          {"servo_error", i.servo_error},
          {"round_trip_error", i.round_trip ? Json(*i.round_trip) : Json()},
          {"round_trip_from", i.round_trip ? Json(i.round_trip_from) : Json()},
          {"verdict", i.verdict}};
}

}  // namespace

std::string program_version() { return INVAR_VERSION; }

std::string to_json(const Summary& s) {
  Json object = {{marker, format},
                 {"version", s.version},
                 {"name", s.name},
                 {"task", s.task},
                 {"method", s.method},
                 {"formulation", s.formulation},
                 {"step", s.step},
                 {"until", s.until},
                 {"status", s.status},
                 {"message", s.message},
                 {"counts", json(s.counts)},
                 {"structure", json(s.structure)},
                 {"initial_changes", json(s.initial_changes)},
                 {"accuracy", json(s.accuracy)},
                 {"newton_iterations", json(s.newton_iterations)},
                 {"steps", s.steps},
                 {"substeps", s.substeps},
                 {"wall_seconds", s.wall_seconds},
                 {"compiled", s.compiled},
                 {"warnings", s.warnings}};
  if (s.inversion) object["inversion"] = json(*s.inversion);
  // Names come from files: bytes that are no UTF-8 are replaced rather than refused.
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_summary(std::string_view text) {
  const Json object = Json::parse(text, nullptr, false);
  return object.is_object() && object.contains(marker);
}

}  // namespace invar
