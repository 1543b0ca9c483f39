// Samples over time from a CSV file: a line of names, one of them t, then lines of numbers.
#include "invar/model/samples.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "invar/expr/error.h"
#include "invar/model/document.h"
#include "invar/model/message.h"
#include "invar/model/text_file.h"

namespace invar::model {
namespace {

constexpr std::size_t largest_file = std::size_t{256} << 20;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r";
  const std::size_t first = text.find_first_not_of(space);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const std::size_t comma = line.find(',');
    cells.push_back(trimmed(line.substr(0, comma)));
    if (comma == line.npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

double number(const Samples& samples, std::size_t line, std::string_view cell) {
  const std::string_view digits = cell.substr(cell.substr(0, 1) == "+" ? 1 : 0);
  double value = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    fail(samples, line, in_quotes(cell) + " is not a number");
  if (!std::isfinite(value)) fail(samples, line, "numbers must be finite, not " + std::string(cell));
  return value;
}

// Reads the names; the place of t is the result.
std::size_t read_header(Samples& samples, std::size_t line, const std::vector<std::string_view>& cells) {
  samples.header_line = line;
  const auto time = std::find(cells.begin(), cells.end(), "t");
  if (time == cells.end()) fail(samples, line, "no column \"t\"");
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (std::find(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(k), cells[k]) !=
        cells.begin() + static_cast<std::ptrdiff_t>(k))
      fail(samples, line, "column " + in_quotes(cells[k]) + " is there twice");
    if (cells.begin() + static_cast<std::ptrdiff_t>(k) != time) samples.columns.emplace_back(cells[k]);
  }
  samples.values.resize(samples.columns.size());
  return static_cast<std::size_t>(time - cells.begin());
}

void read_row(Samples& samples, std::size_t line, const std::vector<std::string_view>& cells, std::size_t time) {
  if (cells.size() != samples.columns.size() + 1)
    fail(samples, line,
         "expected " + std::to_string(samples.columns.size() + 1) + " numbers, not " + std::to_string(cells.size()));
  const double t = number(samples, line, cells[time]);
  if (!samples.time.empty() && !(t > samples.time.back())) fail(samples, line, "the time does not increase");
  samples.time.push_back(t);
  for (std::size_t k = 0; k < samples.columns.size(); ++k)
    samples.values[k].push_back(number(samples, line, cells[k < time ? k : k + 1]));
}

}  // namespace

Samples parse_samples(std::string_view text, std::string file) {
  Samples samples;
  samples.file = std::move(file);
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  bool has_header = false;
  std::size_t time = 0, line = 0;
  while (!text.empty()) {
    ++line;
    const std::size_t end = text.find('\n');
    const std::string_view content = trimmed(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (content.empty() || content.front() == '#') continue;
    const std::vector<std::string_view> cells = cells_of(content);
    if (has_header)
      read_row(samples, line, cells, time);
    else
      time = read_header(samples, line, cells);
    has_header = true;
  }
  if (samples.time.size() < 2) fail(samples, std::max<std::size_t>(line, 1), "at least two rows of numbers are needed");
  return samples;
}

Samples read_samples(const std::string& path) { return parse_samples(read_text_file(path, largest_file), path); }

void fail(const Samples& samples, std::size_t line, const std::string& message) {
  throw InputError(display(samples.file) + ":" + std::to_string(line) + ": " + message);
}

}  // namespace invar::model
