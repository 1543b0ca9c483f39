// [[spin]]: bodies whose angular velocity is prescribed.
#include "invar/base/message.h"
#include "invar/model/file/mechanism_reading.h"

namespace invar::model {
namespace {

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

}  // namespace

void read_spins(Reading& reading, Section& top) {
  if (!reading.parts) return;
  for (Section& item : top.tables("spin", "[[spin]]")) read_spin(reading, item);
}

}  // namespace invar::model
