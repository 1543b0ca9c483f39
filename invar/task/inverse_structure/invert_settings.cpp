// The rules that the settings of inverse dynamics obey.
#include "invar/task/inverse_structure/invert_settings.h"

namespace invar {

std::optional<SettingError> find_error(const InvertSettings& s) {
  if (const auto error = find_step_error(s.until, s.step)) return error;
  if (s.method.empty()) return SettingError{"method", "must not be empty"};
  if (const auto error = find_tolerance_error(s.tolerance)) return error;
  if (s.integrator.empty()) return SettingError{"integrator", "must not be empty"};
  return std::nullopt;
}

void check(const InvertSettings& settings) { require_none(find_error(settings)); }

}  // namespace invar
