// See frames.h.
#include "invar/report/frames.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace invar {

Frames::Frames(const Trajectory& motion, std::size_t most, double end, const std::vector<double>& times)
    : motion_(motion) {
  const std::vector<double> t = motion.column("t");
  const auto until = static_cast<std::size_t>(std::upper_bound(t.begin(), t.end(), end) - t.begin());
  const std::size_t rows = std::max<std::size_t>(1, until), count = std::min(rows, most);
  for (std::size_t k = 0; k < count; ++k) rows_.push_back(count < 2 ? 0 : k * (rows - 1) / (count - 1));
  for (const double time : times) {
    if (time > end) continue;
    const auto after = static_cast<std::size_t>(std::lower_bound(t.begin(), t.end(), time) - t.begin());
    const bool before = after == t.size() || (after > 0 && time - t[after - 1] < t[after] - time);
    rows_.push_back(before ? after - 1 : after);
  }
  std::sort(rows_.begin(), rows_.end());
  rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
}

std::vector<double> Frames::column(const std::string& name) const {
  std::vector<double> values(rows_.size(), std::numeric_limits<double>::quiet_NaN());
  if (const auto place = motion_.find(name))
    for (std::size_t k = 0; k < rows_.size(); ++k) values[k] = motion_.row(rows_[k])[*place];
  return values;
}

}  // namespace invar
