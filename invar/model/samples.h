// Samples over time from a CSV file: a line of names, one of them t, then lines of numbers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace invar::model {

struct Samples {
  std::string file;
  std::size_t header_line = 1;
  std::vector<std::string> columns;         // without t
  std::vector<double> time;                 // ascending, at least two
  std::vector<std::vector<double>> values;  // per column
};

// Blank lines and lines that begin with # are skipped. Every error is one line, `FILE:LINE: REASON`.
Samples read_samples(const std::string& path);
Samples parse_samples(std::string_view text, std::string file);

[[noreturn]] void fail(const Samples& samples, std::size_t line, const std::string& message);

}  // namespace invar::model
