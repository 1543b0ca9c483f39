// CSV files of others: a table that remembers its lines, so that whoever finds fault with a number can say where.
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "invar/record/trajectory.h"

namespace invar {

// A table, and where its parts stand in the file.
struct CsvFile {
  std::string name;
  Trajectory table;
  std::size_t header_line = 0;         // from 1
  std::vector<std::size_t> row_lines;  // of each row
  std::vector<double> last_places;     // of each number, what one more in its last digit adds

  [[noreturn]] void fail(std::size_t line, const std::string& reason) const;  // InputError `FILE:LINE: REASON`
};

// As read_csv(); what holds more than `limit` bytes is an InputError.
CsvFile read_csv_file(const std::filesystem::path& path, std::size_t limit = std::numeric_limits<std::size_t>::max());

}  // namespace invar
