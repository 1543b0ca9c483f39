// See mechanism_reading.h.
#include "invar/model/file/mechanism_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

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

const Member* find_member(const Reading& reading, std::string_view name) {
  const auto found = reading.parts->members.find(name);
  return found == reading.parts->members.end() ? nullptr : &found->second;
}

// The keys `on` and `s`: the node there, if it is on a beam or string.
const Member::Node* find_node(const Reading& reading, Section& section) {
  const Member* member = find_member(reading, read_text(section, "on").text);
  if (!member) return nullptr;
  const double s = read_real(reading, section, "s");
  return &*std::ranges::min_element(member->nodes, {}, [s](const Member::Node& node) { return std::abs(node.s - s); });
}

int read_place_of_body(const Reading& reading, Section& section) {
  const Member::Node* node = find_node(reading, section);
  const int body = node ? node->at.body : read_body(reading, section, read_text(section, "on"));
  section.finish();
  return body;
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
  if (find_member(reading, name.text))
    section.fail(name.position, "say where on it, by arc length: { on = " + in_quotes(name.text) + ", s = … }");
  if (found == reading.parts->bodies.end())
    section.fail(name.position, "unknown body " + in_quotes(name.text) + suggestion(name.text, body_names(reading)));
  return found->second;
}

int read_moving_body(const Reading& reading, Section& section, std::string_view key) {
  const Entry& entry = section.require(key);
  int body = ground;
  if (entry.value.as<Table>()) {
    Section place = *section.table(key, section.title() + ": " + std::string(key));
    body = read_place_of_body(reading, place);
  } else {
    const Text name = read_text(section, key);
    const Member::Node* node = key == "on" ? find_node(reading, section) : nullptr;
    body = node ? node->at.body : read_body(reading, section, name);
  }
  if (body == ground) section.fail(entry.value.position, "the ground does not move; name a body");
  return body;
}

std::pair<int, int> read_pair(const Reading& reading, Section& section) {
  const Entry& entry = section.require("between");
  const Position position = entry.value.position;
  const auto* items = entry.value.as<Array>();
  const std::size_t count = items ? items->size() : 1;
  if (count != 2) section.fail(position, "\"between\" must name two bodies, not " + std::to_string(count));
  const auto read_side = [&](const Value& side) {
    if (const auto* table = side.as<Table>()) {
      Section place(reading.document, *table, side.position, section.title() + ": between");
      return read_place_of_body(reading, place);
    }
    const auto* name = side.as<std::string>();
    if (!name)
      section.fail(side.position,
                   "\"between\" must hold names or places { on = …, s = … }, not " + std::string(kind_name(side)));
    return read_body(reading, section, {*name, side.position});
  };
  const int a = read_side((*items)[0]), b = read_side((*items)[1]);
  if (a == b) section.fail(position, "is between " + in_words(reading, a) + " and itself");
  return {a, b};
}

Attachment read_attachment(const Reading& reading, Section& section) {
  if (const Member::Node* node = find_node(reading, section)) {
    const Vector3 off = read_vector(reading, section, "at", Vector3::Zero());
    return {node->at.body, node->at.at + node->axes * off};
  }
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
  const std::array<std::string, 2> frames = {"world", "body"};
  offer(section.require("frame").value, frames);
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
