// See force.h.
#include "invar/model/forces/force.h"

#include "invar/model/file/mechanism_reading.h"
#include "invar/model/forces/force_kinds.h"
#include "invar/model/mechanism/loads.h"

namespace invar {

void Force::act(Loads& loads) const {
  const Frame f = loads.frame(on.body);
  const auto in_axes = [&](const std::vector<Expr>& x, const std::array<Vec, 3>& axes) {
    return in_body_axes ? x[0] * axes[0] + x[1] * axes[1] + x[2] * axes[2] : Vec{x[0], x[1], x[2]};
  };
  if (!force.empty()) loads.push(f.point(on.at), in_axes(force, f.d));
  if (!torque.empty()) loads.twist(on.body, in_axes(torque, f.contravariant()));
}

std::shared_ptr<ForceElement> model::read_force(Reading& reading, Section& item) {
  auto applied = std::make_shared<Force>();
  read_moving_body(reading, item, "on");
  applied->on = read_attachment(reading, item);
  applied->in_body_axes = read_in_body_axes(item);
  if (item.find("force")) applied->force = read_vector_formulas(reading, item, "force", {.order = 1});
  if (const Entry* torque = item.find("torque")) {
    applied->torque = read_turning_formulas(reading, item, "torque", {.order = 1});
    if (is_point(reading, applied->on.body))
      item.fail(torque->position, in_words(reading, applied->on.body) + " takes no torque");
  }
  if (applied->in_body_axes && is_point(reading, applied->on.body))
    item.fail(item.require("frame").value.position, in_words(reading, applied->on.body) + " has no axes of its own");
  item.finish();
  if (applied->force.empty() && applied->torque.empty()) item.fail(item.position(), "missing \"force\" or \"torque\"");
  return applied;
}

}  // namespace invar
