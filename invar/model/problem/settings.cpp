// The rules that settings of a task obey.
#include <cmath>

#include "invar/base/error.h"
#include "invar/model/problem/problem.h"

namespace invar {
namespace {

// What every task has.
template <class Settings>
std::optional<SettingError> find_common_error(const Settings& s) {
  constexpr double most_steps = 1e8;
  constexpr double loosest = 1e-3;
  if (!(s.until > 0.0) || !std::isfinite(s.until)) return SettingError{"until", "must be positive"};
  if (!(s.step > 0.0) || !std::isfinite(s.step)) return SettingError{"step", "must be positive"};
  if (s.step > s.until) return SettingError{"step", "must not be larger than until"};
  if (s.until / s.step > most_steps) return SettingError{"step", "gives more than 1e8 steps"};
  if (s.method.empty()) return SettingError{"method", "must not be empty"};
  if (!(s.tolerance > 0.0 && s.tolerance <= loosest))
    return SettingError{"tolerance", "must be positive and at most 1e-3"};
  return std::nullopt;
}

template <class Settings>
void throw_error(const Settings& settings) {
  if (const auto error = find_error(settings)) throw InputError("\"" + error->setting + "\" " + error->rule);
}

}  // namespace

std::optional<SettingError> find_error(const SimulateSettings& s) {
  if (const auto error = find_common_error(s)) return error;
  if (!(s.rho >= 0.0 && s.rho <= 1.0)) return SettingError{"rho", "must lie between 0 and 1"};
  if (!(s.adaptive >= 0.0 && s.adaptive < 1.0)) return SettingError{"adaptive", "must lie between 0 and 1"};
  if (s.map != "exponential" && s.map != "cayley") return SettingError{"map", "must be \"exponential\" or \"cayley\""};
  if (s.every < 1) return SettingError{"every", "must be at least 1"};
  return std::nullopt;
}

std::optional<SettingError> find_error(const InvertSettings& s) {
  if (const auto error = find_common_error(s)) return error;
  if (s.integrator.empty()) return SettingError{"integrator", "must not be empty"};
  return std::nullopt;
}

std::optional<SettingError> find_error(const OptimizeSettings& s) {
  constexpr int most_intervals = 100000;
  constexpr double loosest = 1e-3;
  if (!(s.shortest > 0.0 && s.shortest <= s.longest) || !std::isfinite(s.longest))
    return SettingError{"horizon", "must be positive, or { min, max } with 0 < min <= max"};
  if (s.intervals < 1 || s.intervals > most_intervals)
    return SettingError{"intervals", "must be a whole number from 1 to 100000"};
  if (s.scheme.empty()) return SettingError{"scheme", "must not be empty"};
  if (s.method != "direct" && s.method != "indirect")
    return SettingError{"method", "must be \"direct\" or \"indirect\""};
  if (s.guess != "auto" && s.guess != "line" && s.guess != "hold" && s.guess != "inverse")
    return SettingError{"guess", "must be \"auto\", \"line\", \"hold\" or \"inverse\""};
  if (s.refine < 1 || s.refine > 6) return SettingError{"refine", "must lie between 1 and 6"};
  if (!(s.tolerance > 0.0 && s.tolerance <= loosest))
    return SettingError{"tolerance", "must be positive and at most 1e-3"};
  if (s.iterations < 1) return SettingError{"iterations", "must be at least 1"};
  return std::nullopt;
}

std::optional<SettingError> find_error(const ControlSettings& s) {
  constexpr double most_samples = 1e7;
  if (!(s.until > 0.0) || !std::isfinite(s.until)) return SettingError{"until", "must be positive"};
  if (!(s.period > 0.0) || !std::isfinite(s.period)) return SettingError{"period", "must be positive"};
  if (s.until / s.period > most_samples) return SettingError{"period", "must not make more than 1e7 samples"};
  if (s.substeps < 1 || s.substeps > 10000) return SettingError{"substeps", "must lie between 1 and 10000"};
  if (s.delay < 0 || s.delay > 1000) return SettingError{"delay", "must lie between 0 and 1000 samples"};
  if (!(s.bandwidth > 0.0) || !std::isfinite(s.bandwidth)) return SettingError{"bandwidth", "must be positive"};
  for (const double deviation : s.noise)
    if (!(deviation >= 0.0)) return SettingError{"noise", "must not be negative"};
  return std::nullopt;
}

void check(const SimulateSettings& settings) { throw_error(settings); }
void check(const InvertSettings& settings) { throw_error(settings); }
void check(const OptimizeSettings& settings) { throw_error(settings); }
void check(const ControlSettings& settings) { throw_error(settings); }

}  // namespace invar
