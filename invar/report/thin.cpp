// See thin.h.
#include "invar/report/thin.h"

#include <algorithm>
#include <cmath>

namespace invar {

Trajectory thinned(const Trajectory& table, std::size_t most) {
  const std::size_t rows = table.rows(), width = table.columns.size();
  if (rows <= most) return table;
  const std::size_t stretches = std::max<std::size_t>(most, 4) / 2 - 1;
  Trajectory result;
  result.columns = table.columns;
  result.reserve(2 * stretches + 2);
  result.append(table.row(0));  // the motion begins and ends where it does
  for (std::size_t s = 0; s < stretches; ++s) {
    const std::size_t first = s * rows / stretches, last = (s + 1) * rows / stretches;  // of the next stretch
    std::vector<double> early(table.row(first).begin(), table.row(first).end());
    std::vector<double> late(table.row(last - 1).begin(), table.row(last - 1).end());
    for (std::size_t c = 1; c < width; ++c) {
      std::size_t least = first, greatest = first;
      for (std::size_t k = first; k < last; ++k) {
        const double x = table.row(k)[c];
        if (x < table.row(least)[c] || std::isnan(table.row(least)[c])) least = k;
        if (x > table.row(greatest)[c] || std::isnan(table.row(greatest)[c])) greatest = k;
      }
      early[c] = table.row(std::min(least, greatest))[c];
      late[c] = table.row(std::max(least, greatest))[c];
    }
    result.append(early);
    result.append(late);
  }
  result.append(table.row(rows - 1));
  return result;
}

}  // namespace invar
