// See read_sweep_table.h.
#include "invar/record/sweep/read_sweep_table.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "invar/base/message.h"
#include "invar/record/file.h"
#include "invar/record/sweep/sweep_hdf5.h"

namespace invar {

namespace {

// The cells of a line, which may hold line breaks; nothing at the end of the text.
class SweepCells {
 public:
  SweepCells(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  bool next(std::vector<std::string>& cells) {
    cells.clear();
    if (text_.empty()) return false;
    ++line_;
    for (bool more = true; more;) more = take(cells.emplace_back());
    return true;
  }
  double number(const std::string& cell) const {
    if (cell.empty()) return std::numeric_limits<double>::quiet_NaN();
    double value = 0.0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size()) fail(in_quotes(cell) + " is no number");
    return value;
  }
  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(name_ + ":" + std::to_string(line_) + ": " + reason);
  }

 private:
  // Is there another cell in this line?
  bool take(std::string& cell) {
    bool quoted = false;
    while (!text_.empty()) {
      const char c = text_.front();
      text_.remove_prefix(1);
      if (c == '"' && quoted && text_.starts_with('"')) {
        cell += c;
        text_.remove_prefix(1);
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && c == ',') {
        return true;
      } else if (!quoted && c == '\n') {
        return false;
      } else {
        cell += c;
      }
    }
    return false;
  }
  std::string_view text_;
  std::string name_;
  std::size_t line_ = 0;
};

CaseStatus status_named(const std::string& word, const SweepCells& cells) {
  for (const CaseStatus status : {CaseStatus::done, CaseStatus::failed, CaseStatus::stopped})
    if (name_of(status) == word) return status;
  cells.fail(in_quotes(word) + " is no status of a case");
}

void read_cells(const std::filesystem::path& path, SweepTable& table) {
  const std::string text = read_text(path);
  SweepCells cells(text, display(path.string()));
  std::vector<std::string> row;
  cells.next(row);
  const auto status = std::ranges::find(row, "status");
  if (row.empty() || row.front() != "case" || status == row.end() || row.back() != "reason")
    throw InputError(display(path.string()) + ": is no table of a sweep");
  const std::size_t columns = row.size(), middle = static_cast<std::size_t>(status - row.begin());
  table.varied.assign(row.begin() + 1, status);
  table.figures.assign(status + 1, row.end() - 1);
  while (cells.next(row)) {
    if (row.size() != columns) cells.fail("has not as many cells as the head");
    for (std::size_t j = 1; j < middle; ++j) table.values.push_back(cells.number(row[j]));
    for (std::size_t j = middle + 1; j + 1 < columns; ++j) table.numbers.push_back(cells.number(row[j]));
    table.status.push_back(status_named(row[middle], cells));
    table.reasons.push_back(row.back());
  }
}

}  // namespace

bool is_sweep_summary(std::string_view json) {
  const nlohmann::json summary = nlohmann::json::parse(json, nullptr, false);
  return summary.is_object() && summary.contains("invar") && summary.value("task", "") == "sweep";
}

SweepTable read_sweep_table(const std::filesystem::path& folder) {
  SweepTable table;
  table.summary = read_text(folder / "summary.json");
  if (!is_sweep_summary(table.summary))
    throw InputError(display(folder.string()) + ": is no folder of a sweep (its summary.json is none)");
  const nlohmann::json summary = nlohmann::json::parse(table.summary);
  table.name = summary.value("name", "");
  table.version = summary.value("version", "");
  table.task = summary.value("/sweep/task"_json_pointer, "");
  read_cells(folder / "table.csv", table);
  if (std::filesystem::exists(folder / "sweep.h5")) read_sweep_file(folder / "sweep.h5", table);
  return table;
}

}  // namespace invar
