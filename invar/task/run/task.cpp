// See task.h.
#include "invar/task/run/task.h"

#include <algorithm>

namespace invar {

const Trajectory* Outcome::table(std::string_view name) const {
  const auto found = std::ranges::find(tables, name, &Table::name);
  return found == tables.end() ? nullptr : &found->rows;
}

std::optional<double> GivenSettings::value(std::string_view option) const {
  const auto found = values.find(option);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

void GivenSettings::take(std::string_view option, double& target) const { target = value(option).value_or(target); }

void GivenSettings::take(std::string_view option, int& target) const {
  if (const auto given = value(option)) target = static_cast<int>(*given);
}

void GivenSettings::take_method(std::string& target) const {
  if (!method.empty()) target = method;
}

}  // namespace invar
