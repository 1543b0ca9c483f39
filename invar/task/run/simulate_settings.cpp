// The rules that the settings of a simulation obey.
#include "invar/task/run/simulate_settings.h"

namespace invar {

std::optional<SettingError> find_error(const SimulateSettings& s) {
  if (const auto error = find_step_error(s.until, s.step)) return error;
  if (s.method.empty()) return SettingError{"method", "must not be empty"};
  if (const auto error = find_tolerance_error(s.tolerance)) return error;
  if (!(s.rho >= 0.0 && s.rho <= 1.0)) return SettingError{"rho", "must lie between 0 and 1"};
  if (!(s.adaptive >= 0.0 && s.adaptive < 1.0)) return SettingError{"adaptive", "must lie between 0 and 1"};
  if (s.every < 1) return SettingError{"every", "must be at least 1"};
  return std::nullopt;
}

void check(const SimulateSettings& settings) { require_none(find_error(settings)); }

}  // namespace invar
