// See even_data.h.
#include "invar/report/page/even_data.h"

#include <algorithm>
#include <cmath>

#include "invar/model/columns/column_groups.h"
#include "invar/report/page/packing.h"
#include "invar/report/rows/even_rows.h"

namespace invar {

namespace {

constexpr std::size_t most_characters = 1900000;
constexpr std::size_t most_numbers = std::size_t{1} << 21;  // which take at least so many
constexpr double part_of_values = 0x1p-34, part_of_time = 0x1p-43;

std::optional<Packed> packed_to_part(const std::vector<double>& values, double of_largest, std::size_t& characters) {
  double largest = 0.0;
  for (const double x : values) largest = std::max(largest, std::abs(x));
  auto packed = packed_smooth(values, 1, largest > 0.0 ? of_largest * largest : 1.0);
  if (packed) characters += packed->text.size();
  return packed;
}

// Nothing if they take more characters than there may be.
std::optional<EvenData> packed_rows(const Problem& problem, const Trajectory& even) {
  const ColumnGroups groups(problem);
  const std::vector<double> time = even.column("t");
  std::size_t characters = 0;
  const auto packed_time = packed_to_part(time, part_of_time, characters);
  if (!packed_time) return std::nullopt;
  EvenData data{*packed_time, {}};
  for (std::size_t place = 0; place < even.columns.size(); ++place) {
    const std::string& name = even.columns[place];
    const auto group = groups.shown(name);
    if (!group || *group == "drift") continue;
    auto values = packed_to_part(even.column(place), part_of_values, characters);
    if (!values) continue;
    EvenData::Column column{name, std::move(*values), {}};
    if (const TimeFunction* path = path_of(problem, name); path != nullptr && *group == "outputs")
      column.reference = packed_to_part(values_at(*path, time), part_of_values, characters);
    data.columns.push_back(std::move(column));
    if (characters > most_characters) return std::nullopt;
  }
  return data;
}

}  // namespace

std::optional<EvenData> even_data(const Problem& problem, const Trajectory& even, std::size_t least) {
  if (even.rows() < least) return std::nullopt;
  if (even.values.size() <= most_numbers)
    if (auto data = packed_rows(problem, even)) return data;
  return even_data(problem, every_second(even), least);
}

}  // namespace invar
