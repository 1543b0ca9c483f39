// Which cases of a sweep are worth a report of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "invar/record/sweep/sweep_table.h"

namespace invar {

// The figure that the page shows first: one that varies, rather of a column of the motion than of how it was computed.
// Nothing if there are no figures. The same rule as in viewer/src/sweep/data.ts.
std::optional<std::size_t> first_figure(const SweepTable& table);

// The `most` cases in which the first figure is largest, and as many that failed: the first of each of the most
// frequent reasons. Those that were stopped would only be stopped once more.
std::vector<std::uint64_t> telling_cases(const SweepTable& table, std::size_t most);

}  // namespace invar
