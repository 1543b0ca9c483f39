// See telling_cases.h.
#include "invar/report/sweep/telling_cases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "invar/report/sweep/failures.h"
#include "invar/sample/statistics.h"

namespace invar {

namespace {

constexpr std::array<std::string_view, 6> motion_kinds = {".end", ".min", ".max", ".peak", ".mean", ".rms"};

bool is_of_motion(const std::string& figure) {
  return std::ranges::any_of(motion_kinds, [&](std::string_view kind) { return figure.ends_with(kind); });
}

// But for rounding.
bool varies(const std::vector<double>& values) {
  constexpr double rounding = 1e-12;
  const Moments found = moments(values);
  return found.deviation > rounding * std::abs(found.mean);
}

}  // namespace

std::optional<std::size_t> first_figure(const SweepTable& table) {
  if (table.figures.empty()) return std::nullopt;
  std::optional<std::size_t> first;
  for (std::size_t f = 0; f < table.figures.size(); ++f) {
    if (!varies(table.figure_column(f))) continue;
    if (is_of_motion(table.figures[f])) return f;
    if (!first) first = f;
  }
  return first.value_or(0);
}

std::vector<std::uint64_t> telling_cases(const SweepTable& table, std::size_t most) {
  std::vector<std::uint64_t> chosen;
  if (const std::optional<std::size_t> figure = first_figure(table)) {
    const std::vector<double> values = table.figure_column(*figure);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (std::isfinite(values[k])) chosen.push_back(k);
    std::ranges::stable_sort(chosen, std::ranges::greater{}, [&](std::uint64_t k) { return values[k]; });
    chosen.resize(std::min(chosen.size(), most));
  }
  std::size_t failed = 0;
  for (const FailureGroup& group : failures_of(table)) {
    if (group.status != CaseStatus::failed || failed == most) continue;
    chosen.push_back(group.cases.front());
    ++failed;
  }
  return chosen;
}

}  // namespace invar
