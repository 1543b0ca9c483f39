// [world]: the space that bodies live in; and whether a model has bodies at all.
#include <array>

#include "invar/base/message.h"
#include "invar/model/file/mechanism_reading.h"
#include "invar/model/file/read_kind.h"

namespace invar::model {
namespace {

constexpr std::array<std::string_view, 12> keys_of_bodies = {"body",  "point", "world",    "joint",  "cable", "spring",
                                                             "force", "spin",  "actuator", "output", "beam",  "string"};

// Either formulas or bodies.
bool has_bodies(Section& top) {
  const Entry* first = nullptr;  // in the file
  for (const std::string_view key : keys_of_bodies) {
    const Entry* entry = top.find(key);
    if (entry && (!first || place(*entry).line < place(*first).line)) first = entry;
  }
  if (top.find("system")) {
    if (first) top.fail(place(*first), shown(*first) + ": a model has either [system] or bodies, not both");
    return false;
  }
  if (top.find("body") || top.find("point") || top.find("beam") || top.find("string")) return true;
  if (first) top.fail(place(*first), shown(*first) + ": the model has no [[body]] and no [[point]]");
  top.fail({}, "no mechanical system: give [system], or bodies with [[body]] and [[point]]");
}

int read_dimension(const Reading& reading, Section& section) {
  const double n = read_real(reading, section, "dimension", 3.0);
  if (n != 2.0 && n != 3.0) section.fail(section.require("dimension").value.position, "\"dimension\" must be 2 or 3");
  return static_cast<int>(n);
}

}  // namespace

void read_world(Reading& reading, Section& top) {
  if (!has_bodies(top)) return;
  Mechanism& mechanism = reading.parts.emplace().mechanism;
  mechanism.graph = reading.problem.system.graph;
  mechanism.parameters = reading.problem.system.parameters;
  auto section = top.table("world", "[world]");
  if (!section) return;
  mechanism.dimension = read_dimension(reading, *section);
  mechanism.gravity = read_vector(reading, *section, "gravity", Vector3::Zero());
  read_kind(*section, "torques", torque_axes_kinds, mechanism.torque_axes);
  read_kind(*section, "rotations", free_turn_kinds, mechanism.free_turns);
  section->finish();
}

}  // namespace invar::model
