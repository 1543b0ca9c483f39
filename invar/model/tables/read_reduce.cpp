// [reduce]: the same problem in fewer coordinates, q = F(t, μ).
#include "invar/system/reduce.h"

#include <set>

#include "invar/base/message.h"
#include "invar/model/file/reading.h"

namespace invar::model {
namespace {

// The new coordinates: those with an old name stay what they are, the others are new functions of time.
std::vector<Variable> read_new_coordinates(Reading& reading, Section& section) {
  const System& system = reading.problem.system;
  const std::vector<Text> names = section.strings("coordinates");
  if (names.size() > system.coordinates.size())
    section.fail(section.require("coordinates").value.position, "more coordinates than [system] has");
  std::vector<Variable> result;
  std::set<std::string> seen;
  for (const auto& [name, position] : names) {
    if (!seen.insert(name).second) section.fail(position, "coordinate " + in_quotes(name) + " is listed twice");
    const Variable* kept = nullptr;
    for (const Variable& x : system.coordinates)
      if (x.name() == name) kept = &x;
    result.push_back(kept ? *kept : system.graph.variable(name));
    if (!kept)
      add_name(reading.names, reading.document, position, name, NameKind::coordinate).symbol = at(result.back());
  }
  for (const Variable& x : system.coordinates)
    if (!seen.contains(x.name())) reading.names.find(x.name())->second.kind = NameKind::replaced;
  return result;
}

Exprs read_map(Reading& reading, Section& section) {
  Exprs image;
  auto map = section.table("map", "[reduce]: map");
  for (const Variable& x : reading.problem.system.coordinates) {
    const bool kept = reading.names.find(x.name())->second.kind == NameKind::coordinate;
    const Entry* entry = map ? map->find_name(x.name()) : nullptr;
    if (kept && entry)
      map->fail(entry->position, "coordinate " + in_quotes(x.name()) + " is kept, so it cannot be mapped");
    if (!kept && !entry) {
      const Entry* place = section.find("map");
      section.fail(place ? place->value.position : section.position(),
                   "coordinate " + in_quotes(x.name()) + " is neither kept nor in the map");
    }
    image.push_back(
        kept ? at(x) : read_formula(reading, entry->value, "[reduce]: map of " + in_quotes(x.name()), {.order = 0}));
  }
  if (map) map->finish("coordinate");
  return image;
}

}  // namespace

void read_reduce(Reading& reading, Section& top) {
  auto section = top.table("reduce", "[reduce]");
  if (!section) return;
  if (reading.parts)
    section->fail(section->position(), "goes with [system]; for bodies and joints say formulation = \"minimal\"");
  Mapping mapping{read_new_coordinates(reading, *section), {}};
  mapping.image = read_map(reading, *section);
  section->finish();
  System& system = reading.problem.system;
  at_position(reading, section->position(), "[reduce]: ", [&] {
    Reduced reduced = reduce(system, mapping);
    use_up(reading, reduced.tried, "[reduce]");
    system = std::move(reduced.system);
    reading.problem.satisfied = std::move(reduced.satisfied);
    for (const Constraint& c : system.constraints) check_constraint(system, c);
  });
  const std::vector<Text> names = section->strings("coordinates");
  for (std::size_t i = 0; i < names.size(); ++i)
    at_position(reading, names[i].position, "[reduce]: ", [&] { check_coordinate(system, i); });
}

}  // namespace invar::model
