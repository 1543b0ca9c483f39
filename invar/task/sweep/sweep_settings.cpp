// The rules of a sweep, and its design.
#include "invar/task/sweep/sweep_settings.h"

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/base/message.h"
#include "invar/record/read_csv.h"
#include "invar/task/sweep/recording.h"
#include "invar/task/table/tasks.h"

namespace invar {

namespace {

constexpr std::size_t largest_table = std::size_t{256} << 20;

std::vector<std::string> verbs() {
  std::vector<std::string> names;
  for (const Task* task : tasks()) names.emplace_back(task->verb);
  return names;
}

// The columns vary together; one called "case" only counts.
Factor read_cases(const std::string& path) {
  const CsvFile file = read_csv_file(path, largest_table);
  if (file.table.rows() == 0) file.fail(file.header_line, "there are no cases");
  Factor together;
  for (std::size_t j = 0; j < file.table.columns.size(); ++j) {
    const std::string& name = file.table.columns[j];
    if (name == "case") continue;
    std::vector<double> values = file.table.column(j);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i])) file.fail(file.row_lines[i], "column " + in_quotes(name) + ": no finite number");
    together.names.push_back(name);
    together.values.push_back(ValueSet::list(std::move(values)));
  }
  if (together.names.empty()) file.fail(file.header_line, "there is no column to vary");
  return together;
}

}  // namespace

void SweepSettings::vary(const std::string& name, const std::string& values) {
  const auto known = std::ranges::find(over, name, &Varied::name);
  if (known == over.end())
    over.push_back({name, values});
  else
    known->values = values;
}

std::vector<std::string> SweepSettings::recorded() const {
  if (!record.empty()) return record;
  if (device != "cpu") return {"end"};
  return {"figures", "end"};
}

std::optional<SettingError> find_error(const SweepSettings& s) {
  if (find_task(s.task) == nullptr) return SettingError{"task", must_be_one_of(verbs())};
  try {
    sampling_named(s.sampling);
  } catch (const InputError& e) {
    return SettingError{"sampling", std::string("names none: ") + e.what()};
  }
  try {
    const RecordingChoice choice(s.record);
  } catch (const InputError& e) {
    return SettingError{"record", std::string("is wrong: ") + e.what()};
  }
  const std::vector<std::string> devices = {"cpu", "cuda", "auto"};
  if (std::ranges::find(devices, s.device) == devices.end()) return SettingError{"device", must_be_one_of(devices)};
  if (!(s.limit >= 0.0)) return SettingError{"limit", "must not be negative"};
  if (!(s.memory >= 0.0)) return SettingError{"memory", "must not be negative"};
  return std::nullopt;
}

Design design_of(const SweepSettings& s) {
  std::vector<Factor> factors;
  if (!s.cases.empty()) factors.push_back(read_cases(s.cases));
  for (const auto& [name, values] : s.over) {
    try {
      factors.push_back({{name}, {ValueSet::read(values)}});
    } catch (const InputError& e) {
      throw InputError("--over " + name + ": " + e.what());
    }
  }
  if (factors.empty())
    throw InputError("nothing is varied; write --over NAME=VALUES, such as --over m=50:500:10, or [sweep.over]");
  return Design(std::move(factors), sampling_named(s.sampling), s.samples, s.seed);
}

}  // namespace invar
