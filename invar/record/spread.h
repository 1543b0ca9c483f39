// Choosing some of many rows without falling into step with what repeats itself in them: at equal distances an
// oscillation looks like another, slower one.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace invar {

// The fractional part of k times the golden ratio: spread evenly between 0 and 1, never twice the same.
inline double golden_part(std::size_t k) {
  constexpr double golden = 0.6180339887498949;
  const double turns = golden * static_cast<double>(k);
  return turns - std::floor(turns);
}

// Of so many rows, more than `count`, which is at least two: the first, the last, and one of each of equal stretches
// between them; ascending.
inline std::vector<std::size_t> spread_rows(std::size_t rows, std::size_t count) {
  std::vector<std::size_t> list = {0};
  const std::size_t inner = count - 2;
  for (std::size_t k = 0; k < inner; ++k) {
    const std::size_t first = 1 + k * (rows - 2) / inner, next = 1 + (k + 1) * (rows - 2) / inner;
    list.push_back(first + static_cast<std::size_t>(golden_part(k) * static_cast<double>(next - first)));
  }
  list.push_back(rows - 1);
  return list;
}

}  // namespace invar
