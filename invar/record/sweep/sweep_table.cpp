// See sweep_table.h. Texts that hold commas, quotes or line breaks stand in quotes (RFC 4180).
#include "invar/record/sweep/sweep_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace invar {

namespace {

constexpr std::size_t written_at_once = std::size_t{1} << 18;

std::vector<double> every(std::span<const double> numbers, std::size_t columns, std::size_t place) {
  std::vector<double> column;
  for (std::size_t i = place; i < numbers.size(); i += columns) column.push_back(numbers[i]);
  return column;
}

void add_number(std::string& line, double value) {
  if (!std::isfinite(value)) return;
  char text[32];
  line.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

void add_text(std::string& line, const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) line.append(c == '"' ? 2 : 1, c);
  line += '"';
}

}  // namespace

std::string_view name_of(CaseStatus status) {
  constexpr std::string_view names[] = {"done", "failed", "stopped"};
  return names[static_cast<std::size_t>(status)];
}

std::vector<double> SweepTable::varied_column(std::size_t place) const { return every(values, varied.size(), place); }
std::vector<double> SweepTable::figure_column(std::size_t place) const { return every(numbers, figures.size(), place); }

SweepCsv::SweepCsv(const std::filesystem::path& path, const SweepTable& about) : file_(path), text_("case") {
  const auto head = [&](const std::string& name) { add_text(text_ += ',', name); };
  std::ranges::for_each(about.varied, head);
  head("status");
  std::ranges::for_each(about.figures, head);
  head("reason");
  text_ += '\n';
}

void SweepCsv::add(std::span<const double> varied, CaseStatus status, const std::string& reason,
                   std::span<const double> figures) {
  text_ += std::to_string(next_++);
  for (const double x : varied) add_number(text_ += ',', x);
  (text_ += ',') += name_of(status);
  for (const double x : figures) add_number(text_ += ',', x);
  add_text(text_ += ',', reason);
  text_ += '\n';
  if (text_.size() > written_at_once) write();
}

void SweepCsv::write() {
  file_.write(text_);
  text_.clear();
}

void SweepCsv::finish() {
  write();
  file_.close();
}

}  // namespace invar
