// See angle_watch.h.
#include "invar/task/simulate/angle_watch.h"

#include <algorithm>
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
    if (place.contains(stem + ".angle1") && place.contains(stem + ".angle3"))
      watched_.push_back({stem, place.at(stem + ".angle1"), coordinate});
  }
}

std::optional<std::string> AngleWatch::crossed(std::span<const double> q, bool by_error) {
  constexpr double close = 0.01;  // there, angles change a hundred times as fast as the body turns
  // A step in which the first angle turns by so much, this near, has passed most of a turn of half a circle unseen.
  constexpr double far = 0.5, near = 0.2;
  for (Watched& w : watched_) {
    const double cosine = std::cos(q[w.second]), angle = q[w.first];
    const bool known = w.cosine != 0.0;
    const bool leapt =
        known && !by_error && std::abs(angle - w.angle) > far && std::min(std::abs(cosine), std::abs(w.cosine)) < near;
    if (std::abs(cosine) < close || cosine * w.cosine < 0.0 || leapt) return w.name;
    w.cosine = cosine;
    w.angle = angle;
  }
  return std::nullopt;
}

}  // namespace invar
