// See sweep_coefficients.h.
#include "invar/device/sweep_coefficients.h"

#include <algorithm>
#include <cmath>

#include "invar/tape/statements.h"

namespace invar {

std::vector<SweepCoefficient> needed_coefficients(const Sweep& sweep) {
  const std::vector<bool> used = used_inputs(sweep.function());
  std::vector<SweepCoefficient> result;
  for (std::size_t j = 0; j < sweep.unknowns(); ++j)
    for (std::size_t n = 0; n < sweep.length(j); ++n)
      if (used[sweep.first(j) + n]) result.push_back({sweep.first(j) + n, j, n});
  return result;
}

std::vector<double> change_scales(const Sweep& sweep, std::span<const Jet> jets,
                                  std::span<const SweepCoefficient> coefficients) {
  constexpr double of_the_stage = 1e-3, of_all = 1e-10;
  int highest = 0;
  for (std::size_t j = 0; j < sweep.unknowns(); ++j) highest = std::max(highest, sweep.stage_order(j));
  std::vector<double> typical(static_cast<std::size_t>(highest) + 1), result;
  const auto stage = [&](std::size_t j, std::size_t n) {
    return std::min(static_cast<std::size_t>(highest - sweep.stage_order(j)) + n, typical.size() - 1);
  };
  const auto largest = [&](std::size_t j, std::size_t n) {
    double most = 0.0;
    for (const Jet& jet : jets)
      if (n < jet.x[j].size()) most = std::max(most, std::abs(jet.x[j][n]) / std::tgamma(static_cast<double>(n) + 1.0));
    return most / sweep.units().unknown(j, static_cast<int>(n));
  };
  for (std::size_t j = 0; j < sweep.unknowns(); ++j)
    for (std::size_t n = 0; n <= static_cast<std::size_t>(sweep.stage_order(j)); ++n)
      typical[stage(j, n)] = std::max(typical[stage(j, n)], largest(j, n));
  const double floor = of_all * std::ranges::max(typical) + 1e-12;
  for (const auto& [place, j, n] : coefficients)
    result.push_back(1.0 / sweep.units().unknown(j, static_cast<int>(n)) /
                     (largest(j, n) + floor + of_the_stage * typical[stage(j, n)]));
  return result;
}

}  // namespace invar
