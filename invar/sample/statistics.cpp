#include "invar/sample/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace invar {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

std::vector<double> ordered(std::span<const double> values) {
  std::vector<double> list;
  for (const double value : values)
    if (std::isfinite(value)) list.push_back(value);
  std::ranges::sort(list);
  return list;
}

// Linear between the values beside the place p·(n - 1); exact where they are equal.
double between(const std::vector<double>& list, double p) {
  if (list.empty()) return undefined;
  const double place = std::clamp(p, 0.0, 1.0) * static_cast<double>(list.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(place), list.size() - 1);
  const double part = place - static_cast<double>(k);
  return part == 0.0 ? list[k] : (1.0 - part) * list[k] + part * list[k + 1];
}

// Pairs of which both are finite.
void take_pairs(std::span<const double> x, std::span<const double> y, std::vector<double>& a, std::vector<double>& b) {
  for (std::size_t k = 0; k < std::min(x.size(), y.size()); ++k) {
    if (!std::isfinite(x[k]) || !std::isfinite(y[k])) continue;
    a.push_back(x[k]);
    b.push_back(y[k]);
  }
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t k) { return values[k]; });
  std::vector<double> rank(values.size());
  for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
    while (to < order.size() && values[order[to]] == values[order[from]]) ++to;
    for (std::size_t k = from; k < to; ++k) rank[order[k]] = 0.5 * static_cast<double>(from + to - 1);
  }
  return rank;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const Moments of_a = moments(a), of_b = moments(b);
  if (of_a.count < 2 || of_a.least == of_a.largest || of_b.least == of_b.largest) return undefined;
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k)
    sum += (a[k] - of_a.mean) / of_a.deviation * ((b[k] - of_b.mean) / of_b.deviation);
  return std::clamp(sum / static_cast<double>(a.size() - 1), -1.0, 1.0);
}

}  // namespace

Moments moments(std::span<const double> values) {
  Moments m;
  m.least = std::numeric_limits<double>::infinity();
  m.largest = -m.least;
  double squares = 0.0;  // of distances from the mean [B. Welford, Technometrics 4 (1962) 419-420]
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    const double distance = value - m.mean;
    m.mean += distance / static_cast<double>(++m.count);
    squares += distance * (value - m.mean);
    m.least = std::min(m.least, value);
    m.largest = std::max(m.largest, value);
  }
  if (m.count == 0) m.mean = m.least = m.largest = undefined;
  m.deviation = m.count < 2 ? undefined : std::sqrt(squares / static_cast<double>(m.count - 1));
  return m;
}

std::vector<double> quantiles(std::span<const double> values, std::span<const double> probabilities) {
  const std::vector<double> list = ordered(values);
  std::vector<double> result;
  for (const double p : probabilities) result.push_back(between(list, p));
  return result;
}

Histogram histogram(std::span<const double> values, std::size_t parts) {
  constexpr double most_parts = 60.0;
  const std::vector<double> list = ordered(values);
  if (list.empty()) return {};
  Histogram h{.from = list.front(), .to = list.back(), .counts = {}};
  if (h.from == h.to) {
    h.counts = {list.size()};
    return h;
  }
  if (parts == 0) {
    const double middle = between(list, 0.75) - between(list, 0.25);
    const double width = 2.0 * middle / std::cbrt(static_cast<double>(list.size()));
    const double advised = width > 0.0 ? std::ceil((h.to - h.from) / width) : most_parts;
    parts = static_cast<std::size_t>(std::clamp(advised, 1.0, most_parts));
  }
  h.counts.assign(parts, 0);
  for (const double value : list) {
    const auto part = static_cast<std::size_t>((value - h.from) / (h.to - h.from) * static_cast<double>(parts));
    ++h.counts[std::min(part, parts - 1)];
  }
  return h;
}

double pearson_correlation(std::span<const double> x, std::span<const double> y) {
  std::vector<double> a, b;
  take_pairs(x, y, a, b);
  return correlation(a, b);
}

double spearman_correlation(std::span<const double> x, std::span<const double> y) {
  std::vector<double> a, b;
  take_pairs(x, y, a, b);
  return correlation(ranks(a), ranks(b));
}

}  // namespace invar
