// [parameters]: numbers, or formulas of the parameters above them.
#include <cmath>
#include <map>

#include "invar/base/error.h"
#include "invar/base/message.h"
#include "invar/model/file/reading.h"

namespace invar::model {
namespace {

// The last value counts where one is given twice.
std::map<std::string, double> last_values(const Reading& reading) {
  std::map<std::string, double> values;
  for (const auto& [name, value] : reading.overrides) {
    if (!std::isfinite(value))
      throw InputError(display(reading.document.file) + ": cannot set parameter " + in_quotes(name) +
                       ": not a finite number");
    values[name] = value;
  }
  return values;
}

void refuse_unknown(const Reading& reading, const std::string& name) {
  std::vector<std::string> known;
  for (const auto& [other, entry] : reading.names) known.push_back(other);
  throw InputError(display(reading.document.file) + ": cannot set unknown parameter " + in_quotes(name) +
                   suggestion(name, known));
}

}  // namespace

void read_parameters(Reading& reading, Section& top) {
  const std::map<std::string, double> overrides = last_values(reading);
  const auto section = top.table("parameters", "[parameters]");
  const Table none;
  const Table& entries = section ? section->entries() : none;
  for (const Entry& entry : entries)
    add_name(reading.names, reading.document, entry.position, entry.key, NameKind::parameter).has_value = false;
  for (const auto& [name, value] : overrides)
    if (!reading.names.contains(name)) refuse_unknown(reading, name);
  for (const Entry& entry : entries) {
    const auto override = overrides.find(entry.key);
    std::string formula;
    const double value = override != overrides.end()
                             ? override->second
                             : read_number(reading, entry.value, "parameter " + in_quotes(entry.key), formula);
    if (!formula.empty()) reading.problem.parameter_use.formulas[entry.key] = formula;
    Name& name = reading.names.find(entry.key)->second;
    name.symbol = reading.problem.system.add_parameter(entry.key, value);
    name.value = value;
    name.has_value = true;
  }
}

}  // namespace invar::model
