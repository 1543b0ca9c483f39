// See joint_equations.h.
#include "invar/model/mechanism/joint_equations.h"

#include <Eigen/Geometry>
#include <cmath>

#include "invar/base/error.h"
#include "invar/model/mechanism/joint_kind.h"

namespace invar {

namespace {

// World quantities of the start configuration in the axes of a body.
Vector3 local_point(const Vector3& world, const Body* body) {
  return body ? Vector3(body->rotation.transpose() * (world - body->position)) : world;
}
Vector3 local_direction(const Vector3& world, const Body* body) {
  return body ? Vector3(body->rotation.transpose() * world) : world;
}

Triad carried(const Vector3& axis, const Frame& frame, const Body* body) {
  Triad carried;
  const std::array<Vector3, 3> axes = triad(axis);
  for (std::size_t i = 0; i < 3; ++i) carried[i] = frame.direction(local_direction(axes[i], body));
  return carried;
}

}  // namespace

const Vector3& Joint::turning_axis() const { return kind->turns_about_second_axis ? second_axis : axis; }

std::array<Vector3, 3> triad(const Vector3& axis) {
  const Vector3 n = axis.normalized();
  // Against the unit vector that is farthest from the axis, so that the choice is stable; about z it gives x and y.
  const Vector3 far =
      std::abs(n[0]) <= std::abs(n[2]) || std::abs(n[0]) <= std::abs(n[1]) ? Vector3::UnitX() : Vector3::UnitY();
  const Vector3 m1 = (far - n.dot(far) * n).normalized();
  return {m1, n.cross(m1), n};
}

JointFrames joint_frames(const Joint& joint, const Frame& a, const Frame& b, const Body* body_a, const Body* body_b) {
  expects(joint.kind != nullptr, "a joint is of some kind");
  JointFrames j;
  j.at_a = a.point(local_point(joint.at, body_a));
  j.at_b = b.point(local_point(joint.kind->to ? joint.to : joint.at, body_b));
  j.a = carried(joint.axis, a, body_a);
  j.b = carried(joint.axis, b, body_b);
  if (!joint.kind->second_axis) return j;
  j.second_a = carried(joint.second_axis, a, body_a);
  j.second_b = carried(joint.second_axis, b, body_b);
  return j;
}

void JointEquations::add(const std::string& what, const Expr& f) {
  if (!f.is_constant()) list_.push_back({name_ + "." + what, f});
}

void JointEquations::same_point() {
  const Vec x = frames_.at_b - frames_.at_a;
  add("x", x[0]);
  add("y", x[1]);
  add("z", x[2]);
}

void JointEquations::on_line() {
  const Vec x = frames_.at_b - frames_.at_a;
  add("side1", dot(frames_.a[0], x));
  add("side2", dot(frames_.a[1], x));
}

void JointEquations::on_plane() { add("height", dot(frames_.a[2], frames_.at_b - frames_.at_a)); }

void JointEquations::same_axis() {
  add("tilt1", dot(frames_.a[2], frames_.b[0]));
  add("tilt2", dot(frames_.a[2], frames_.b[1]));
}

void JointEquations::same_second_axis() {
  add("tilt1", dot(frames_.second_b[2], frames_.second_a[0]));
  add("tilt2", dot(frames_.second_b[2], frames_.second_a[1]));
}

void JointEquations::same_orientation() {
  add("turn", dot(frames_.a[0], frames_.b[1]));
  add("tilt1", dot(frames_.a[1], frames_.b[2]));
  add("tilt2", dot(frames_.a[2], frames_.b[0]));
}

std::vector<NamedExpr> joint_equations(const Joint& joint, const JointFrames& frames) {
  JointEquations equations(joint.name, frames);
  joint.kind->constrain(joint, equations);
  return equations.list();
}

Expr angle_equation(const Joint& joint, const JointFrames& j) {
  const bool second = joint.kind->turns_about_second_axis;
  const Triad &a = second ? j.second_a : j.a, &b = second ? j.second_b : j.b;
  const Expr turned = at(joint.angle->variable) - joint.angle->start;
  return sin(turned) * dot(a[0], b[0]) - cos(turned) * dot(a[1], b[0]);
}

Expr slide_equation(const Joint& joint, const JointFrames& j) {
  return dot(j.a[2], j.at_b - j.at_a) - (at(joint.slide->variable) - joint.slide->start);
}

}  // namespace invar
