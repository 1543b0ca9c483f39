// [simulate]: the settings of a simulation and its inputs over time.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "invar/base/message.h"
#include "invar/model/file/read_kind.h"
#include "invar/model/file/reading.h"
#include "invar/model/file/samples.h"
#include "invar/task/run/baumgarte_setting.h"
#include "invar/task/run/read_scheme.h"
#include "invar/task/run/simulate_settings.h"

namespace invar::model {
namespace {

constexpr KindName<RotationMap> rotation_maps[] = {
    {RotationMap::exponential, "exponential"},
    {RotationMap::cayley, "cayley"},
};

std::string title(std::string_view key) { return "[simulate]: " + in_quotes(key); }

std::vector<double> read_list(const Reading& reading, Section& section, std::string_view key) {
  const Value& list = section.require(key).value;
  const Array* items = list.as<Array>();
  if (items == nullptr || items->size() < 2)
    section.fail(list.position, in_quotes(key) + " must be a list of at least two numbers");
  std::vector<double> numbers;
  for (const Value& item : *items) numbers.push_back(read_number(reading, item, where(section, key)));
  return numbers;
}

// { times = […], values = […] }
InputSignal read_samples_of(const Reading& reading, const std::string& input, Section section) {
  InputSignal signal{input, std::nullopt, read_list(reading, section, "times"), read_list(reading, section, "values")};
  const Position times = section.find("times")->value.position;
  if (signal.time.size() != signal.value.size()) section.fail(times, "there must be as many \"times\" as \"values\"");
  if (std::ranges::adjacent_find(signal.time, std::greater_equal()) != signal.time.end())
    section.fail(times, "\"times\" must ascend");
  section.finish();
  return signal;
}

std::vector<InputSignal> read_signals_by_name(const Reading& reading, Section& table) {
  std::vector<InputSignal> signals;
  for (const Input& input : reading.problem.system.inputs) {
    const Entry* entry = table.find_name(input.name);
    if (entry == nullptr) continue;
    const std::string title = "[simulate]: input " + in_quotes(input.name);
    if (entry->value.as<Table>())
      signals.push_back(read_samples_of(reading, input.name, *table.table(input.name, title)));
    else
      signals.push_back({input.name, read_formula(reading, entry->value, title, {}), {}, {}});
  }
  table.finish("input");
  return signals;
}

// A column of a result folder's result.csv that is no input, so that such a file can be replayed as it is.
bool is_other_column(const Reading& reading, std::string name) {
  if (is_result_column(name)) return true;
  if (name.ends_with('\'')) name.pop_back();
  return reading.names.contains(name);
}

std::vector<InputSignal> signals_of(const Reading& reading, const CsvFile& samples) {
  std::vector<InputSignal> signals;
  std::vector<std::string> inputs;
  for (const Input& input : reading.problem.system.inputs) inputs.push_back(input.name);
  for (const std::string& column : samples.table.columns) {
    if (column == "t") continue;
    if (std::find(inputs.begin(), inputs.end(), column) != inputs.end()) {
      signals.push_back({column, std::nullopt, samples.table.column("t"), samples.table.column(column)});
    } else if (!is_other_column(reading, column)) {
      samples.fail(samples.header_line, "unknown input " + in_quotes(column) + suggestion(column, inputs));
    }
  }
  if (signals.empty()) samples.fail(samples.header_line, "no column is an input of the model");
  return signals;
}

std::vector<InputSignal> read_file(const Reading& reading, Section& table) {
  const std::string path = read_path(reading, table, "file");
  if (table.entries().size() > 1) table.fail(table.position(), "give either a file or formulas, not both");
  return signals_of(reading, read_samples(path));
}

}  // namespace

void read_simulate(Reading& reading, Section& top) {
  auto section = top.table("simulate", "[simulate]");
  if (!section) return;
  SimulateSettings& settings = reading.problem.settings.of<SimulateSettings>();
  const auto real = [&](std::string_view key, double& target) {
    const Entry* entry = section->find(key);
    if (entry) target = read_number(reading, entry->value, title(key));
    return entry != nullptr;
  };
  real("until", settings.until);
  if (!real("step", settings.step) && settings.until > 0.0)
    settings.step = std::min(settings.step, settings.until / 100.0);
  read_scheme(*section, "method", settings.method);
  real("rho", settings.rho);
  real("tolerance", settings.tolerance);
  real("adaptive", settings.adaptive);
  real("absolute", settings.absolute);
  real("first_step", settings.first_step);
  read_kind(*section, "map", rotation_maps, settings.map);
  if (section->find("project")) settings.project = section->boolean("project");
  settings.baumgarte = read_baumgarte(reading, *section);
  if (settings.baumgarte && !section->find("project")) settings.project = false;
  if (section->find("stabilise")) settings.stabilise = section->boolean("stabilise");
  if (section->find("minimal_extension")) settings.minimal_extension = section->boolean("minimal_extension");
  settings.every = read_count(reading, *section, "every", settings.every);
  if (auto table = section->table("inputs", "[simulate]: inputs"))
    settings.inputs = table->find("file") ? read_file(reading, *table) : read_signals_by_name(reading, *table);
  finish_settings(*section, settings);
}

}  // namespace invar::model
