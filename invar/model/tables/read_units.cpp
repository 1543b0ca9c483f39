// [units]: what the columns of a result are measured in, for reports.
#include "invar/base/message.h"
#include "invar/model/file/reading.h"

namespace invar::model {
namespace {

// Columns that a model names. Velocities follow their coordinates.
std::vector<std::string> measured(const System& system) {
  std::vector<std::string> names;
  for (const Variable& x : system.coordinates) names.push_back(x.name());
  for (const Input& x : system.inputs) names.push_back(x.name);
  for (const Quantity& x : system.outputs) names.push_back(x.name);
  for (const Constraint& x : system.constraints) names.push_back("lambda." + x.name);
  for (const Quantity& x : system.shown) names.push_back(x.name);
  return names;
}

}  // namespace

void read_units(Reading& reading, Section& top) {
  auto section = top.table("units", "[units]");
  if (!section) return;
  constexpr std::size_t longest = 20;  // of a unit, in bytes
  const std::vector<std::string> known = measured(reading.problem.system);
  for (const Entry& entry : section->entries()) {
    if (entry.key.empty() || entry.key.size() > longest)
      section->fail(entry.position, "a unit has from 1 to 20 bytes, such as m, rad or \"N m\"");
    section->find_name(entry.key);
    for (const Text& name : section->strings(entry.key)) {
      if (std::find(known.begin(), known.end(), name.text) == known.end())
        section->fail(name.position,
                      "unknown coordinate, input or output " + in_quotes(name.text) + suggestion(name.text, known));
      if (!reading.problem.units.emplace(name.text, entry.key).second)
        section->fail(name.position, in_quotes(name.text) + " has a unit already");
    }
  }
}

}  // namespace invar::model
