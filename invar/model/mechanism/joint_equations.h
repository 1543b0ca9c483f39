// The constraints of joints: at most quadratic in points and directors of the two bodies.
#pragma once

#include <string>
#include <vector>

#include "invar/model/mechanism/frame.h"

namespace invar {

struct NamedExpr {
  std::string name;
  Expr expr;
};

// What a joint looks like from both bodies: its point and its triad (m1, m2, n) with n along the axis.
struct JointFrames {
  Vec at_a, at_b;
  std::array<Vec, 3> a, b;
};
JointFrames joint_frames(const Joint& joint, const Frame& a, const Frame& b, const Body* body_a, const Body* body_b);

// = 0; those that are constant (in the plane, or between points) are left out.
std::vector<NamedExpr> joint_equations(const Joint& joint, const JointFrames& frames);

// Zero for the angle and the displacement of a joint, regular at every angle:
//   sin(θ - θ0) (m1ᵃ·m1ᵇ) - cos(θ - θ0) (m2ᵃ·m1ᵇ),   nᵃ·(x_b - x_a) - (s - s0)
Expr angle_equation(const JointFrames& frames, const NamedCoordinate& angle);
Expr slide_equation(const JointFrames& frames, const NamedCoordinate& slide);

// Two directions that complete an axis to a right-handed orthonormal triad.
std::array<Vector3, 3> triad(const Vector3& axis);

}  // namespace invar
