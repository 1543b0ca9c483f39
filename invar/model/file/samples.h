// Samples over time from a CSV file with a column t.
#pragma once

#include <string>

#include "invar/model/file/reading.h"
#include "invar/record/read_csv.h"

namespace invar::model {

// A file named in the model, relative to the model file.
std::string read_path(const Reading& reading, Section& section, std::string_view key);

// The times ascend, there are at least two rows, and all numbers are finite.
CsvFile read_samples(const std::string& path);

}  // namespace invar::model
