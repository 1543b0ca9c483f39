// See even_rows.h.
#include "invar/report/rows/even_rows.h"

#include <algorithm>

namespace invar {

namespace {

constexpr std::size_t fewest_even_rows = 128;  // however many columns there are

}  // namespace

void EvenRows::begin(const std::vector<std::string>& columns, std::size_t expected) {
  rows_ = {columns, {}};
  most_ = std::max(numbers_ / std::max<std::size_t>(columns.size(), 1), fewest_even_rows);
  distance_ = 1;
  seen_ = 0;
  rows_.reserve(std::min(expected, most_));
}

void EvenRows::append(std::span<const double> row) {
  if (seen_++ % distance_ != 0) return;
  if (rows_.rows() == most_) {
    const std::size_t width = rows_.columns.size(), kept = (rows_.rows() + 1) / 2;  // in place: there is no more room
    for (std::size_t k = 1; k < kept; ++k)
      std::copy_n(rows_.values.begin() + 2 * k * width, width, rows_.values.begin() + k * width);
    rows_.values.resize(kept * width);
    distance_ *= 2;
    if ((seen_ - 1) % distance_ != 0) return;
  }
  rows_.append(row);
}

Trajectory every_second(const Trajectory& table) {
  Trajectory result{table.columns, {}};
  result.reserve(table.rows() / 2 + 1);
  for (std::size_t k = 0; k < table.rows(); k += 2) result.append(table.row(k));
  return result;
}

}  // namespace invar
