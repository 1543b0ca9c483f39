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

using Triad = std::array<Vec, 3>;  // (m1, m2, n) with n along an axis

// What a joint looks like from both bodies: its point, and the triads of its axes.
struct JointFrames {
  Vec at_a, at_b;
  Triad a, b;
  Triad second_a, second_b;  // of kinds with a second axis
};
JointFrames joint_frames(const Joint& joint, const Frame& a, const Frame& b, const Body* body_a, const Body* body_b);

// Collects what a kind of joint demands, = 0; what is constant (in the plane, or between points) is left out.
class JointEquations {
 public:
  JointEquations(const std::string& name, const JointFrames& frames) : name_(name), frames_(frames) {}

  void add(const std::string& what, const Expr& f);
  void same_point();
  void on_line();           // b moves along the axis only
  void on_plane();          // and across it
  void same_axis();         // b turns about the axis only …
  void same_second_axis();  // … and about the second one, as b carries it
  void same_orientation();

  const JointFrames& frames() const { return frames_; }
  const std::vector<NamedExpr>& list() const { return list_; }

 private:
  std::string name_;
  const JointFrames& frames_;
  std::vector<NamedExpr> list_;
};

std::vector<NamedExpr> joint_equations(const Joint& joint, const JointFrames& frames);

// Zero for the angle and the displacement of a joint, regular at every angle:
//   sin(θ - θ0) (m1ᵃ·m1ᵇ) - cos(θ - θ0) (m2ᵃ·m1ᵇ),   nᵃ·(x_b - x_a) - (s - s0)
Expr angle_equation(const Joint& joint, const JointFrames& frames);
Expr slide_equation(const Joint& joint, const JointFrames& frames);

// Two directions that complete an axis to a right-handed orthonormal triad.
std::array<Vector3, 3> triad(const Vector3& axis);

}  // namespace invar
