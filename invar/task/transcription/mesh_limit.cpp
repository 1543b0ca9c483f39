// See mesh_limit.h.
#include "invar/task/transcription/mesh_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace invar {

namespace {

// Of the meshes i - 2, i - 1 and i.
std::optional<double> observed_order(std::span<const double> costs, std::size_t i) {
  const double ratio = (costs[i - 1] - costs[i - 2]) / (costs[i] - costs[i - 1]);
  if (!(ratio > 0.0) || !std::isfinite(ratio)) return std::nullopt;
  return std::log2(ratio);
}

// Without the terms of the first power, of the next one, ….
double without_terms(std::span<const double> costs, double first, double step) {
  std::vector<double> column(costs.begin(), costs.end());
  double last_change = std::numeric_limits<double>::infinity();
  for (double p = first; column.size() > 1; p += step) {
    std::vector<double> next;
    for (std::size_t i = 1; i < column.size(); ++i)
      next.push_back(column[i] + (column[i] - column[i - 1]) / (std::pow(2.0, p) - 1.0));
    const double change = std::abs(next.back() - column.back());
    if (change > last_change) break;
    last_change = change;
    column = std::move(next);
  }
  return column.back();
}

}  // namespace

MeshLimit mesh_limit(std::span<const double> costs, const ErrorPowers& promised, double solved) {
  // Sums of hᵖ and higher powers look like another order, the more so the coarser the mesh; beyond these bounds it is
  // no order.
  constexpr double slowest = 0.5, faster = 1.0, settled = 0.5, confirmed = 0.25;
  const std::size_t count = costs.size();
  if (count < 2) return {};
  const double last = costs[count - 1], change = last - costs[count - 2];
  if (std::abs(change) <= solved * std::abs(last)) return {last, {}, {}};
  if (count < 3) return {{}, {}, "two meshes do not show with which order the cost changes; refine 3 or more"};
  MeshLimit limit;
  limit.order = observed_order(costs, count - 1);
  if (!limit.order) {
    limit.why_none = "the costs of the last three meshes do not go in one direction";
  } else if (*limit.order < slowest) {
    limit.why_none = fmt::format("the cost does not settle: observed order {:.2f}", *limit.order);
  } else if (*limit.order > promised.order + faster) {
    limit.why_none = fmt::format(
        "the observed order {:.2f} is none that this scheme can have: the meshes are too coarse", *limit.order);
  } else if (count > 3) {
    const std::optional<double> before = observed_order(costs, count - 2);
    if (!before || std::abs(*before - *limit.order) > settled)
      limit.why_none = fmt::format("the order has not settled: {} and then {:.2f}",
                                   before ? fmt::format("{:.2f}", *before) : "none", *limit.order);
  }
  if (!limit.why_none.empty()) return limit;
  // An order that confirms the promised one is that one, felt through the next terms.
  if (std::abs(*limit.order - promised.order) < confirmed)
    limit.value = without_terms(costs, promised.order, promised.every_second ? 2.0 : 1.0);
  else
    limit.value = last + change / (std::pow(2.0, *limit.order) - 1.0);
  return limit;
}

}  // namespace invar
