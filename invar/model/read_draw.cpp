// [[draw]]: what a system of formulas looks like.
#include <array>

#include "invar/expr/message.h"
#include "invar/model/reading.h"

namespace invar::model {
namespace {

struct Form {
  std::string_view key;
  Drawn::Kind kind;
  bool several;  // places
};
constexpr std::array<Form, 8> forms = {{{"point", Drawn::Kind::point, false},
                                        {"trace", Drawn::Kind::trace, false},
                                        {"circle", Drawn::Kind::circle, false},
                                        {"line", Drawn::Kind::line, true},
                                        {"link", Drawn::Kind::link, true},
                                        {"cable", Drawn::Kind::cable, true},
                                        {"spring", Drawn::Kind::spring, true},
                                        {"ground", Drawn::Kind::fixed, true}}};

Exprs read_place(const Reading& reading, const Section& item, const Value& value, const std::string& where) {
  const Array* list = value.as<Array>();
  if (list == nullptr || list->size() < 2 || list->size() > 3)
    item.fail(value.position, where + ": a place has two or three formulas: [\"x\", \"z\"]");
  Exprs place;
  for (const Value& entry : *list) place.push_back(read_formula(reading, entry, where, {.order = 0}));
  return place;
}

Drawn read_drawn(const Reading& reading, Section& item) {
  Drawn drawn;
  if (item.find("name")) drawn.name = item.string("name");
  const Entry* found = nullptr;
  const Form* form = nullptr;
  for (const Form& f : forms) {
    const Entry* entry = item.find(f.key);
    if (entry && found) item.fail(entry->position, "give either " + in_quotes(found->key) + " or " + in_quotes(f.key));
    if (entry) {
      found = entry;
      form = &f;
    }
  }
  const Entry* radius = item.find("radius");
  item.finish();
  if (!found)
    item.fail(item.position(),
              "missing \"point\", \"line\", \"link\", \"cable\", \"spring\", \"circle\", \"ground\" or \"trace\"");
  drawn.kind = form->kind;
  const std::string where = "[[draw]]: " + in_quotes(found->key);
  if (!form->several) {
    drawn.places.push_back(read_place(reading, item, found->value, where));
  } else {
    const Array* list = found->value.as<Array>();
    if (list == nullptr || list->size() < 2)
      item.fail(found->value.position, where + ": give a list of two places or more");
    for (const Value& place : *list) drawn.places.push_back(read_place(reading, item, place, where));
    if (drawn.kind == Drawn::Kind::spring && drawn.places.size() != 2)
      item.fail(found->value.position, where + ": a spring has two ends");
  }
  for (const Exprs& place : drawn.places)
    if (place.size() != drawn.places.front().size())
      item.fail(found->value.position, where + ": all places need the same number of formulas");
  if ((drawn.kind == Drawn::Kind::circle) != (radius != nullptr))
    item.fail(radius ? radius->position : item.position(),
              radius ? "only a circle has a radius" : "missing \"radius\"");
  if (radius) drawn.radius = read_formula(reading, radius->value, "[[draw]]: \"radius\"", {.order = 0});
  return drawn;
}

}  // namespace

void read_draw(Reading& reading, Section& top) {
  std::vector<Drawn>& drawing = reading.problem.drawing;
  for (Section& item : top.tables("draw", "[[draw]]")) {
    drawing.push_back(read_drawn(reading, item));
    if (drawing.back().places.front().size() != drawing.front().places.front().size())
      item.fail(item.position(), "some places have two formulas, others three");
  }
  if (!drawing.empty() && reading.parts)
    fail(reading.document, top.position(), "[[draw]]: a model of bodies is drawn by its shapes");
}

}  // namespace invar::model
