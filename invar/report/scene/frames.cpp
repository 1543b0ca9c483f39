// See frames.h.
#include "invar/report/scene/frames.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/record/spread.h"

namespace invar {

Frames::Frames(const Trajectory& motion, std::size_t most, const std::vector<double>& times, Spread spread)
    : Frames(motion, std::make_shared<const ColumnPlaces>(motion.columns)) {
  const std::vector<double> t = motion.column("t");
  const std::size_t rows = motion.rows(), count = std::min(rows, most);
  if (spread == Spread::uneven && count < rows && count > 1)
    rows_ = spread_rows(rows, count);
  else
    for (std::size_t k = 0; k < count; ++k) rows_.push_back(count < 2 ? 0 : k * (rows - 1) / (count - 1));
  for (const double time : times) {
    const auto after = static_cast<std::size_t>(std::lower_bound(t.begin(), t.end(), time) - t.begin());
    const bool before = after == t.size() || (after > 0 && time - t[after - 1] < t[after] - time);
    rows_.push_back(before ? after - 1 : after);
  }
  std::sort(rows_.begin(), rows_.end());
  rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
}

Frames Frames::with_probes() const {
  Frames result(*motion_, places_);
  const auto add = [&](std::size_t row, bool probe) {
    result.rows_.push_back(row);
    result.probes_.push_back(probe);
  };
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    add(rows_[k], false);
    const std::size_t rows = k + 1 < rows_.size() ? rows_[k + 1] - rows_[k] : 0;
    const double part = 0.3 + 0.4 * golden_part(k);
    const auto inside = static_cast<std::size_t>(std::lround(part * static_cast<double>(rows)));
    if (inside > 0 && inside < rows) add(rows_[k] + inside, true);
  }
  return result;
}

std::vector<double> Frames::column(const std::string& name) const {
  std::vector<double> values(rows_.size(), std::numeric_limits<double>::quiet_NaN());
  if (const auto place = places_->find(name))
    for (std::size_t k = 0; k < rows_.size(); ++k) values[k] = motion_->row(rows_[k])[*place];
  return values;
}

std::vector<double> Frames::in_all_rows(const std::string& name) const {
  return motion_->column(places_->find(name).value());
}

}  // namespace invar
