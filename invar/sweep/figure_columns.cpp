// See figure_columns.h.
#include "invar/sweep/figure_columns.h"

#include <algorithm>
#include <limits>

namespace invar {

// Nearly all records have the same names at the same places.
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
