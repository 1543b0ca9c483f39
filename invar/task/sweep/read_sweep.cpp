// [sweep], as a file has it.
#include <fmt/format.h>

#include "invar/base/message.h"
#include "invar/model/file/reading.h"
#include "invar/model/file/samples.h"
#include "invar/task/sweep/sweep_settings.h"

namespace invar::model {

namespace {

double plain_number(const Reading& reading, const Section& section, std::string_view key, const Value& value) {
  if (value.as<std::string>()) section.fail(value.position, in_quotes(key) + ": a list holds numbers, not strings");
  return read_number(reading, value, where(section, key));
}

// A number, a list of numbers, or a text such as "50:500:10" or "normal(4, 0.1)".
std::string values_text(const Reading& reading, const Section& section, const Entry& entry) {
  const Value& value = entry.value;
  if (const auto* text = value.as<std::string>()) return *text;
  if (const auto* list = value.as<Array>()) {
    std::string text;
    for (const Value& item : *list)
      text += fmt::format("{}{}", text.empty() ? "" : ", ", plain_number(reading, section, entry.key, item));
    return "[" + text + "]";
  }
  return fmt::format("{}", plain_number(reading, section, entry.key, value));
}

void read_over(Reading& reading, Section& over, SweepSettings& settings) {
  for (const Entry& entry : over.entries()) {
    over.find_name(entry.key);
    const std::string text = values_text(reading, over, entry);
    at_position(reading, entry.value.position, over.title() + ": " + in_quotes(entry.key) + ": ",
                [&] { ValueSet::read(text); });
    settings.vary(entry.key, text);
  }
}

}  // namespace

void read_sweep(Reading& reading, Section& top) {
  auto section = top.table("sweep", "[sweep]");
  if (!section) return;
  SweepSettings& settings = reading.problem.settings.of<SweepSettings>();
  const auto count = [&](std::string_view key, std::uint64_t& target) {
    const int value = read_count(reading, *section, key, static_cast<int>(target));
    if (value < 0) section->fail(section->find(key)->value.position, in_quotes(key) + " must not be negative");
    target = static_cast<std::uint64_t>(value);
  };
  const auto number = [&](std::string_view key, double& target) {
    if (const Entry* entry = section->find(key)) target = read_number(reading, entry->value, where(*section, key));
  };
  if (section->find("task")) settings.task = section->string("task");
  if (auto over = section->table("over", "[sweep]: over")) read_over(reading, *over, settings);
  if (section->find("cases")) settings.cases = read_path(reading, *section, "cases");
  count("samples", settings.samples);
  count("seed", settings.seed);
  if (section->find("sampling")) settings.sampling = section->string("sampling");
  if (section->find("record")) {
    settings.record.clear();
    for (const Text& item : section->strings("record")) settings.record.push_back(item.text);
  }
  if (section->find("device")) settings.device = section->string("device");
  number("limit", settings.limit);
  number("memory", settings.memory);
  finish_settings(*section, settings, false);
}

}  // namespace invar::model
