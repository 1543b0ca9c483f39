// See setting_error.h.
#include "invar/model/problem/setting_error.h"

#include <cmath>

#include "invar/base/error.h"

namespace invar {

std::optional<SettingError> find_step_error(double until, double step) {
  constexpr double most_steps = 1e8;
  if (!(until > 0.0) || !std::isfinite(until)) return SettingError{"until", "must be positive"};
  if (!(step > 0.0) || !std::isfinite(step)) return SettingError{"step", "must be positive"};
  if (step > until) return SettingError{"step", "must not be larger than until"};
  if (until / step > most_steps) return SettingError{"step", "gives more than 1e8 steps"};
  return std::nullopt;
}

std::optional<SettingError> find_tolerance_error(double tolerance) {
  constexpr double loosest = 1e-3;
  if (!(tolerance > 0.0 && tolerance <= loosest)) return SettingError{"tolerance", "must be positive and at most 1e-3"};
  return std::nullopt;
}

std::string must_be_one_of(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list += (i == 0 ? "\"" : i + 1 == names.size() ? " or \"" : ", \"") + names[i] + "\"";
  return "must be " + list;
}

void require_none(const std::optional<SettingError>& error) {
  if (error) throw InputError("\"" + error->setting + "\" " + error->rule);
}

}  // namespace invar
