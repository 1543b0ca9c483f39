// How a series differs between the cases of a sweep: its quantiles at instants that all of them share.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace invar {

struct SeriesBand {
  std::vector<double> time;
  std::vector<std::vector<double>> quantiles;  // for each probability, at each time
};

// Of rows that belong to the cases, each with its own times: linear between them, and a case counts as long as it
// lasts. No times if there are none.
SeriesBand series_band(const std::vector<std::vector<double>>& times, const std::vector<std::vector<double>>& values,
                       std::span<const double> probabilities);

}  // namespace invar
