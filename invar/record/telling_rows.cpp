// See telling_rows.h.
#include "invar/record/telling_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "invar/record/spread.h"

namespace invar {

namespace {

// The rows of the least and the largest number of a column within a stretch; none if it has no number there.
struct Extremes {
  std::size_t least = 0, greatest = 0;
  bool any = false;

  void include(std::size_t row, double x, const Trajectory& table, std::size_t column) {
    if (std::isnan(x)) return;
    if (!any || x < table.row(least)[column]) least = row;
    if (!any || x > table.row(greatest)[column]) greatest = row;
    any = true;
  }
};

// Of every stretch and column, those of a stretch together.
class Stretches {
 public:
  Stretches(const Trajectory& table, const std::vector<std::size_t>& places, std::size_t count)
      : table_(table), places_(places), count_(count), found_(count * places.size()) {
    for (std::size_t s = 0; s < count; ++s)
      for (std::size_t k = s * table.rows() / count; k < (s + 1) * table.rows() / count; ++k) {
        const auto row = table.row(k);
        for (std::size_t i = 0; i < places.size(); ++i)
          found_[s * places.size() + i].include(k, row[places[i]], table, places[i]);
      }
  }

  std::size_t count() const { return count_; }

  // Stretches twice as long.
  void join_pairs() {
    const std::size_t width = places_.size();
    count_ /= 2;
    for (std::size_t s = 0; s < count_; ++s)
      for (std::size_t i = 0; i < width; ++i) {
        Extremes both = found_[2 * s * width + i];
        const Extremes& later = found_[(2 * s + 1) * width + i];
        if (later.any)
          for (const std::size_t k : {later.least, later.greatest})
            both.include(k, table_.row(k)[places_[i]], table_, places_[i]);
        found_[s * width + i] = both;
      }
    found_.resize(count_ * width);
  }

  // All of them, or the first ones in the order of the columns: `most`, or one more.
  std::vector<std::size_t> rows(std::size_t most) const {
    std::vector<std::size_t> list;
    std::vector<bool> taken(table_.rows());
    for (const Extremes& e : found_) {
      if (!e.any) continue;
      if (list.size() >= most) break;
      for (const std::size_t k : {e.least, e.greatest})
        if (!taken[k]) {
          list.push_back(k);
          taken[k] = true;
        }
    }
    std::ranges::sort(list);
    return list;
  }

 private:
  const Trajectory& table_;
  const std::vector<std::size_t>& places_;
  std::size_t count_;
  std::vector<Extremes> found_;
};

}  // namespace

std::vector<std::size_t> telling_rows(const Trajectory& table, const std::vector<std::size_t>& places,
                                      std::size_t most) {
  const std::size_t rows = table.rows();
  most = std::max<std::size_t>(most, 4);
  std::vector<std::size_t> chosen;
  if (rows <= most) {
    for (std::size_t k = 0; k < rows; ++k) chosen.push_back(k);
    return chosen;
  }
  const std::size_t half = (most - 2) / 2;  // for extremes; the rest makes sure that no stretch of time is left out
  Stretches stretches(table, places, std::bit_floor(half));
  while (stretches.count() > 1 && stretches.rows(rows).size() > half) stretches.join_pairs();
  chosen = stretches.rows(half);
  const std::vector<std::size_t> others = spread_rows(rows, most - chosen.size());
  chosen.insert(chosen.end(), others.begin(), others.end());
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

// Row by row: a column by itself would read the whole table.
std::vector<bool> followed(const Trajectory& table, const std::vector<std::size_t>& rows,
                           const std::vector<bool>& held) {
  constexpr double near = 0.1, infinity = std::numeric_limits<double>::infinity();
  struct Column {
    double from = 0.0, slope = 0.0;  // of the line at hand
    double least = infinity, most = -infinity, far = 0.0;
  };
  std::vector<Column> columns(held.size());
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    const auto from = table.row(rows[i]), to = table.row(rows[i + 1]);
    const auto length = static_cast<double>(rows[i + 1] - rows[i]);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      columns[j].from = from[j];
      columns[j].slope = held[j] ? 0.0 : (to[j] - from[j]) / length;
    }
    for (std::size_t k = rows[i]; k < rows[i + 1]; ++k) {
      const auto row = table.row(k);
      const auto passed = static_cast<double>(k - rows[i]);
      for (std::size_t j = 0; j < columns.size(); ++j) {
        Column& c = columns[j];
        if (!std::isfinite(row[j])) continue;
        c.least = std::min(c.least, row[j]);
        c.most = std::max(c.most, row[j]);
        c.far = std::max(c.far, std::abs(c.from + c.slope * passed - row[j]));
      }
    }
  }
  std::vector<bool> result;
  for (const Column& c : columns) result.push_back(!(c.far > near * (c.most - c.least)));
  return result;
}

Trajectory rows_of(const Trajectory& table, const std::vector<std::size_t>& rows) {
  Trajectory result{table.columns, {}};
  result.reserve(rows.size());
  for (const std::size_t k : rows) result.append(table.row(k));
  return result;
}

}  // namespace invar
