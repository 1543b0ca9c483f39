// The rules that settings of a simulation obey.
#include <cmath>

#include "invar/expr/error.h"
#include "invar/model/problem.h"

namespace invar {

std::optional<SettingError> find_error(const SimulateSettings& s) {
  constexpr double most_steps = 1e8;
  constexpr double loosest = 1e-3;
  if (!(s.until > 0.0) || !std::isfinite(s.until)) return SettingError{"until", "must be positive"};
  if (!(s.step > 0.0) || !std::isfinite(s.step)) return SettingError{"step", "must be positive"};
  if (s.step > s.until) return SettingError{"step", "must not be larger than until"};
  if (s.until / s.step > most_steps) return SettingError{"step", "gives more than 1e8 steps"};
  if (s.method.empty()) return SettingError{"method", "must not be empty"};
  if (!(s.rho >= 0.0 && s.rho <= 1.0)) return SettingError{"rho", "must lie between 0 and 1"};
  if (!(s.tolerance > 0.0 && s.tolerance <= loosest))
    return SettingError{"tolerance", "must be positive and at most 1e-3"};
  if (s.every < 1) return SettingError{"every", "must be at least 1"};
  return std::nullopt;
}

void check(const SimulateSettings& settings) {
  if (const auto error = find_error(settings)) throw InputError("\"" + error->setting + "\" " + error->rule);
}

}  // namespace invar
