// [initial]: where the motion starts, coordinates by name and velocities with a prime.
#include <algorithm>

#include "invar/base/message.h"
#include "invar/model/file/mechanism_reading.h"

namespace invar::model {

namespace {

// A model of bodies may start elsewhere than it is described, if every coordinate of the formulation says where.
bool starts_elsewhere(const Reading& reading, Section& top) {
  auto section = top.table("initial", "[initial]");
  return section && std::ranges::all_of(reading.problem.system.coordinates,
                                        [&](const Variable& x) { return section->find_name(x.name()) != nullptr; });
}

}  // namespace

void read_initial(Reading& reading, Section& top) {
  if (reading.parts && !starts_elsewhere(reading, top)) {
    read_rates(reading, top);
    return;
  }
  top.require("initial");
  Section section = *top.table("initial", "[initial]");
  Problem& problem = reading.problem;
  problem.q0.clear();
  problem.v0.clear();
  std::vector<std::string> missing;
  for (const Variable& x : problem.system.coordinates) {
    const std::string velocity = x.name() + "'";
    const Entry* q = section.find_name(x.name());
    const Entry* v = section.find_name(velocity);
    if (q == nullptr) missing.push_back(x.name());
    const auto read = [&](const Entry* entry, const std::string& name, std::vector<std::string>& formulas) {
      formulas.emplace_back();
      return entry ? read_number(reading, entry->value, "[initial]: " + in_quotes(name), formulas.back()) : 0.0;
    };
    problem.q0.push_back(read(q, x.name(), problem.parameter_use.q0));
    problem.v0.push_back(read(v, velocity, problem.parameter_use.v0));
  }
  for (const Entry& entry : section.entries()) {
    const auto name = reading.names.find(entry.key.substr(0, entry.key.find('\'')));
    if (name != reading.names.end() && name->second.kind == NameKind::replaced)
      section.fail(entry.position,
                   "coordinate " + in_quotes(name->first) + " is replaced by [reduce]; give the reduced ones");
  }
  section.finish("coordinate");
  if (!missing.empty()) section.fail(section.position(), "missing coordinate " + in_quotes(missing.front()));
}

}  // namespace invar::model
