// The rules that the settings of closed-loop control obey.
#include "invar/task/control/control_settings.h"

#include <cmath>

#include "invar/task/run/baumgarte_setting.h"

namespace invar {

std::optional<SettingError> find_error(const ControlSettings& s) {
  constexpr double most_samples = 1e7;
  if (!(s.until > 0.0) || !std::isfinite(s.until)) return SettingError{"until", "must be positive"};
  if (!(s.period > 0.0) || !std::isfinite(s.period)) return SettingError{"period", "must be positive"};
  if (s.until / s.period > most_samples) return SettingError{"period", "must not make more than 1e7 samples"};
  if (s.substeps < 1 || s.substeps > 10000) return SettingError{"substeps", "must lie between 1 and 10000"};
  if (s.delay < 0 || s.delay > 1000) return SettingError{"delay", "must lie between 0 and 1000 samples"};
  if (!(s.bandwidth > 0.0) || !std::isfinite(s.bandwidth)) return SettingError{"bandwidth", "must be positive"};
  if (const auto error = find_baumgarte_error(s.baumgarte)) return error;
  for (const double deviation : s.noise)
    if (!(deviation >= 0.0)) return SettingError{"noise", "must not be negative"};
  return std::nullopt;
}

void check(const ControlSettings& settings) { require_none(find_error(settings)); }

}  // namespace invar
