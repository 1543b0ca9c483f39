// The rules that the settings of inverse dynamics obey.
#include "invar/task/inverse_structure/invert_settings.h"

#include "invar/base/error.h"
#include "invar/base/nearest.h"

namespace invar {

std::optional<SettingError> find_error(const InvertSettings& s) {
  if (const auto error = find_step_error(s.until, s.step)) return error;
  if (s.method.empty()) return SettingError{"method", "must not be empty"};
  if (const auto error = find_tolerance_error(s.tolerance)) return error;
  if (s.integrator.empty()) return SettingError{"integrator", "must not be empty"};
  return std::nullopt;
}

InverseMethod inverse_method(const InvertSettings& settings) {
  if (const auto found = kind_in(inverse_methods, settings.method)) return *found;
  const auto meant = nearest(settings.method, names_in(inverse_methods));
  throw InputError("unknown method \"" + settings.method + "\"" +
                   (meant ? "; did you mean \"" + *meant + "\"?" : std::string()));
}

void check(const InvertSettings& settings) { require_none(find_error(settings)); }

}  // namespace invar
