// See gather.h.
#include "invar/sweep/gather.h"

#include <algorithm>
#include <limits>

namespace invar {

// Nearly all records have the same names at the same places.
void FigureColumns::add(const CaseRecord& record) {
  for (std::size_t i = 0; i < record.numbers.size(); ++i) {
    const std::string& name = record.numbers[i].name;
    if (i < names_.size() && names_[i] == name) continue;
    if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
  }
}

std::vector<double> FigureColumns::row(const CaseRecord& record) const {
  std::vector<double> row(names_.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < record.numbers.size(); ++i) {
    const auto& [name, value] = record.numbers[i];
    const bool in_place = i < names_.size() && names_[i] == name;
    row[in_place ? i : static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin())] = value;
  }
  return row;
}

}  // namespace invar
