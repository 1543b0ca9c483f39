// [initial] of a mechanism: rates of coordinates that have a name. Bodies start where and as they say themselves.
//
// The velocities of the bodies follow by the least change that the joints allow. Named coordinates of which nothing is
// said keep their rates if that is possible.
#include "invar/base/message.h"
#include "invar/expr/symbol_places.h"
#include "invar/model/file/mechanism_reading.h"
#include "invar/system/start/start.h"
#include "invar/system/start/tree_start.h"

namespace invar::model {
namespace {

struct Rate {
  Variable coordinate;
  double value;
};

// Nothing if one of them is no coordinate of the system, and where only constraints can hold them.
std::optional<std::vector<double>> velocities_along_tree(const Problem& problem, const State& given,
                                                         const std::vector<Rate>& rates) {
  const SymbolPlaces places(positions(problem.system));
  std::vector<std::optional<double>> led(given.v.size());
  for (const Rate& rate : rates) {
    const std::size_t i = places.of(at(rate.coordinate));
    if (i == SymbolPlaces::none) return std::nullopt;
    led[i] = rate.value;
  }
  return led_velocities(problem.system, given, led);
}

std::vector<double> velocities_with(const Problem& problem, const std::vector<Rate>& rates) {
  const State given = {.t = 0.0, .q = problem.q0, .v = problem.v0, .a = {}, .lambda = {}};
  if (const auto found = velocities_along_tree(problem, given, rates)) return *found;
  System held = problem.system;
  for (const Rate& rate : rates)
    held.add_constraint("rate of " + rate.coordinate.name(), at(rate.coordinate, 1) - rate.value, Level::velocity);
  return consistent_start(held, given).state.v;
}

}  // namespace

void read_rates(Reading& reading, Section& top) {
  auto section = top.table("initial", "[initial]");
  if (!section) return;
  Problem& problem = reading.problem;
  const SymbolPlaces places(positions(problem.system));
  const auto rate_of = [&](const Variable& x) {
    const std::size_t i = places.of(at(x));
    return i == SymbolPlaces::none ? 0.0 : problem.v0[i];
  };
  std::vector<Rate> given, all;
  for (const auto& [name, variable] : reading.parts->coordinates) {
    const Entry* entry = section->find_name(name + "'");
    const double value =
        entry ? read_number(reading, entry->value, "[initial]: " + in_quotes(name + "'")) : rate_of(variable);
    all.push_back({variable, value});
    if (entry) given.push_back(all.back());
  }
  for (const Entry& entry : section->entries()) {
    const auto name = reading.names.find(entry.key.substr(0, entry.key.find('\'')));
    if (name == reading.names.end()) continue;
    if (name->second.kind == NameKind::placement)
      section->fail(entry.position, "bodies say themselves where they start and how they move");
    if (name->second.kind == NameKind::coordinate && entry.key == name->first)
      section->fail(entry.position, "gives rates only; say \"start\" in the joint of " + in_quotes(entry.key));
  }
  section->finish("rate");
  if (given.empty()) return;
  Exprs decide = {problem.system.kinetic};
  for (const Constraint& c : problem.system.constraints) decide.push_back(c.expr);
  use_up(reading, decide, "[initial]");
  at_position(reading, section->position(), "[initial]: ", [&] {
    try {
      problem.v0 = velocities_with(problem, all);
    } catch (const InputError&) {
      problem.v0 = velocities_with(problem, given);
    }
  });
}

}  // namespace invar::model
