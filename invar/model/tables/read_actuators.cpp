// [[actuator]]: the inputs of a mechanism.
#include <tuple>

#include "invar/base/message.h"
#include "invar/model/file/mechanism_reading.h"

namespace invar::model {
namespace {

// The keys may stand in the actuator itself or in a table `on = { body = …, force = … }`.
void read_effect(const Reading& reading, Section& keys, Actuator& actuator) {
  for (const std::string_view key : {"body", "at", "frame"}) keys.find(key);
  const Entry *between = keys.find("between"), *force = keys.find("force"), *torque = keys.find("torque");
  keys.finish();  // a mistyped key would seem to be missing
  if (between) {
    if (force) keys.fail(force->position, "a force acts on one body; give \"body\" in place of \"between\"");
    if (const Entry* body = keys.find("body")) keys.fail(body->position, "give either \"body\" or \"between\"");
    std::tie(actuator.reacts_on, actuator.body) = read_pair(reading, keys);
    keys.require("torque");
  } else {
    actuator.body = read_moving_body(reading, keys, "body");
    if (!force && !torque) keys.fail(keys.position(), "missing \"force\" or \"torque\"");
  }
  actuator.in_body_axes = read_in_body_axes(keys);
  if (const Entry* at = keys.find("at")) {
    if (!force) keys.fail(at->position, "\"at\" is where a \"force\" acts, which is missing");
    actuator.at = read_vector(reading, keys, "at");
    if (is_point(reading, actuator.body) && !actuator.at.isZero(0.0))
      keys.fail(at->value.position, in_words(reading, actuator.body) + " is all in one place; leave \"at\" out");
  }
  actuator.force = read_vector(reading, keys, "force", Vector3::Zero());
  actuator.torque = read_turning(reading, keys, "torque", Vector3::Zero());
  if (actuator.force.isZero(0.0) && actuator.torque.isZero(0.0))
    keys.fail(keys.position(), "\"force\" or \"torque\" must not be zero");
  for (const int body : {actuator.body, actuator.reacts_on.value_or(ground)})
    if (is_point(reading, body) && (torque || actuator.in_body_axes))
      keys.fail(torque ? torque->position : keys.position(), in_words(reading, body) + " has no orientation");
}

void read_actuator(Reading& reading, Section& item) {
  Actuator actuator;
  actuator.name = read_item_name(reading, item, NameKind::input);
  actuator.gain = read_real(reading, item, "gain", 1.0);
  if (actuator.gain == 0.0) item.fail(item.require("gain").value.position, "\"gain\" must not be zero");
  const Entry* on = item.find("on");
  if (on && on->value.as<Table>()) {
    Section keys = *item.table("on", item.title() + ": on");
    read_effect(reading, keys, actuator);
    item.finish();
  } else if (on) {
    actuator.coordinate = read_coordinate(reading, item, read_text(item, "on"));
    item.finish();
  } else if (item.find("body") || item.find("between")) {
    read_effect(reading, item, actuator);
  } else {
    item.fail(item.position(), "missing \"on\", \"body\" or \"between\"");
  }
  reading.parts->mechanism.actuators.push_back(std::move(actuator));
}

}  // namespace

void read_actuators(Reading& reading, Section& top) {
  if (!reading.parts) return;
  for (Section& item : top.tables("actuator", "[[actuator]]")) read_actuator(reading, item);
}

}  // namespace invar::model
