// [invert]: the settings of inverse dynamics.
#include "invar/base/message.h"
#include "invar/model/file/reading.h"
#include "invar/task/inverse_structure/invert_settings.h"

namespace invar::model {
namespace {

std::string title(std::string_view key) { return "[invert]: " + in_quotes(key); }

void read_settings(const Reading& reading, Section& section, InvertSettings& settings) {
  const auto real = [&](std::string_view key, double& target) {
    const Entry* entry = section.find(key);
    if (entry) target = read_number(reading, entry->value, title(key));
    return entry != nullptr;
  };
  if (real("until", settings.until)) settings.step = settings.until / 100.0;
  real("step", settings.step);
  if (section.find("method")) settings.method = section.string("method");
  if (section.find("integrator")) settings.integrator = section.string("integrator");
  real("tolerance", settings.tolerance);
  if (const Entry* verify = section.find("verify")) {
    const bool* value = verify->value.as<bool>();
    if (value == nullptr)
      section.fail(verify->value.position,
                   "\"verify\" must be true or false, not " + std::string(kind_name(verify->value)));
    settings.verify = *value;
  }
  if (section.find("accept_rough_reference"))
    settings.accept_rough_reference = section.boolean("accept_rough_reference");
  finish_settings(section, settings);
}

}  // namespace

void read_invert(Reading& reading, Section& top) {
  InvertSettings& settings = reading.problem.settings.of<InvertSettings>();
  if (reading.end_of_motion > 0.0) settings.until = reading.end_of_motion;
  settings.step = settings.until / 100.0;
  if (auto section = top.table("invert", "[invert]")) read_settings(reading, *section, settings);
}

}  // namespace invar::model
