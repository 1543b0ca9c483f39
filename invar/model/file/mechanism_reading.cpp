// See mechanism_reading.h.
#include "invar/model/file/mechanism_reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "invar/base/message.h"

namespace invar::model {
namespace {

bool is_planar(const Reading& reading) { return reading.parts->mechanism.dimension == 2; }

std::size_t vector_size(const Reading& reading) { return is_planar(reading) ? 2 : 3; }

Vector3 vector_of(const std::vector<double>& numbers) {
  Vector3 v = Vector3::Zero();
  for (std::size_t i = 0; i < numbers.size(); ++i) v[static_cast<Eigen::Index>(i)] = numbers[i];
  return v;
}

std::vector<std::string> body_names(const Reading& reading) {
  std::vector<std::string> names = {"ground"};
  for (const auto& [name, place] : reading.parts->bodies) names.push_back(name);
  return names;
}

}  // namespace

double read_real(const Reading& reading, Section& section, std::string_view key) {
  return read_number(reading, section.require(key).value, where(section, key));
}

double read_real(const Reading& reading, Section& section, std::string_view key, double otherwise) {
  return section.find(key) ? read_real(reading, section, key) : otherwise;
}

double read_positive(const Reading& reading, Section& section, std::string_view key) {
  const double x = read_real(reading, section, key);
  if (!(x > 0.0)) section.fail(section.require(key).value.position, in_quotes(key) + " must be positive");
  return x;
}

double read_not_negative(const Reading& reading, Section& section, std::string_view key) {
  const double x = read_real(reading, section, key);
  if (x < 0.0) section.fail(section.require(key).value.position, in_quotes(key) + " must not be negative");
  return x;
}

double read_not_negative(const Reading& reading, Section& section, std::string_view key, double otherwise) {
  return section.find(key) ? read_not_negative(reading, section, key) : otherwise;
}

const Array& read_array(const Section& section, const Entry& entry, std::size_t size) {
  const auto* items = entry.value.as<Array>();
  const std::string wanted = in_quotes(entry.key) + " must have " + std::to_string(size) + " entries, ";
  if (items == nullptr)
    section.fail(entry.value.position, wanted + "[…], but is " + std::string(kind_name(entry.value)));
  if (items->size() != size) section.fail(entry.value.position, wanted + "not " + std::to_string(items->size()));
  return *items;
}

std::vector<double> read_numbers(const Reading& reading, const Section& section, const Entry& entry, std::size_t size) {
  std::vector<double> numbers;
  for (const Value& item : read_array(section, entry, size))
    numbers.push_back(read_number(reading, item, where(section, entry.key)));
  return numbers;
}

Vector3 read_vector(const Reading& reading, Section& section, std::string_view key) {
  return vector_of(read_numbers(reading, section, section.require(key), vector_size(reading)));
}

Vector3 read_vector(const Reading& reading, Section& section, std::string_view key, const Vector3& otherwise) {
  return section.find(key) ? read_vector(reading, section, key) : otherwise;
}

Vector3 read_direction(const Reading& reading, Section& section, std::string_view key) {
  const Vector3 v = read_vector(reading, section, key);
  const double length = v.stableNorm();
  if (!(length > 0.0)) section.fail(section.require(key).value.position, in_quotes(key) + " must not be zero");
  return v / length;
}

Vector3 read_turning(const Reading& reading, Section& section, std::string_view key, const Vector3& otherwise) {
  if (!section.find(key)) return otherwise;
  return is_planar(reading) ? Vector3(0.0, 0.0, read_real(reading, section, key)) : read_vector(reading, section, key);
}

std::vector<Expr> read_vector_formulas(const Reading& reading, Section& section, std::string_view key,
                                       const Allowed& allowed) {
  std::vector<Expr> formulas;
  for (const Value& item : read_array(section, section.require(key), vector_size(reading)))
    formulas.push_back(read_formula(reading, item, where(section, key), allowed));
  formulas.resize(3, 0.0);
  return formulas;
}

std::vector<Expr> read_turning_formulas(const Reading& reading, Section& section, std::string_view key,
                                        const Allowed& allowed) {
  if (!is_planar(reading)) return read_vector_formulas(reading, section, key, allowed);
  return {0.0, 0.0, read_formula(reading, section.require(key).value, where(section, key), allowed)};
}

int read_body(const Reading& reading, const Section& section, const Text& name) {
  if (name.text == "ground") return ground;
  const auto found = reading.parts->bodies.find(name.text);
  if (found == reading.parts->bodies.end())
    section.fail(name.position, "unknown body " + in_quotes(name.text) + suggestion(name.text, body_names(reading)));
  return found->second;
}

int read_moving_body(const Reading& reading, Section& section, std::string_view key) {
  const Text name = read_text(section, key);
  const int body = read_body(reading, section, name);
  if (body == ground) section.fail(name.position, "the ground does not move; name a body");
  return body;
}

std::pair<int, int> read_pair(const Reading& reading, Section& section) {
  const std::vector<Text> names = section.strings("between");
  const Position position = section.require("between").value.position;
  if (names.size() != 2)
    section.fail(position, "\"between\" must name two bodies, not " + std::to_string(names.size()));
  const int a = read_body(reading, section, names[0]), b = read_body(reading, section, names[1]);
  if (a == b) section.fail(position, "is between " + in_words(reading, a) + " and itself");
  return {a, b};
}

Attachment read_attachment(const Reading& reading, Section& section) {
  Attachment attachment{read_body(reading, section, read_text(section, "on")), Vector3::Zero()};
  const Entry* entry = section.find("at");
  if (entry == nullptr) return attachment;
  attachment.at = read_vector(reading, section, "at");
  if (is_point(reading, attachment.body) && !attachment.at.isZero(0.0))
    section.fail(entry->value.position, in_words(reading, attachment.body) + " is all in one place; leave \"at\" out");
  return attachment;
}

bool read_in_body_axes(Section& section) {
  if (!section.find("frame")) return false;
  const Text frame = read_text(section, "frame");
  if (frame.text != "world" && frame.text != "body")
    section.fail(frame.position, "unknown frame " + in_quotes(frame.text) + "; use \"world\" or \"body\"");
  return frame.text == "body";
}

Variable read_coordinate(const Reading& reading, const Section& section, const Text& name) {
  const auto& known = reading.parts->coordinates;
  const auto found = known.find(name.text);
  if (found != known.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [other, variable] : known) names.push_back(other);
  section.fail(name.position, "unknown coordinate " + in_quotes(name.text) + suggestion(name.text, names));
}

Text read_text(Section& section, std::string_view key) {
  const std::string& text = section.string(key);
  return {text, section.require(key).value.position};
}

NamedCoordinate add_coordinate(Reading& reading, const Text& name, double start) {
  const Variable variable = reading.problem.system.graph.variable(name.text);
  add_name(reading.names, reading.document, name.position, name.text, NameKind::coordinate).symbol = at(variable);
  reading.parts->coordinates.emplace(name.text, variable);
  return {variable, start};
}

const Body* find_body(const Reading& reading, int body) {
  return body == ground ? nullptr : &reading.parts->mechanism.bodies[static_cast<std::size_t>(body)];
}

bool is_point(const Reading& reading, int body) {
  const Body* found = find_body(reading, body);
  return found && found->point;
}

std::string in_words(const Reading& reading, int body) {
  const Body* found = find_body(reading, body);
  return found ? (found->point ? "point " : "body ") + in_quotes(found->name) : "the ground";
}

Vector3 place_at_start(const Reading& reading, const Attachment& attachment) {
  const Body* body = find_body(reading, attachment.body);
  return body ? Vector3(body->position + body->rotation * attachment.at) : attachment.at;
}

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

std::string read_item_name(Reading& reading, Section& item, NameKind kind, std::string_view word) {
  if (word.empty()) word = kind_name(kind);
  const std::string name = item.string("name");
  add_name(reading.names, reading.document, item.require("name").value.position, name, kind, word);
  item.set_title(std::string(word) + " " + in_quotes(name));
  return name;
}

bool is_gear(Section& item) { return item.find("type") && item.string("type") == "gear"; }

std::string read_optional_name(Reading& reading, Section& item, NameKind kind, const std::string& otherwise,
                               std::string_view word) {
  if (item.find("name")) return read_item_name(reading, item, kind, word);
  add_name(reading.names, reading.document, item.position(), otherwise, kind, word);
  return otherwise;
}

}  // namespace invar::model
