// See joint_equations.h.
#include "invar/model/mechanism/joint_equations.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "invar/base/error.h"

namespace invar {

namespace {

// World quantities of the start configuration in the axes of a body.
Vector3 local_point(const Vector3& world, const Body* body) {
  return body ? Vector3(body->rotation.transpose() * (world - body->position)) : world;
}
Vector3 local_direction(const Vector3& world, const Body* body) {
  return body ? Vector3(body->rotation.transpose() * world) : world;
}

class Equations {
 public:
  explicit Equations(std::string name) : name_(std::move(name)) {}

  void add(const std::string& what, const Expr& f) {
    if (!f.is_constant()) list_.push_back({name_ + "." + what, f});
  }
  void same_point(const JointFrames& j) {
    const Vec x = j.at_b - j.at_a;
    add("x", x[0]);
    add("y", x[1]);
    add("z", x[2]);
  }
  // b moves along the axis only.
  void on_line(const JointFrames& j) {
    const Vec x = j.at_b - j.at_a;
    add("side1", dot(j.a[0], x));
    add("side2", dot(j.a[1], x));
  }
  void on_plane(const JointFrames& j) { add("height", dot(j.a[2], j.at_b - j.at_a)); }
  // b turns about the axis only.
  void same_axis(const JointFrames& j) {
    add("tilt1", dot(j.a[2], j.b[0]));
    add("tilt2", dot(j.a[2], j.b[1]));
  }
  void same_orientation(const JointFrames& j) {
    add("turn", dot(j.a[0], j.b[1]));
    add("tilt1", dot(j.a[1], j.b[2]));
    add("tilt2", dot(j.a[2], j.b[0]));
  }
  std::vector<NamedExpr> take() { return std::move(list_); }

 private:
  std::string name_;
  std::vector<NamedExpr> list_;
};

}  // namespace

std::array<Vector3, 3> triad(const Vector3& axis) {
  const Vector3 n = axis.normalized();
  // Against the unit vector that is farthest from the axis, so that the choice is stable; about z it gives x and y.
  const Vector3 far =
      std::abs(n[0]) <= std::abs(n[2]) || std::abs(n[0]) <= std::abs(n[1]) ? Vector3::UnitX() : Vector3::UnitY();
  const Vector3 m1 = (far - n.dot(far) * n).normalized();
  return {m1, n.cross(m1), n};
}

JointFrames joint_frames(const Joint& joint, const Frame& a, const Frame& b, const Body* body_a, const Body* body_b) {
  JointFrames j;
  j.at_a = a.point(local_point(joint.at, body_a));
  j.at_b = b.point(local_point(joint.kind == JointKind::distance ? joint.to : joint.at, body_b));
  const std::array<Vector3, 3> axes = triad(joint.axis);
  for (std::size_t i = 0; i < 3; ++i) {
    j.a[i] = a.direction(local_direction(axes[i], body_a));
    j.b[i] = b.direction(local_direction(axes[i], body_b));
  }
  if (joint.kind == JointKind::universal) j.b[2] = b.direction(local_direction(joint.second_axis.normalized(), body_b));
  return j;
}

std::vector<NamedExpr> joint_equations(const Joint& joint, const JointFrames& j) {
  Equations e(joint.name);
  switch (joint.kind) {
    case JointKind::fixed:
      e.same_point(j);
      e.same_orientation(j);
      break;
    case JointKind::revolute:
      e.same_point(j);
      e.same_axis(j);
      break;
    case JointKind::prismatic:
      e.on_line(j);
      e.same_orientation(j);
      break;
    case JointKind::cylindrical:
      e.on_line(j);
      e.same_axis(j);
      break;
    case JointKind::spherical: e.same_point(j); break;
    case JointKind::universal:
      e.same_point(j);
      e.add("cross", dot(j.a[2], j.b[2]) - joint.axis.normalized().dot(joint.second_axis.normalized()));
      break;
    case JointKind::planar:
      e.on_plane(j);
      e.same_axis(j);
      break;
    case JointKind::distance: {
      const Vec x = j.at_b - j.at_a;
      e.add("length", 0.5 * (dot(x, x) - (joint.to - joint.at).squaredNorm()));
      break;
    }
    case JointKind::point_on_line: e.on_line(j); break;
    case JointKind::point_on_plane: e.on_plane(j); break;
    case JointKind::screw:
      expects(joint.angle && joint.slide, "a screw knows its angle and its advance");
      e.on_line(j);
      e.same_axis(j);
      e.add("thread", (at(joint.slide->variable) - joint.slide->start) -
                          joint.pitch / (2.0 * std::numbers::pi) * (at(joint.angle->variable) - joint.angle->start));
      break;
  }
  return e.take();
}

Expr angle_equation(const JointFrames& j, const NamedCoordinate& angle) {
  const Expr turned = at(angle.variable) - angle.start;
  return sin(turned) * dot(j.a[0], j.b[0]) - cos(turned) * dot(j.a[1], j.b[0]);
}

Expr slide_equation(const JointFrames& j, const NamedCoordinate& slide) {
  return dot(j.a[2], j.at_b - j.at_a) - (at(slide.variable) - slide.start);
}

}  // namespace invar
