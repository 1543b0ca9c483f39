// [invert]: the settings of inverse dynamics.
#include "invar/base/message.h"
#include "invar/model/file/reading.h"
#include "invar/task/inverse_structure/invert_settings.h"
#include "invar/task/run/read_scheme.h"

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
  if (const Entry* entry = section.find("method")) {
    offer(entry->value, names_in(inverse_methods));
    settings.method = section.string("method");
  }
  read_scheme(section, "integrator", settings.integrator, false);
  real("tolerance", settings.tolerance);
  const auto flag = [&](std::string_view key, bool& target) {
    const Entry* entry = section.find(key);
    if (!entry) return;
    const bool* value = entry->value.as<bool>();
    if (value == nullptr)
      section.fail(entry->value.position,
                   in_quotes(key) + " must be true or false, not " + std::string(kind_name(entry->value)));
    target = *value;
  };
  flag("verify", settings.verify);
  flag("accept_rough_reference", settings.accept_rough_reference);
  flag("extrapolate", settings.extrapolate);
  flag("rest_at_both_ends", settings.rest_at_both_ends);
  flag("periodic", settings.periodic);
  if (double time = 0.0; real("pre_actuation", time)) settings.pre_actuation = time;
  if (double time = 0.0; real("post_actuation", time)) settings.post_actuation = time;
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
