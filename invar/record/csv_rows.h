// A table written as CSV, row by row: a header line of names, then numbers in as many digits as they need.
#pragma once

#include <optional>

#include "invar/record/file.h"
#include "invar/record/row_sink.h"

namespace invar {

class CsvRows : public RowSink {
 public:
  explicit CsvRows(std::filesystem::path path) : path_(std::move(path)) {}

  void begin(const std::vector<std::string>& columns, std::size_t expected) override;
  void append(std::span<const double> row) override;
  void finish() override;

 private:
  std::filesystem::path path_;
  std::optional<OutputFile> file_;
  std::string text_;  // not yet in the file
};

}  // namespace invar
