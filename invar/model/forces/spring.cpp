// See spring.h.
#include "invar/model/forces/spring.h"

#include "invar/expr/derivative.h"
#include "invar/model/file/mechanism_reading.h"
#include "invar/model/forces/force_kinds.h"
#include "invar/model/mechanism/loads.h"

namespace invar {

void Spring::act(Loads& loads) const {
  const Vec x = loads.point(to) - loads.point(from);
  const Expr length = sqrt(dot(x, x));
  // A spring without rest length is quadratic, and stays regular when its ends meet.
  loads.add_potential(rest == 0.0 ? 0.5 * stiffness * dot(x, x) : 0.5 * stiffness * pow(length - rest, 2.0));
  if (damping != 0.0) loads.add_dissipation(0.5 * damping * pow(ddt(length), 2.0));
}

std::shared_ptr<ForceElement> model::read_spring(Reading& reading, Section& item) {
  auto spring = std::make_shared<Spring>();
  std::vector<Section> ends = item.tables("between", item.title() + ": between");
  const Position position = item.require("between").value.position;
  if (ends.size() != 2) item.fail(position, "\"between\" must have two ends, not " + std::to_string(ends.size()));
  spring->from = read_attachment(reading, ends[0]);
  spring->to = read_attachment(reading, ends[1]);
  for (const Section& end : ends) end.finish();
  if (spring->from.body == spring->to.body)
    item.fail(position, "both ends are on " + in_words(reading, spring->from.body));
  spring->stiffness = read_real(reading, item, "stiffness", 0.0);
  spring->rest = read_not_negative(reading, item, "rest", 0.0);
  spring->damping = read_not_negative(reading, item, "damping", 0.0);
  item.finish();
  const bool needs_direction = spring->rest > 0.0 || spring->damping > 0.0;
  if (needs_direction && place_at_start(reading, spring->from) == place_at_start(reading, spring->to))
    item.fail(position, "its ends are at the same place, so it has no direction");
  return spring;
}

}  // namespace invar
