// Reading CSV: comments, a header, and lines of as many numbers as the header has names.
#include "invar/record/read_csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "invar/base/error.h"
#include "invar/base/message.h"
#include "invar/record/csv_rows.h"
#include "invar/record/file.h"

namespace invar {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r";
  const std::size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

struct Reader {
  std::string_view rest;
  CsvFile file;
  std::size_t line_number = 0;

  [[noreturn]] void fail(const std::string& reason) const { file.fail(line_number, reason); }

  // The next line that says something, without its end.
  bool next(std::string_view& line) {
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      line = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      ++line_number;
      if (!line.empty() && line.front() != '#') return true;
    }
    return false;
  }
};

// Without the apostrophe that keeps spreadsheet programs from executing it.
std::string plain(std::string name) {
  const std::size_t first = name.find_first_not_of('\'');
  const bool guarded =
      first != std::string::npos && first > 0 && formula_signs.find(name[first]) != std::string_view::npos;
  return guarded ? name.substr(1) : name;
}

// The names of a header line; a name in double quotes may hold commas, and quotes written twice.
std::vector<std::string> names(std::string_view line, const Reader& reader) {
  std::vector<std::string> result;
  std::unordered_set<std::string> known;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    i = std::min(line.find_first_not_of(" \t", i), line.size());
    std::string name;
    if (i < line.size() && line[i] == '"') {
      for (++i; i < line.size() && (line[i] != '"' || line.substr(i, 2) == "\"\""); ++i) {
        name += line[i];
        if (line[i] == '"') ++i;
      }
      if (i == line.size()) reader.fail("a quoted column name does not end");
      i = std::min(line.find_first_not_of(" \t", i + 1), line.size());
      if (i < line.size() && line[i] != ',') reader.fail("expected a comma after column name " + in_quotes(name));
    } else {
      const std::size_t end = std::min(line.find(',', i), line.size());
      name = trimmed(line.substr(i, end - i));
      i = end;
    }
    if (name.empty()) reader.fail("column " + std::to_string(result.size() + 1) + " has no name");
    name = plain(std::move(name));
    if (!known.insert(name).second) reader.fail("two columns are named " + in_quotes(name));
    result.push_back(std::move(name));
  }
  return result;
}

// Spreadsheet programs may put numbers in quotes, too.
std::string_view number_text(std::string_view field) {
  const std::string_view text = trimmed(field);
  const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  return quoted ? trimmed(text.substr(1, text.size() - 2)) : text;
}

double number(std::string_view field, const std::string& column, const Reader& reader) {
  std::string_view text = number_text(field);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  reader.fail("column " + in_quotes(column) + ": " + in_quotes(trimmed(field)) +
              (error == std::errc::result_out_of_range ? " is out of range" : " is not a number"));
}

// 0.001 of 1.250 and of -12.5e-2.
double last_place(std::string_view text) {
  const std::size_t exponent = text.find_first_of("eE"), point = text.find('.');
  int power = 0;
  if (exponent != std::string_view::npos) {
    const std::size_t sign = text.substr(exponent + 1).starts_with('+') ? 1 : 0;
    std::from_chars(text.data() + exponent + 1 + sign, text.data() + text.size(), power);
  }
  const std::size_t end = std::min(exponent, text.size());
  if (point < end) power -= static_cast<int>(end - point - 1);
  return std::pow(10.0, power);
}

void append_row(std::string_view line, Reader& reader) {
  Trajectory& table = reader.file.table;
  const std::size_t expected = table.columns.size();
  const auto found = static_cast<std::size_t>(std::ranges::count(line, ',')) + 1;
  const bool semicolons = line.find(';') != std::string_view::npos;
  if (found != expected)
    reader.fail("expected " + std::to_string(expected) + (expected == 1 ? " number" : " numbers") + ", found " +
                std::to_string(found) + (semicolons ? "; columns are separated by commas, not by semicolons" : ""));
  for (const std::string& column : table.columns) {
    const std::size_t end = std::min(line.find(','), line.size());
    table.values.push_back(number(line.substr(0, end), column, reader));
    reader.file.last_places.push_back(last_place(number_text(line.substr(0, end))));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  reader.file.row_lines.push_back(reader.line_number);
}

CsvFile parse(std::string_view text, const std::string& file_name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark of spreadsheet programs
  Reader reader{text, {file_name, {}, 0, {}, {}}};
  std::string_view line;
  if (!reader.next(line)) throw InputError(display(file_name) + ": no header line");
  reader.file.header_line = reader.line_number;
  reader.file.table.columns = names(line, reader);
  while (reader.next(line)) append_row(line, reader);
  return std::move(reader.file);
}

}  // namespace

void CsvFile::fail(std::size_t line, const std::string& reason) const {
  throw InputError(display(name) + ":" + std::to_string(line) + ": " + reason);
}

CsvFile read_csv_file(const std::filesystem::path& path, std::size_t limit) {
  return parse(read_text(path, limit), path.string());
}

Trajectory read_csv(const std::filesystem::path& path) { return read_csv_file(path).table; }

Trajectory read_csv_text(std::string_view text, const std::string& file_name) { return parse(text, file_name).table; }

}  // namespace invar
