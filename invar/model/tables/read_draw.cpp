// [[draw]]: what a system of formulas looks like.
#include <array>

#include "invar/base/message.h"
#include "invar/model/file/reading.h"

namespace invar::model {
namespace {

using Kind = Drawn::Kind;

struct Form {
  std::string_view key;
  Kind kind;
  bool several;  // places
};
constexpr std::array<Form, 10> drawn_forms = {{{"point", Kind::point, false},
                                               {"trace", Kind::trace, false},
                                               {"circle", Kind::circle, false},
                                               {"box", Kind::box, false},
                                               {"arrow", Kind::arrow, false},
                                               {"line", Kind::line, true},
                                               {"link", Kind::link, true},
                                               {"cable", Kind::cable, true},
                                               {"spring", Kind::spring, true},
                                               {"ground", Kind::fixed, true}}};

const Allowed in_place = {.order = 0};
const Allowed in_vector = {.order = 1, .inputs = true};

Exprs read_formulas(const Reading& reading, const Section& item, const Value& value, const std::string& what,
                    const Allowed& allowed) {
  const Array* list = value.as<Array>();
  if (list == nullptr || list->size() < 2 || list->size() > 3)
    item.fail(value.position, what + " has two or three formulas: [\"x\", \"z\"]");
  Exprs formulas;
  for (const Value& entry : *list)
    formulas.push_back(read_formula(reading, entry, item.title() + ": " + what, allowed));
  return formulas;
}

void read_places(const Reading& reading, const Section& item, const Entry& entry, bool several, Drawn& drawn) {
  const std::string where = "a place of " + in_quotes(entry.key);
  if (!several) {
    drawn.places.push_back(read_formulas(reading, item, entry.value, where, in_place));
    return;
  }
  const Array* list = entry.value.as<Array>();
  if (list == nullptr || list->size() < 2)
    item.fail(entry.value.position, in_quotes(entry.key) + ": give a list of two places or more");
  for (const Value& place : *list) drawn.places.push_back(read_formulas(reading, item, place, where, in_place));
  if (drawn.kind == Kind::spring && drawn.places.size() != 2) item.fail(entry.value.position, "a spring has two ends");
  for (const Exprs& place : drawn.places)
    if (place.size() != drawn.places.front().size())
      item.fail(entry.value.position, in_quotes(entry.key) + ": all places need the same number of formulas");
}

// A key that goes with one kind only; it must be there if that kind needs it.
const Entry* belonging(Section& item, std::string_view key, bool belongs, bool needed, std::string_view owner) {
  const Entry* entry = item.find(key);
  if (entry && !belongs) item.fail(entry->position, "only " + std::string(owner) + " has " + in_quotes(key));
  if (!entry && belongs && needed) item.fail(item.position(), "missing " + in_quotes(key));
  return entry;
}

void read_details(const Reading& reading, Section& item, Drawn& drawn) {
  const std::size_t dimension = drawn.places.front().size();
  if (const Entry* radius = belonging(item, "radius", drawn.kind == Kind::circle, true, "a circle"))
    drawn.details = {read_formula(reading, radius->value, "[[draw]]: \"radius\"", in_place)};
  if (const Entry* angle =
          belonging(item, "angle", drawn.kind == Kind::box && dimension == 2, false, "a box in the plane"))
    drawn.details = {read_formula(reading, angle->value, "[[draw]]: \"angle\"", in_place)};
  if (const Entry* size = belonging(item, "size", drawn.kind == Kind::box, true, "a box")) {
    const Array* list = size->value.as<Array>();
    if (list == nullptr || list->size() != dimension)
      item.fail(size->value.position, "\"size\" needs as many numbers as a place has formulas");
    for (const Value& length : *list) {
      drawn.size.push_back(read_number(reading, length, "[[draw]]: \"size\""));
      if (drawn.size.back() <= 0.0) item.fail(length.position, "\"size\" must be positive");
    }
  }
  if (const Entry* vector = belonging(item, "vector", drawn.kind == Kind::arrow, true, "an arrow")) {
    drawn.details = read_formulas(reading, item, vector->value, "\"vector\"", in_vector);
    if (drawn.details.size() != dimension)
      item.fail(vector->value.position, "\"vector\" needs as many formulas as the place");
  }
}

Drawn read_drawn(const Reading& reading, Section& item) {
  Drawn drawn;
  if (item.find("name")) drawn.name = item.string("name");
  const Entry* found = nullptr;
  const Form* form = nullptr;
  for (const Form& f : drawn_forms) {
    const Entry* entry = item.find(f.key);
    if (entry && found) item.fail(entry->position, "give either " + in_quotes(found->key) + " or " + in_quotes(f.key));
    if (entry) {
      found = entry;
      form = &f;
    }
  }
  for (const char* key : {"radius", "angle", "size", "vector"}) item.find(key);
  item.finish();
  if (!found) {
    std::string keys;
    for (const Form& f : drawn_forms) keys += (keys.empty() ? "" : ", ") + in_quotes(f.key);
    item.fail(item.position(), "missing one of " + keys);
  }
  drawn.kind = form->kind;
  read_places(reading, item, *found, form->several, drawn);
  read_details(reading, item, drawn);
  return drawn;
}

}  // namespace

void read_draw(Reading& reading, Section& top) {
  std::vector<Drawn>& drawing = reading.problem.drawing;
  for (Section& item : top.tables("draw", "[[draw]]")) {
    if (reading.parts) item.fail(item.position(), "a model of bodies is drawn by its shapes");
    drawing.push_back(read_drawn(reading, item));
    if (drawing.back().places.front().size() != drawing.front().places.front().size())
      item.fail(item.position(), "some places have two formulas, others three");
  }
}

}  // namespace invar::model
