// Reports of single cases of a sweep: each is run once more, as a run of its own into a folder beside the page, which
// links it.
#pragma once

#include <cstdint>
#include <string>

#include "invar/record/sweep/sweep_table.h"

namespace invar::app {

// Into FOLDER/case-NUMBER. Returns the exit status of the run.
int run_case(const SweepTable& table, const std::string& folder, std::uint64_t number);

// What such reports may take: a tenth of what the sweep has taken, though at least some seconds and at most a minute.
double seconds_for_reports(double of_sweep);

// Those that tell most (telling_cases.h), up to `most` of a kind, as far as the time goes; `each` is what one of the
// runs has taken. Nothing is said about how they end: the table has told that. Returns how many there are now.
std::size_t report_telling_cases(const std::string& folder, std::size_t most, double each, double seconds);

}  // namespace invar::app
