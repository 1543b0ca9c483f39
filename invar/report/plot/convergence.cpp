// See convergence.h.
#include "invar/report/plot/convergence.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace invar {

namespace {

// The value of a column at t, between rows along a straight line.
double value_at(const Trajectory& table, std::size_t column, double t) {
  std::size_t low = 0, high = table.rows() - 1;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (table.row(middle)[0] <= t ? low : high) = middle;
  }
  const double t0 = table.row(low)[0], t1 = table.row(high)[0];
  const double s = t1 > t0 ? (t - t0) / (t1 - t0) : 0.0;
  return (1.0 - s) * table.row(low)[column] + s * table.row(high)[column];
}

// The p for which errors C hᵖ, less that of the run they are measured against, grow as they do between the two finest
// steps: (h₁ᵖ - rᵖ) / (h₀ᵖ - rᵖ) = e₁/e₀, where r is the step of that run if it is of the same method. The left side
// grows with p.
double observed_order(const ConvergenceSeries& s, double reference) {
  const auto ratio = [&](double p) {
    const double r = std::pow(reference / s.step[0], p);
    return (std::pow(s.step[1] / s.step[0], p) - r) / (1.0 - r);
  };
  double low = 0.01, high = 20.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (ratio(middle) < s.error[1] / s.error[0] ? low : high) = middle;
  }
  return low;
}

}  // namespace

double largest_difference(const Trajectory& a, const Trajectory& reference, const std::vector<std::string>& columns) {
  double most = 0.0;
  for (const std::string& name : columns) {
    if (!a.find(name + "'") && !reference.find(name + "'")) continue;
    const std::size_t i = a.index(name), j = reference.index(name);
    for (std::size_t k = 0; k < a.rows(); ++k) {
      const double t = a.row(k)[0], d = std::abs(a.row(k)[i] - value_at(reference, j, t));
      if (std::isfinite(d) && t <= reference.row(reference.rows() - 1)[0]) most = std::max(most, d);
    }
  }
  return most;
}

std::vector<ConvergenceSeries> convergence(const std::vector<SteppedRun>& runs,
                                           const std::vector<std::string>& columns) {
  const auto finer = [](const SteppedRun& a, const SteppedRun& b) { return a.step < b.step; };
  std::vector<SteppedRun> sorted;
  for (const SteppedRun& run : runs)
    if (run.step > 0.0) sorted.push_back(run);
  std::stable_sort(sorted.begin(), sorted.end(), finer);
  std::map<std::string, ConvergenceSeries> by_method;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    ConvergenceSeries& s = by_method[sorted[i].method];
    s.method = sorted[i].method;
    const double error = largest_difference(*sorted[i].motion, *sorted[0].motion, columns);
    if (error > 0.0 && (s.step.empty() || sorted[i].step > s.step.back())) {
      s.step.push_back(sorted[i].step);
      s.error.push_back(error);
    }
  }
  std::vector<ConvergenceSeries> series;
  for (auto& [method, s] : by_method) {
    if (s.step.size() < 2) continue;
    s.order = observed_order(s, method == sorted[0].method && sorted[0].step < s.step[0] ? sorted[0].step : 0.0);
    series.push_back(std::move(s));
  }
  return series;
}

}  // namespace invar
