// See frame.h and mechanism.h.
#include "invar/model/mechanism/frame.h"

#include <algorithm>

namespace invar {

const std::string& Mechanism::body_name(int body) const {
  static const std::string the_ground = "ground";
  return body == ground ? the_ground : bodies[static_cast<std::size_t>(body)].name;
}

bool Mechanism::is_flexible() const { return std::ranges::any_of(bodies, &Body::node); }

std::array<Vec, 3> Frame::contravariant() const {
  if (torque_axes == TorqueAxes::plain) return d;
  const Expr volume = dot(d[0], cross(d[1], d[2]));
  return {1.0 / volume * cross(d[1], d[2]), 1.0 / volume * cross(d[2], d[0]), 1.0 / volume * cross(d[0], d[1])};
}

Frame ground_frame() { return {{0.0, 0.0, 0.0}, {Vec{1.0, 0.0, 0.0}, Vec{0.0, 1.0, 0.0}, Vec{0.0, 0.0, 1.0}}}; }

}  // namespace invar
