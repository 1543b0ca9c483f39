// The rules that the settings of a simulation obey.
#include "invar/task/run/simulate_settings.h"

#include <utility>

#include "invar/task/run/baumgarte_setting.h"

namespace invar {

std::optional<SettingError> find_error(const SimulateSettings& s) {
  if (const auto error = find_step_error(s.until, s.step)) return error;
  if (s.method.empty()) return SettingError{"method", "must not be empty"};
  if (const auto error = find_tolerance_error(s.tolerance)) return error;
  if (!(s.rho >= 0.0 && s.rho <= 1.0)) return SettingError{"rho", "must lie between 0 and 1"};
  if (!(s.adaptive >= 0.0 && s.adaptive < 1.0)) return SettingError{"adaptive", "must lie between 0 and 1"};
  if (!(s.absolute >= 0.0)) return SettingError{"absolute", "must not be negative"};
  if (!(s.first_step >= 0.0 && s.first_step <= s.until))
    return SettingError{"first_step", "must not be negative or larger than until"};
  if (s.adaptive == 0.0)
    for (const auto& [name, value] : {std::pair("absolute", s.absolute), std::pair("first_step", s.first_step)})
      if (value > 0.0) return SettingError{name, "is for steps that follow an error: give \"adaptive\" too"};
  if (const auto error = find_baumgarte_error(s.baumgarte)) return error;
  if (s.baumgarte && s.project)
    return SettingError{"baumgarte", "keeps the constraints in place of projection: it needs project = false"};
  if (s.every < 1) return SettingError{"every", "must be at least 1"};
  return std::nullopt;
}

void check(const SimulateSettings& settings) { require_none(find_error(settings)); }

}  // namespace invar
