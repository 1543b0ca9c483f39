// [[spring]], [[force]] and [[spin]]: what pulls, pushes and turns bodies without being an input.
#include "invar/base/message.h"
#include "invar/model/tables/mechanism_reading.h"

namespace invar::model {
namespace {

template <class List>
std::string numbered(const std::string& what, const List& list) {
  return what + std::to_string(list.size() + 1);
}

void read_spring(Reading& reading, Section& item) {
  std::vector<Spring>& springs = reading.parts->mechanism.springs;
  Spring spring;
  spring.name = read_optional_name(reading, item, NameKind::spring, numbered("spring", springs));
  std::vector<Section> ends = item.tables("between", item.title() + ": between");
  const Position position = item.require("between").value.position;
  if (ends.size() != 2) item.fail(position, "\"between\" must have two ends, not " + std::to_string(ends.size()));
  spring.from = read_attachment(reading, ends[0]);
  spring.to = read_attachment(reading, ends[1]);
  for (const Section& end : ends) end.finish();
  if (spring.from.body == spring.to.body)
    item.fail(position, "both ends are on " + in_words(reading, spring.from.body));
  spring.stiffness = read_real(reading, item, "stiffness", 0.0);
  spring.rest = read_not_negative(reading, item, "rest", 0.0);
  spring.damping = read_not_negative(reading, item, "damping", 0.0);
  item.finish();
  const bool needs_direction = spring.rest > 0.0 || spring.damping > 0.0;
  if (needs_direction && place_at_start(reading, spring.from) == place_at_start(reading, spring.to))
    item.fail(position, "its ends are at the same place, so it has no direction");
  springs.push_back(std::move(spring));
}

void read_force(Reading& reading, Section& item) {
  std::vector<Force>& forces = reading.parts->mechanism.forces;
  Force applied;
  applied.name = read_optional_name(reading, item, NameKind::force, numbered("force", forces));
  read_moving_body(reading, item, "on");
  applied.on = read_attachment(reading, item);
  applied.in_body_axes = read_in_body_axes(item);
  if (item.find("force")) applied.force = read_vector_formulas(reading, item, "force", {.order = 1});
  if (const Entry* torque = item.find("torque")) {
    applied.torque = read_turning_formulas(reading, item, "torque", {.order = 1});
    if (is_point(reading, applied.on.body))
      item.fail(torque->position, in_words(reading, applied.on.body) + " takes no torque");
  }
  if (applied.in_body_axes && is_point(reading, applied.on.body))
    item.fail(item.require("frame").value.position, in_words(reading, applied.on.body) + " has no axes of its own");
  item.finish();
  if (applied.force.empty() && applied.torque.empty()) item.fail(item.position(), "missing \"force\" or \"torque\"");
  forces.push_back(std::move(applied));
}

void read_spin(Reading& reading, Section& item) {
  PrescribedSpin spin;
  spin.body = read_moving_body(reading, item, "on");
  const Body& body = *find_body(reading, spin.body);
  if (body.point) item.fail(item.require("on").value.position, in_words(reading, spin.body) + " has no orientation");
  spin.name = read_optional_name(reading, item, NameKind::spin, body.name + ".spin");
  spin.angular_velocity = read_turning_formulas(reading, item, "angular_velocity", {});
  item.finish();
  reading.parts->mechanism.spins.push_back(std::move(spin));
}

void read_items(Reading& reading, Section& top, const std::string& key, void (*read_item)(Reading&, Section&)) {
  if (!reading.parts) return;
  for (Section& item : top.tables(key, "[[" + key + "]]")) read_item(reading, item);
}

}  // namespace

void read_springs(Reading& reading, Section& top) { read_items(reading, top, "spring", read_spring); }
void read_forces(Reading& reading, Section& top) { read_items(reading, top, "force", read_force); }
void read_spins(Reading& reading, Section& top) { read_items(reading, top, "spin", read_spin); }

}  // namespace invar::model
