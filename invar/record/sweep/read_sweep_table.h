// The results of a sweep, from their folder.
#pragma once

#include <filesystem>
#include <string_view>

#include "invar/record/sweep/sweep_table.h"

namespace invar {

// Is it the summary.json of a sweep?
bool is_sweep_summary(std::string_view json);

// What table.csv, summary.json and, if there is one, sweep.h5 of a result folder say. InputError if it is no folder of
// a sweep; the line of table.csv if that is spoilt.
SweepTable read_sweep_table(const std::filesystem::path& folder);

}  // namespace invar
