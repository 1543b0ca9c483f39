// See inverse_grid.h.
#include "invar/task/invert/inverse_grid.h"

#include <algorithm>
#include <cmath>

namespace invar {

std::vector<double> output_grid(const InvertSettings& settings) {
  const auto steps = static_cast<std::size_t>(std::ceil(settings.until / settings.step * (1.0 - 1e-12)));
  std::vector<double> grid;
  for (std::size_t k = 0; k < steps; ++k) grid.push_back(static_cast<double>(k) * settings.step);
  grid.push_back(settings.until);
  return grid;
}

std::vector<double> refined(const std::vector<double>& grid, std::size_t enough) {
  const std::size_t parts = (enough + grid.size() - 2) / (grid.size() - 1);
  std::vector<double> fine;
  for (std::size_t k = 0; k + 1 < grid.size(); ++k)
    for (std::size_t i = 0; i < parts; ++i)
      fine.push_back(grid[k] + (grid[k + 1] - grid[k]) * static_cast<double>(i) / static_cast<double>(parts));
  fine.push_back(grid.back());
  return fine;
}

std::vector<double> with_knots(std::vector<double> grid, const std::vector<double>& knots) {
  grid.insert(grid.end(), knots.begin(), knots.end());
  std::sort(grid.begin(), grid.end());
  // A grid point that differs from a knot by rounding is the knot.
  std::vector<double> merged;
  for (double t : grid) {
    const bool same = !merged.empty() && t - merged.back() < 1e-12 * std::max(1.0, std::abs(t));
    if (!same)
      merged.push_back(t);
    else if (std::find(knots.begin(), knots.end(), t) != knots.end())
      merged.back() = t;
  }
  return merged;
}

bool is_near(const std::vector<double>& grid, double t) {
  const auto after = std::lower_bound(grid.begin(), grid.end(), t - 1e-12 * std::max(1.0, std::abs(t)));
  return after != grid.end() && *after <= t + 1e-12 * std::max(1.0, std::abs(t));
}

}  // namespace invar
