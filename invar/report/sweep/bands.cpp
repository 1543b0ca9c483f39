#include "invar/report/sweep/bands.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/sample/statistics.h"

namespace invar {
namespace {

constexpr std::size_t instants = 161;  // about as many as a picture has room for

// Walks along one case as the time goes on; rows end where their times do.
class CaseCursor {
 public:
  CaseCursor(const std::vector<double>& time, const std::vector<double>& values) : time_(time), values_(values) {
    size_ = std::min(time.size(), values.size());
    while (size_ > 0 && !std::isfinite(time[size_ - 1])) --size_;
  }

  bool has_any() const { return size_ > 0; }
  double first() const { return time_[0]; }
  double last() const { return time_[size_ - 1]; }

  double at(double t) {
    if (size_ == 0 || t < first() || t > last()) return std::numeric_limits<double>::quiet_NaN();
    while (place_ + 1 < size_ && time_[place_ + 1] <= t) ++place_;
    if (place_ + 1 == size_ || time_[place_] == t) return values_[place_];
    const double part = (t - time_[place_]) / (time_[place_ + 1] - time_[place_]);
    return (1.0 - part) * values_[place_] + part * values_[place_ + 1];
  }

 private:
  const std::vector<double>&time_, &values_;
  std::size_t size_, place_ = 0;
};

}  // namespace

SeriesBand series_band(const std::vector<std::vector<double>>& times, const std::vector<std::vector<double>>& values,
                       std::span<const double> probabilities) {
  std::vector<CaseCursor> cases;
  double from = std::numeric_limits<double>::infinity(), to = -from;
  for (std::size_t k = 0; k < std::min(times.size(), values.size()); ++k) {
    const CaseCursor cursor(times[k], values[k]);
    if (!cursor.has_any()) continue;
    from = std::min(from, cursor.first());
    to = std::max(to, cursor.last());
    cases.push_back(cursor);
  }
  SeriesBand band;
  band.quantiles.resize(probabilities.size());
  if (cases.empty()) return band;
  std::vector<double> here(cases.size());
  for (std::size_t i = 0; i < instants; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(instants - 1);
    const double t = i + 1 == instants ? to : from + part * (to - from);
    for (std::size_t k = 0; k < cases.size(); ++k) here[k] = cases[k].at(t);
    const std::vector<double> found = quantiles(here, probabilities);
    band.time.push_back(t);
    for (std::size_t p = 0; p < found.size(); ++p) band.quantiles[p].push_back(found[p]);
  }
  return band;
}

}  // namespace invar
