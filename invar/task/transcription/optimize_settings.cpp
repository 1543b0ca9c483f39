// The rules that the settings of optimal control obey.
#include "invar/task/transcription/optimize_settings.h"

#include <cmath>

namespace invar {

std::optional<SettingError> find_error(const OptimizeSettings& s) {
  constexpr int most_intervals = 100000;
  if (!(s.shortest > 0.0 && s.shortest <= s.longest) || !std::isfinite(s.longest))
    return SettingError{"horizon", "must be positive, or { min, max } with 0 < min <= max"};
  if (s.intervals < 1 || s.intervals > most_intervals)
    return SettingError{"intervals", "must be a whole number from 1 to 100000"};
  if (s.scheme.empty()) return SettingError{"scheme", "must not be empty"};
  if (s.refine < 1 || s.refine > 6) return SettingError{"refine", "must lie between 1 and 6"};
  if (const auto error = find_tolerance_error(s.tolerance)) return error;
  if (s.iterations < 1) return SettingError{"iterations", "must be at least 1"};
  return std::nullopt;
}

void check(const OptimizeSettings& settings) { require_none(find_error(settings)); }

}  // namespace invar
