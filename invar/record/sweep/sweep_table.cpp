// See sweep_table.h. Texts that hold commas, quotes or line breaks stand in quotes (RFC 4180).
#include "invar/record/sweep/sweep_table.h"

#include <charconv>
#include <cmath>

namespace invar {

namespace {

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

std::string sweep_csv(const SweepTable& table) {
  std::string text = "case";
  const auto head = [&](const std::string& name) { add_text(text += ',', name); };
  for (const std::string& name : table.varied) head(name);
  head("status");
  for (const std::string& name : table.figures) head(name);
  head("reason");
  text += '\n';
  for (std::size_t k = 0; k < table.cases(); ++k) {
    text += std::to_string(k);
    for (const double x : table.values_of(k)) add_number(text += ',', x);
    (text += ',') += name_of(table.status[k]);
    for (const double x : table.figures_of(k)) add_number(text += ',', x);
    add_text(text += ',', table.reasons[k]);
    text += '\n';
  }
  return text;
}

}  // namespace invar
