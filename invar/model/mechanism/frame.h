// Places and directions as formulas: a body is a point and three directors, of which everything else is a combination.
#pragma once

#include <array>

#include "invar/expr/vec.h"
#include "invar/model/mechanism/mechanism.h"

namespace invar {

// What a part of a place or of a direction is called: body.x.
inline constexpr std::array<const char*, 3> axis_names = {"x", "y", "z"};

inline Vec constant(const Vector3& v) { return {v[0], v[1], v[2]}; }

struct Frame {
  Vec position;
  std::array<Vec, 3> d;  // directors
  TorqueAxes torque_axes = TorqueAxes::contravariant;

  // A direction given in body axes, and a point.
  Vec direction(const Vector3& local) const { return local[0] * d[0] + local[1] * d[1] + local[2] * d[2]; }
  Vec point(const Vector3& local) const { return position + direction(local); }
  // Directors dⁱ with dⁱ·d_j = δ_ij. They are the directors themselves while these are orthonormal; between two nodes
  // of a time step the mean directors are not, and forces keep their moments only in the contravariant ones. For
  // comparison a model may ask to take the directors all the same.
  std::array<Vec, 3> contravariant() const;
};

Frame ground_frame();

}  // namespace invar
