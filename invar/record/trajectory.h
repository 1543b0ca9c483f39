// A Trajectory is a table of numbers with named columns, one row per recorded time; written and read as CSV.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace invar {

struct Trajectory {
  std::vector<std::string> columns;
  std::vector<double> values;  // row by row

  std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  std::span<const double> row(std::size_t i) const {
    return std::span(values).subspan(i * columns.size(), columns.size());
  }
  std::optional<std::size_t> find(std::string_view name) const;
  std::size_t index(std::string_view name) const;  // InputError if there is no such column
  double value(std::size_t row, std::string_view name) const { return values[row * columns.size() + index(name)]; }
  std::vector<double> column(std::string_view name) const;
  std::vector<double> column(std::size_t place) const;

  void reserve(std::size_t rows) { values.reserve(rows * columns.size()); }
  // A new row to fill. Allocates nothing within what was reserved; valid until the next call.
  std::span<double> append();
  void append(std::span<const double> row);
};

// A header line of names, then numbers in as many digits as they need: what is read back is the same to the last bit.
// Independent of the locale. A file that cannot be written is an InputError with the system's reason.
std::string to_csv(const Trajectory& trajectory);
void write_csv(const Trajectory& trajectory, const std::filesystem::path& path);

// Lines that begin with # and blank lines are skipped. Every error is one line, with the place where there is one.
Trajectory read_csv(const std::filesystem::path& path);
Trajectory read_csv_text(std::string_view text, const std::string& file_name);

}  // namespace invar
