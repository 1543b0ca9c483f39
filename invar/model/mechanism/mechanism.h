// A mechanical model as an engineer describes it: bodies, joints, cables, forces, drives, and what is looked at.
//
// Everything is given in the start configuration: places and axes of joints in the world, points of bodies in body axes
// from the centre of mass. What the bodies do follows by assemble(), in the formulation one likes.
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "invar/base/kind_names.h"
#include "invar/model/mechanism/mesh.h"
#include "invar/system/system.h"

namespace invar {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

// For pictures only: lengths along the body axes; radius and length along z; radius; or a surface.
struct Shape {
  enum class Kind { none, box, cylinder, sphere, mesh };
  Kind kind = Kind::none;
  std::vector<double> size = {};
  std::shared_ptr<const Mesh> mesh = {};
};

// Three angles about turning axes, which count from `start`: R(start)⁻¹ R(angles) is the rotation from the start
// configuration, R = R_axis1(angle1) R_axis2(angle2) R_axis3(angle3).
struct TurningAngles {
  std::array<int, 3> axes = {0, 1, 2};
  Vector3 start = Vector3::Zero();
};

struct Body {
  std::string name;
  double mass = 0.0;
  Matrix3 inertia = Matrix3::Zero();  // about the centre of mass, body axes; in the plane only (2,2) counts
  Vector3 position = Vector3::Zero();
  Matrix3 rotation = Matrix3::Identity();
  Vector3 velocity = Vector3::Zero(), angular_velocity = Vector3::Zero();  // world axes
  bool point = false;                                                      // a mass without extension
  bool node = false;                                                       // of a beam or string, which has the mass
  TurningAngles angles;     // in minimal coordinates, if nothing carries it
  bool own_angles = false;  // they were asked for
  Shape shape;
};

inline constexpr int ground = -1;

// A point of a body (body axes, from the centre of mass) or of the ground (world).
struct Attachment {
  int body = ground;
  Vector3 at = Vector3::Zero();
};

// A coordinate with a name of its own: the angle or displacement of a joint, the length of a cable.
struct NamedCoordinate {
  Variable variable;
  double start = 0.0;
};

struct JointKind;  // see joint_kind.h

struct Joint {
  std::string name;
  const JointKind* kind = nullptr;
  int a = ground, b = ground;
  Vector3 at = Vector3::Zero();
  Vector3 axis = Vector3::UnitZ();                    // fixed in a
  Vector3 second_axis = Vector3::UnitX();             // fixed in b, of kinds that have two axes
  Vector3 to = Vector3::Zero();                       // distance: the point of b
  double pitch = 0.0;                                 // screw: advance per turn
  std::optional<NamedCoordinate> angle;               // about the turning axis
  std::optional<NamedCoordinate> slide;               // along it
  double damping = 0.0, stiffness = 0.0, rest = 0.0;  // on the angle if there is one, otherwise on the slide
  std::optional<Expr> motion;                         // prescribed: the coordinate, or its rate
  Level motion_level = Level::position;

  const Vector3& turning_axis() const;  // the axis, or the second one if that is what the kind turns about
};

// first · ratio = second, apart from a constant.
struct Gear {
  std::string name;
  Variable first, second;
  double ratio = 1.0;
};

struct Pulley {
  double inertia = 0.0, radius = 1.0;
};

// Inextensible, massless, over ideal pulleys: the sum of its straight parts is its length.
struct Cable {
  std::string name;
  std::vector<Attachment> route;
  std::vector<Pulley> pulleys;  // one per inner point of the route
  std::optional<NamedCoordinate> wound;
  double inertia = 0.0, radius = 1.0;  // of the winch
  std::optional<Variable> drum;        // instead of a winch: the angle of a joint that winds it off, with this radius
  std::optional<double> length;        // if not wound; that of the start configuration if not given
};

class ForceElement;  // see force_element.h

// An input: a generalised force on a named coordinate, or a force or torque of fixed direction.
struct Actuator {
  std::string name;
  std::optional<Variable> coordinate;
  int body = ground;
  std::optional<int> reacts_on;  // the body that takes the opposite torque
  Vector3 at = Vector3::Zero();
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();  // per unit input
  bool in_body_axes = false;                                  // of the body that reacts, or of the body itself
  double gain = 1.0;
};

// A body whose angular velocity is given, in world axes.
struct PrescribedSpin {
  std::string name;
  int body = ground;
  std::vector<Expr> angular_velocity;
};

// What is recorded and can be prescribed.
struct Output {
  std::string name;
  std::optional<Attachment> point;  // gives name.x name.y name.z
  std::optional<int>
      orientation;          // of a body: name.x name.y name.z, the off-diagonal direction cosines of its start axes
  std::optional<int> spin;  // angular velocity of a body: name.x name.y name.z
  bool in_body_axes = false;
  std::optional<Expr> formula;
  std::vector<Variable> places = {};  // in it, stand for the coordinates of bodies that have these names
};

// In which axes torques act on the directors of a body; see frame.h.
enum class TorqueAxes { contravariant, plain };
inline constexpr KindName<TorqueAxes> torque_axes_kinds[] = {
    {TorqueAxes::contravariant, "contravariant"},
    {TorqueAxes::plain, "plain"},
};

// How joint coordinates describe what turns freely in space: four Euler parameters and the condition that their squares
// have the sum one, or three angles, which are singular somewhere. Bodies with angles of their own keep them.
enum class FreeTurns { angles, quaternions };
inline constexpr KindName<FreeTurns> free_turn_kinds[] = {
    {FreeTurns::angles, "angles"},
    {FreeTurns::quaternions, "quaternions"},
};

struct Mechanism {
  Graph graph;
  std::vector<Parameter> parameters;
  int dimension = 3;
  Vector3 gravity = Vector3::Zero();
  TorqueAxes torque_axes = TorqueAxes::contravariant;
  FreeTurns free_turns = FreeTurns::quaternions;
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Gear> gears;
  std::vector<Cable> cables;
  std::vector<std::shared_ptr<const ForceElement>> force_elements;
  std::vector<Actuator> actuators;
  std::vector<PrescribedSpin> spins;
  std::vector<Output> outputs;

  const std::string& body_name(int body) const;  // "ground" for the ground
  bool is_flexible() const;                      // has nodes of beams or strings
};

}  // namespace invar
