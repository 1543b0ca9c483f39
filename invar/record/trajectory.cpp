// Access to the table.
#include "invar/record/trajectory.h"

#include <algorithm>

#include "invar/base/error.h"
#include "invar/base/message.h"

namespace invar {

std::optional<std::size_t> Trajectory::find(std::string_view name) const {
  const auto place = std::ranges::find(columns, name);
  if (place == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(place - columns.begin());
}

std::size_t Trajectory::index(std::string_view name) const {
  if (const auto place = find(name)) return *place;
  throw InputError("no column " + in_quotes(name) + suggestion(name, columns));
}

std::vector<double> Trajectory::column(std::string_view name) const { return column(index(name)); }

std::vector<double> Trajectory::column(std::size_t place) const {
  std::vector<double> result(rows());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = values[i * columns.size() + place];
  return result;
}

std::span<double> Trajectory::append() {
  const std::size_t end = values.size();
  values.resize(end + columns.size());
  return std::span(values).subspan(end);
}

void Trajectory::append(std::span<const double> row) {
  expects(row.size() == columns.size(), "one number per column");
  values.insert(values.end(), row.begin(), row.end());
}

}  // namespace invar
