// [[output]]: what is recorded of a mechanism and can be prescribed.
#include <array>

#include "invar/base/message.h"
#include "invar/model/file/mechanism_reading.h"

namespace invar::model {
namespace {

constexpr std::array<std::string_view, 5> output_forms = {"point", "coordinate", "orientation", "angular_velocity",
                                                          "expr"};

const Entry& read_form(Section& item) {
  const Entry* found = nullptr;
  for (const std::string_view key : output_forms) {
    const Entry* entry = item.find(key);
    if (entry && found) item.fail(entry->position, "give either " + in_quotes(found->key) + " or " + in_quotes(key));
    if (entry) found = entry;
  }
  if (found && found->key == "angular_velocity") item.find("frame");
  item.finish();  // a mistyped key would seem to be missing
  if (!found)
    item.fail(item.position(), "missing \"point\", \"coordinate\", \"orientation\", \"angular_velocity\" or \"expr\"");
  return *found;
}

Attachment read_point(const Reading& reading, Section& item) {
  const auto* table = item.require("point").value.as<Table>();
  if (!table) return {read_moving_body(reading, item, "point"), Vector3::Zero()};
  Section inner = *item.table("point", item.title() + ": point");
  read_moving_body(reading, inner, "on");
  const Attachment point = read_attachment(reading, inner);
  inner.finish();
  return point;
}

void enter(Reading& reading, Position position, const std::string& name) {
  add_name(reading.names, reading.document, position, name, NameKind::output);
}

void read_look(Reading& reading, Section& item) {
  Output output;
  output.name = item.string("name");
  const Position position = item.require("name").value.position;
  item.set_title("output " + in_quotes(output.name));
  const Entry& form = read_form(item);
  const int dimension = reading.parts->mechanism.dimension;
  if (form.key == "expr") {
    output.formula = read_formula(reading, form.value, item.title(), {.order = 1, .places = &output.places});
    enter(reading, position, output.name);
  } else if (form.key == "coordinate") {
    const Text name = read_text(item, "coordinate");
    output.formula = at(read_coordinate(reading, item, name));
    if (name.text != output.name) enter(reading, position, output.name);  // otherwise it is its own output
  } else {
    if (form.key == "point") output.point = read_point(reading, item);
    if (form.key == "orientation") output.orientation = read_moving_body(reading, item, "orientation");
    if (form.key == "angular_velocity") {
      output.spin = read_moving_body(reading, item, "angular_velocity");
      output.in_body_axes = read_in_body_axes(item);
    }
    if (const std::optional<int> turning = output.orientation ? output.orientation : output.spin;
        turning && is_point(reading, *turning))
      item.fail(form.value.position, in_words(reading, *turning) + " has no orientation");
    // The place of a body is a coordinate already; an output of that name is the same column.
    const bool own_place =
        output.point && output.point->at.isZero(0.0) && find_body(reading, output.point->body)->name == output.name;
    for (const char* axis : {"x", "y", "z"}) {
      const bool turn = form.key != "point";
      if (!own_place && (dimension == 3 || turn == (*axis == 'z'))) enter(reading, position, output.name + "." + axis);
    }
  }
  reading.parts->mechanism.outputs.push_back(std::move(output));
}

}  // namespace

void read_outputs(Reading& reading, Section& top) {
  if (!reading.parts) return;
  for (Section& item : top.tables("output", "[[output]]")) read_look(reading, item);
}

}  // namespace invar::model
