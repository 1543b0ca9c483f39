// See csv_rows.h. Every number in as few digits as tell it from all others; streams would obey the locale.
#include "invar/record/csv_rows.h"

#include <fmt/compile.h>

#include <algorithm>
#include <bit>

#include "invar/record/trajectory.h"

namespace invar {

namespace {

constexpr std::size_t portion = 1 << 16;

// Spreadsheet programs execute what begins so; an apostrophe makes it text. Names that begin with apostrophes and then
// so get one more, so that taking one away gives every name back.
bool would_be_executed(const std::string& name) {
  const std::size_t first = name.find_first_not_of('\'');
  return first != std::string::npos && formula_signs.find(name[first]) != std::string_view::npos;
}

}  // namespace

std::string csv_name(std::string name) {
  if (would_be_executed(name)) name.insert(name.begin(), '\'');
  if (!name.empty() && name.find_first_of(",\"\r\n#") == std::string::npos && name.front() != ' ' && name.back() != ' ')
    return name;
  std::string text = "\"";
  for (char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

namespace {

void write_header(const std::vector<std::string>& columns, std::string& text) {
  for (std::size_t j = 0; j < columns.size(); ++j) text += (j ? "," : "") + csv_name(columns[j]);
  text += '\n';
}

}  // namespace

void RowText::append(std::span<const double> row, std::string& text) {
  cells_.resize(row.size());
  line_.resize(row.size() * (longest + 1) + 1);
  char* next = line_.data();
  for (std::size_t j = 0; j < row.size(); ++j) {
    Cell& cell = cells_[j];
    const auto bits = std::bit_cast<std::uint64_t>(row[j]);
    if (cell.length == 0 || cell.bits != bits) {
      char* const end = fmt::format_to(cell.text.data(), FMT_COMPILE("{}"), row[j]);
      *end = ',';
      cell.length = static_cast<std::uint8_t>(end + 1 - cell.text.data());
      cell.bits = bits;
    }
    std::copy(cell.text.begin(), cell.text.end(), next);
    next += cell.length;
  }
  if (!row.empty()) --next;
  *next++ = '\n';
  text.append(line_.data(), next);
}

void CsvRows::begin(const std::vector<std::string>& columns, std::size_t /*expected*/) {
  file_.emplace(path_, goes_on_ ? OutputFile::Begin::after_what_is_there : OutputFile::Begin::empty);
  if (!goes_on_) write_header(columns, text_);
}

void CsvRows::append(std::span<const double> row) {
  row_.append(row, text_);
  if (text_.size() >= portion) write_all();
}

void CsvRows::write_all() {
  file_->write(text_);
  text_.clear();
}

void CsvRows::finish() {
  write_all();
  file_->close();
}

std::string CsvRows::store() {
  write_all();
  flush_to_disk(path_);
  return std::to_string(file_->size());
}

std::string CsvRows::go_on(const std::filesystem::path& from, const std::string& mark) {
  copy_beginning(from, path_, std::stoull(mark));
  goes_on_ = true;
  return mark;
}

std::string to_csv(const Trajectory& trajectory) {
  std::string text;
  write_header(trajectory.columns, text);
  RowText row;
  for (std::size_t i = 0; i < trajectory.rows(); ++i) row.append(trajectory.row(i), text);
  return text;
}

void write_csv(const Trajectory& trajectory, const std::filesystem::path& path) {
  CsvRows file(path);
  write_rows(trajectory, file);
}

}  // namespace invar
