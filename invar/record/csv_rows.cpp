// See csv_rows.h. Every number in as few digits as tell it from all others; streams would obey the locale.
#include "invar/record/csv_rows.h"

#include <fmt/compile.h>

#include "invar/record/trajectory.h"

namespace invar {

namespace {

constexpr std::size_t longest = 24;  // characters of a number: -1.2345678901234567e-308
constexpr std::size_t portion = 1 << 16;

std::string quoted(const std::string& name) {
  if (!name.empty() && name.find_first_of(",\"\r\n#") == std::string::npos && name.front() != ' ' && name.back() != ' ')
    return name;
  std::string text = "\"";
  for (char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

void write_header(const std::vector<std::string>& columns, std::string& text) {
  for (std::size_t j = 0; j < columns.size(); ++j) text += (j ? "," : "") + quoted(columns[j]);
  text += '\n';
}

void write_row(std::span<const double> row, std::string& text) {
  const std::size_t before = text.size();
  text.resize(before + row.size() * (longest + 1) + 1);
  char* next = text.data() + before;
  for (const double x : row) {
    next = fmt::format_to(next, FMT_COMPILE("{}"), x);
    *next++ = ',';
  }
  if (!row.empty()) --next;
  *next++ = '\n';
  text.resize(static_cast<std::size_t>(next - text.data()));
}

}  // namespace

void CsvRows::begin(const std::vector<std::string>& columns, std::size_t /*expected*/) {
  file_.emplace(path_);
  write_header(columns, text_);
}

void CsvRows::append(std::span<const double> row) {
  write_row(row, text_);
  if (text_.size() < portion) return;
  file_->write(text_);
  text_.clear();
}

void CsvRows::finish() {
  file_->write(text_);
  file_->close();
}

std::string to_csv(const Trajectory& trajectory) {
  std::string text;
  write_header(trajectory.columns, text);
  for (std::size_t i = 0; i < trajectory.rows(); ++i) write_row(trajectory.row(i), text);
  return text;
}

void write_csv(const Trajectory& trajectory, const std::filesystem::path& path) {
  CsvRows file(path);
  write_rows(trajectory, file);
}

}  // namespace invar
