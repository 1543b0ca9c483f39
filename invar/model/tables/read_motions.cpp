// [[joint]] once more, when all coordinates are known: prescribed motions, and gears.
#include <fmt/format.h>
#include <array>

#include <algorithm>
#include <cmath>

#include "invar/base/message.h"
#include "invar/expr/derivative.h"
#include "invar/model/file/mechanism_reading.h"
#include "invar/model/mechanism/force_element.h"
#include "invar/system/reference_values.h"

namespace invar::model {
namespace {

void read_gear(Reading& reading, Section& item) {
  const std::vector<Text> names = item.strings("coordinates");
  const Position position = item.require("coordinates").value.position;
  if (names.size() != 2)
    item.fail(position, "\"coordinates\" must name two coordinates, not " + std::to_string(names.size()));
  const Variable first = read_coordinate(reading, item, names[0]), second = read_coordinate(reading, item, names[1]);
  if (first == second) item.fail(position, "is between a coordinate and itself");
  const double ratio = read_real(reading, item, "ratio");
  if (ratio == 0.0) item.fail(item.require("ratio").value.position, "\"ratio\" must not be zero");
  reading.parts->mechanism.gears.push_back({item.string("name"), first, second, ratio});
}

Level read_motion_level(Section& item) {
  if (!item.find("motion_level")) return Level::position;
  const Text level = read_text(item, "motion_level");
  const std::array<std::string, 2> levels = {"position", "velocity"};
  offer(item.require("motion_level").value, levels);
  if (level.text == "position") return Level::position;
  if (level.text == "velocity") return Level::velocity;
  item.fail(level.position, "unknown motion_level " + in_quotes(level.text) + "; use \"position\" or \"velocity\"");
}

// The value of a formula of t, signals and coordinates in the start configuration.
double value_at_start(const Reading& reading, const Expr& formula) {
  const Mechanism& m = reading.parts->mechanism;
  Exprs from = {m.graph.time()}, to = {0.0};
  const auto put = [&](const std::optional<NamedCoordinate>& named) {
    if (named) from.push_back(at(named->variable)), to.emplace_back(named->start);
  };
  for (const Joint& joint : m.joints) put(joint.angle), put(joint.slide);
  for (const Cable& cable : m.cables) put(cable.wound);
  for (const auto& element : m.force_elements)
    if (const NamedCoordinate* own = element->coordinate()) put(*own);
  for (const Parameter& p : m.parameters) from.push_back(p.symbol), to.emplace_back(p.value);
  ReferenceValues signals(Exprs{formula}, reading.problem.signals);
  std::vector<double> values(signals.symbols().size());
  signals(0.0, values);
  from.insert(from.end(), signals.symbols().begin(), signals.symbols().end());
  to.insert(to.end(), values.begin(), values.end());
  const Expr value = substitute(formula, from, to);
  expects(value.is_constant(), "a formula of the start to be a number");
  return value.value();
}

// The start configuration must be where the motion begins.
void check_start(const Reading& reading, const Section& item, Position position, const Joint& joint) {
  const NamedCoordinate& x = joint.angle ? *joint.angle : *joint.slide;
  const char* unit = joint.angle ? "rad" : "m";
  const double begins = value_at_start(reading, *joint.motion), off = std::abs(begins - x.start);
  if (off <= start_tolerance * std::max({1.0, std::abs(begins), std::abs(x.start)})) return;
  item.fail(
      position,
      fmt::format("the start configuration violates the motion by {:.6g} {}: it begins at {:.6g}, but {} starts at "
                  "{:.6g}; say start = {:.6g} if that is what the start configuration means",
                  off, unit, begins, in_quotes(x.variable.name()), x.start, begins));
}

void read_motion(Reading& reading, Section& item, Joint& joint) {
  const Entry* entry = item.find("motion");
  if (!entry) return;
  joint.motion_level = read_motion_level(item);
  joint.motion = read_formula(reading, entry->value, where(item, "motion"),
                              {.order = joint.motion_level == Level::position ? 0 : 1});
  const Variable own = joint.angle ? joint.angle->variable : joint.slide->variable;
  if (depends(*joint.motion, Exprs{at(own), at(own, 1)}))
    item.fail(entry->value.position, "the motion of " + in_quotes(own.name()) + " depends on itself");
  if (joint.motion_level != Level::position) return;
  use_up(reading, {&*joint.motion, 1}, where(item, "start"));
  check_start(reading, item, entry->value.position, joint);
}

}  // namespace

void read_motions(Reading& reading, Section& top) {
  if (!reading.parts) return;
  auto next = reading.parts->mechanism.joints.begin();  // in the order of the file
  for (Section& item : top.tables("joint", "[[joint]]")) {
    item.set_title("joint " + in_quotes(item.string("name")));
    if (is_gear(item))
      read_gear(reading, item);
    else
      read_motion(reading, item, *next++);
  }
}

}  // namespace invar::model
