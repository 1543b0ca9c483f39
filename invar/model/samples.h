// Samples over time from a CSV file with a column t.
#pragma once

#include <string>

#include "invar/record/read_csv.h"

namespace invar::model {

// The times ascend, there are at least two rows, and all numbers are finite.
CsvFile read_samples(const std::string& path);

}  // namespace invar::model
