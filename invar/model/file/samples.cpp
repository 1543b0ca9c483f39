// What samples over time need beyond a table of numbers.
#include "invar/model/file/samples.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>

#include "invar/base/message.h"

namespace invar::model {
namespace {

constexpr std::size_t largest_table = std::size_t{256} << 20;

void check_finite(const CsvFile& file, std::size_t row) {
  const std::span<const double> values = file.table.row(row);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]))
      file.fail(file.row_lines[row], "column " + in_quotes(file.table.columns[k]) + ": numbers must be finite, not " +
                                         (std::isnan(values[k]) ? "nan" : "inf"));
}

// Links and .. are followed, so that what is below by name only counts as outside.
bool is_below(const std::filesystem::path& folder, const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::filesystem::path top = std::filesystem::weakly_canonical(here / folder, error),
                              place = std::filesystem::weakly_canonical(here / file, error);
  return !error && std::ranges::mismatch(top, place).in1 == top.end();
}

}  // namespace

std::string read_path(const Reading& reading, Section& section, std::string_view key) {
  const std::string& name = section.string(key);
  if (name.empty() || name.find('\0') != std::string::npos)
    section.fail(section.require(key).value.position, in_quotes(key) + " must name a file");
  const std::filesystem::path folder = std::filesystem::path(reading.document.file).parent_path();
  if (!reading.document.may_read_outside && !is_below(folder, folder / name))
    section.fail(section.require(key).value.position,
                 in_quotes(name) + " is not below the folder of the model; --allow-outside lets it be read");
  return (folder / name).string();
}

CsvFile read_samples(const std::string& path) {
  CsvFile file = read_csv_file(path, largest_table);
  const auto time = file.table.find("t");
  if (!time) file.fail(file.header_line, "no column \"t\"");
  const std::size_t rows = file.table.rows();
  for (std::size_t i = 0; i < rows; ++i) {
    check_finite(file, i);
    if (i > 0 && !(file.table.row(i)[*time] > file.table.row(i - 1)[*time]))
      file.fail(file.row_lines[i], "the time does not increase");
  }
  if (rows < 2)
    file.fail(rows == 0 ? file.header_line : file.row_lines.back(), "at least two rows of numbers are needed");
  return file;
}

}  // namespace invar::model
