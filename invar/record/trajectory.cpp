// Access to the table and its CSV form; std::to_chars and std::from_chars, because streams obey the locale.
#include "invar/record/trajectory.h"

#include <algorithm>
#include <charconv>

#include "invar/base/error.h"
#include "invar/base/message.h"
#include "invar/record/file.h"

namespace invar {

namespace {

constexpr int digits = 17;  // enough to tell any two doubles apart

std::string quoted(const std::string& name) {
  if (!name.empty() && name.find_first_of(",\"\r\n#") == std::string::npos && name.front() != ' ' && name.back() != ' ')
    return name;
  std::string text = "\"";
  for (char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

void write_header(const Trajectory& trajectory, std::string& text) {
  for (std::size_t j = 0; j < trajectory.columns.size(); ++j) text += (j ? "," : "") + quoted(trajectory.columns[j]);
  text += '\n';
}

void write_row(std::span<const double> row, std::string& text) {
  char buffer[32];
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (j) text += ',';
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, row[j], std::chars_format::general, digits).ptr;
    text.append(buffer, end);
  }
  text += '\n';
}

}  // namespace

std::optional<std::size_t> Trajectory::find(std::string_view name) const {
  const auto place = std::ranges::find(columns, name);
  if (place == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(place - columns.begin());
}

std::size_t Trajectory::index(std::string_view name) const {
  if (const auto place = find(name)) return *place;
  throw InputError("no column " + in_quotes(name) + suggestion(name, columns));
}

std::vector<double> Trajectory::column(std::string_view name) const { return column(index(name)); }

std::vector<double> Trajectory::column(std::size_t place) const {
  std::vector<double> result(rows());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = values[i * columns.size() + place];
  return result;
}

std::span<double> Trajectory::append() {
  const std::size_t end = values.size();
  values.resize(end + columns.size());
  return std::span(values).subspan(end);
}

void Trajectory::append(std::span<const double> row) {
  expects(row.size() == columns.size(), "one number per column");
  values.insert(values.end(), row.begin(), row.end());
}

std::string to_csv(const Trajectory& trajectory) {
  std::string text;
  write_header(trajectory, text);
  for (std::size_t i = 0; i < trajectory.rows(); ++i) write_row(trajectory.row(i), text);
  return text;
}

void write_csv(const Trajectory& trajectory, const std::filesystem::path& path) {
  constexpr std::size_t portion = 1 << 16;
  OutputFile file(path);
  std::string text;
  write_header(trajectory, text);
  for (std::size_t i = 0; i < trajectory.rows(); ++i) {
    write_row(trajectory.row(i), text);
    if (text.size() < portion) continue;
    file.write(text);
    text.clear();
  }
  file.write(text);
  file.close();
}

}  // namespace invar
