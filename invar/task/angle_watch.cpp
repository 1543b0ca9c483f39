// See angle_watch.h.
#include "invar/task/angle_watch.h"

#include <cmath>
#include <map>

namespace invar {

AngleWatch::AngleWatch(const System& system) {
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < system.coordinates.size(); ++i) place.emplace(system.coordinates[i].name(), i);
  const std::string second = ".angle2";
  for (const auto& [name, coordinate] : place) {
    if (!name.ends_with(second)) continue;
    const std::string stem = name.substr(0, name.size() - second.size());
    if (place.contains(stem + ".angle1") && place.contains(stem + ".angle3")) watched_.push_back({stem, coordinate});
  }
}

std::optional<std::string> AngleWatch::crossed(std::span<const double> q) {
  constexpr double close = 0.01;  // there, angles change a hundred times as fast as the body turns
  for (Watched& w : watched_) {
    const double now = std::cos(q[w.coordinate]);
    if (std::abs(now) < close || now * w.last < 0.0) return w.name;
    w.last = now;
  }
  return std::nullopt;
}

}  // namespace invar
