// The rules that the settings of inverse dynamics obey.
#include "invar/task/inverse_structure/invert_settings.h"

#include "invar/base/error.h"
#include "invar/base/nearest.h"

namespace invar {

std::optional<SettingError> find_error(const InvertSettings& s) {
  if (const auto error = find_step_error(s.until, s.step)) return error;
  if (s.method.empty()) return SettingError{"method", "must not be empty"};
  if (const auto error = find_tolerance_error(s.tolerance)) return error;
  if (s.pre_actuation && !(*s.pre_actuation >= 0.0)) return SettingError{"pre_actuation", "must not be negative"};
  if (s.post_actuation && !(*s.post_actuation >= 0.0)) return SettingError{"post_actuation", "must not be negative"};
  if (s.integrator.empty()) return SettingError{"integrator", "must not be empty"};
  return std::nullopt;
}

InverseMethod inverse_method(const InvertSettings& settings) {
  if (const auto found = kind_in(inverse_methods, settings.method)) return *found;
  const auto meant = nearest(settings.method, names_in(inverse_methods));
  throw InputError("unknown method \"" + settings.method + "\"" +
                   (meant ? "; did you mean \"" + *meant + "\"?" : std::string()));
}

std::string objection_to_periodic(const InvertSettings& settings) {
  const InverseMethod method = inverse_method(settings);
  if (!settings.periodic || method == InverseMethod::automatic || method == InverseMethod::space_time) return {};
  return "periodic = true: " + settings.method + " follows a start or comes from rest; use method = \"space-time\"";
}

void check(const InvertSettings& settings) { require_none(find_error(settings)); }

}  // namespace invar
