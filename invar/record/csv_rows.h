// A table written as CSV, row by row: a header line of names, then numbers in as many digits as they need.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "invar/record/file.h"
#include "invar/record/row_sink.h"

namespace invar {

// With these a formula of a spreadsheet begins. A column name that does gets an apostrophe in front, which reading
// takes away again.
inline constexpr std::string_view formula_signs = "=+-@\t\r";

// A name as it stands in a file.
std::string csv_name(std::string name);

// Rows as text. A number that stands in the same column as before is not converted anew: many columns are constant.
class RowText {
 public:
  void append(std::span<const double> row, std::string& text);

 private:
  static constexpr std::size_t longest = 24;  // -1.2345678901234567e-308
  struct Cell {
    std::uint64_t bits = 0;
    std::uint8_t length = 0;  // of the text with a comma; zero if there is none yet
    std::array<char, longest + 1> text = {};
  };
  std::vector<Cell> cells_;
  std::vector<char> line_;
};

class CsvRows : public RowFile {
 public:
  explicit CsvRows(std::filesystem::path path) : path_(std::move(path)) {}

  void begin(const std::vector<std::string>& columns, std::size_t expected) override;
  void append(std::span<const double> row) override;
  void finish() override;
  std::string store() override;  // the mark is the size of the file
  std::string go_on(const std::filesystem::path& from, const std::string& mark) override;

 private:
  void write_all();

  std::filesystem::path path_;
  bool goes_on_ = false;
  std::optional<OutputFile> file_;
  std::string text_;  // not yet in the file
  RowText row_;
};

}  // namespace invar
