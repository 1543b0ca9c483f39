// summary.json: field by field, in the order of the struct.
#include "invar/record/summary.h"

#include <cmath>
#include <nlohmann/json.hpp>

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

void add(const MeshQuality& mesh, Json& object) {
  if (mesh.error) {
    const MeshQuality::Error& e = *mesh.error;
    Json& error = object["mesh_error"] = {{"coordinate", e.coordinate}};
    if (e.end) error.update({{"end", *e.end}, {"relative", e.relative}});
    error.update({{"steps", e.steps}, {"grows_in_open_loop", e.grows}});
  }
  if (mesh.between)
    object["between_nodes"] = {{"limit", mesh.between->limit},
                               {"violation", mesh.between->amount},
                               {"t", mesh.between->t},
                               {"places_added", mesh.inner_places}};
  if (!mesh.no_limit.empty()) object["no_limit"] = mesh.no_limit;
}

Json json(const Summary::Optimization& o) {
  Json object = {{"method", o.method},
                 {"cost", o.cost},
                 {"horizon", o.horizon},
                 {"intervals", o.intervals},
                 {"iterations", o.iterations},
                 {"solver", o.solver},
                 {"second_order", o.second_order},
                 {"guess", o.guess},
                 {"guesses", o.guesses},
                 {"saddles_left", o.saddles},
                 {"infeasibility", o.infeasibility},
                 {"kkt_residual", o.kkt},
                 {"energy_balance", o.energy_balance},
                 {"energy_balance_relative", o.energy_balance_relative},
                 {"hamiltonian", o.hamiltonian},
                 {"hamiltonian_drift", o.hamiltonian_drift},
                 {"active_bounds", o.active_bounds}};
  if (o.replay) object["replay"] = *o.replay;
  add(o.mesh, object);
  if (!o.meshes.empty()) object["meshes"] = Json::array();
  for (const auto& mesh : o.meshes)
    object["meshes"].push_back({{"intervals", mesh.intervals}, {"cost", mesh.cost}, {"hamiltonian", mesh.hamiltonian}});
  if (o.limit) object["limit"] = *o.limit;
  if (o.order) object["order"] = *o.order;
  return object;
}

Json json(const Summary::Control& c) {
  Json object = {{"controller", c.controller}, {"period", c.period}};
  if (c.spectral_radius) object["spectral_radius"] = *c.spectral_radius;
  object["samples"] = c.samples;
  object["errors"] = Json::array();
  for (const auto& e : c.errors)
    object["errors"].push_back({{"output", e.output}, {"max", e.largest}, {"rms", e.rms}, {"last", e.last}});
  object["inputs"] = Json::array();
  for (const auto& e : c.efforts) object["inputs"].push_back({{"input", e.input}, {"max", e.largest}, {"rms", e.rms}});
  object["saturated_share"] = c.saturated;
  object["constraint_violation"] = c.constraint_violation;
  object["computing_time"] = {{"worst_per_period", c.worst_time}, {"p99_per_period", c.usual_time}};
  return object;
}

Json pairs(const std::vector<std::complex<double>>& numbers) {
  Json list = Json::array();
  for (const std::complex<double>& z : numbers) list.push_back({z.real(), z.imag()});
  return list;
}

// What kind of problem it is; an inverse problem that was analysed belongs to it.
Json json(const Summary::Structure& s, const std::optional<Summary::Inversion>& inverse) {
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
  if (inverse)
    object = {{"index", inverse->index},
              {"formal_index", inverse->formal_index},
              {"degrees_of_freedom", inverse->degrees_of_freedom},
              {"flat", inverse->flat},
              {"hidden_structure", inverse->hidden_structure},
              {"zero_dynamics", pairs(inverse->zero_dynamics)}};
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

Json json(const Summary::Newton& n) { return {{"total", n.total}, {"per_step", n.per_step}, {"max", n.max}}; }

Json json(const Summary::Inversion& i) {
  Json needed = Json::array(), singular = Json::array();
  for (const auto& n : i.needed_derivatives)
    needed.push_back({{"output", n.output}, {"continuous_derivatives", n.order}, {"given", n.given}});
  for (const auto& s : i.singular_times) singular.push_back({{"t", s.t}, {"open", s.open}, {"vanishing", s.vanishing}});
  return {{"unknowns", i.unknowns},
          {"realisation", i.realisation},
          {"needed_derivatives", needed},
          {"singular_times", singular},
          {"conditioning", i.conditioning ? Json(*i.conditioning) : Json()},
          {"conditioning_at", i.conditioning ? Json(i.conditioning_at) : Json()},
          {"equation_residual", i.equation_residual},
          {"servo_error", i.servo_error},
          {"round_trip_error", i.round_trip ? Json(*i.round_trip) : Json()},
          {"round_trip_from", i.round_trip ? Json(i.round_trip_from) : Json()},
          {"open_loop_growth", i.growth ? Json(*i.growth) : Json()},
          {"window", i.window_error ? Json(i.window) : Json()},
          {"window_error", i.window_error ? Json(*i.window_error) : Json()},
          {"verification", i.verification},
          {"sample_error", i.sample_error.empty() ? Json() : Json(i.sample_error)},
          {"method_reason", i.method_reason},
          {"verdict", i.verdict}};
}

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
                 {"status", s.status},
                 {"message", s.message},
                 {"counts", json(s.counts)},
                 {"structure", json(s.structure, s.inversion)},
                 {"initial_changes", json(s.initial_changes)},
                 {"newton_iterations", json(s.newton_iterations)},
                 {"steps", s.steps},
                 {"substeps", s.substeps},
                 {"wall_seconds", s.wall_seconds},
                 {"compiled", s.compiled},
                 {"warnings", s.warnings}};
  // The other tasks have no motion, or one that is judged by the equations it solves.
  if (s.task == "simulate" || s.task == "optimize" || s.task == "control") object["accuracy"] = json(s.accuracy);
  if (s.inversion) object["inversion"] = json(*s.inversion);
  if (s.optimization) object["optimization"] = json(*s.optimization);
  if (s.control) object["control"] = json(*s.control);
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

void require_finite(Summary& s) {
  if (s.status != "done") return;
  const std::string figure = not_finite(json(s), {});
  if (figure.empty()) return;
  s.status = "failed";
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
