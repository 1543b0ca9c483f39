// For tests of models of bodies: bodies that tumble, and what their equations say in the start.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <vector>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/system/state_function.h"

namespace invar::test {

inline constexpr double rounding = 1e-12;  // sums of some dozens of products of numbers of size one

inline Problem read(const std::string& text, const std::optional<std::string>& formulation = {}) {
  return read_problem_text("name = \"p\"\n" + text, "p.toml", {}, formulation);
}

inline State start(const Problem& p) { return {.t = 0.0, .q = p.q0, .v = p.v0, .a = {}, .lambda = {}}; }

inline double value(const Problem& p, const Expr& f, const State& state) {
  return StateFunction(p.system, std::vector<Expr>{f})(state)[0];
}
inline double at_start(const Problem& p, const Expr& f) { return value(p, f, start(p)); }

// The power of generalised forces in the start.
inline double power(const Problem& p, const Exprs& forces) {
  double sum = 0.0;
  for (std::size_t i = 0; i < forces.size(); ++i) sum += at_start(p, forces[i]) * p.v0[i];
  return sum;
}

inline const Constraint& constraint(const Problem& p, const std::string& name) {
  for (const Constraint& c : p.system.constraints)
    if (c.name == name) return c;
  throw InputError("no constraint " + name);
}

inline double output(const Problem& p, const std::string& name) {
  for (const Quantity& y : p.system.outputs)
    if (y.name == name) return at_start(p, y.expr);
  throw InputError("no output " + name);
}

inline std::size_t coordinate(const Problem& p, const std::string& name) {
  for (std::size_t i = 0; i < p.system.coordinates.size(); ++i)
    if (p.system.coordinates[i].name() == name) return i;
  throw InputError("no coordinate " + name);
}

// Two bodies in space that tumble freely, and a point.
inline const std::string tumbling = R"toml(
[parameters]
k = 3.0
[world]
gravity = [0.5, "k - 4", -9.81]
[[body]]
name = "a"
mass = 2.0
inertia = [1.5, 2.0, 2.5, 0.1, -0.2, 0.3]
position = [1, 2, 3]
rotation = { axis = [1, 1, 0], angle = 0.7 }
velocity = [0.1, 0.2, 0.3]
angular_velocity = [1.0, -2.0, 0.5]
shape = { box = [1, 2, 3] }
[[body]]
name = "b"
mass = 0.5
inertia = [0.1, 0.1, 0.2]
position = [-1, 0, 1]
velocity = [0.4, -0.6, 0.2]
angular_velocity = [0.3, 0.1, -0.7]
[[point]]
name = "c"
mass = 4.0
position = [0, 3, 0]
velocity = [1, 0, -1]
)toml";

inline const Matrix3 rotation_a = Eigen::AngleAxisd(0.7, Vector3(1, 1, 0).normalized()).toRotationMatrix();
inline const Vector3 velocity_a(0.1, 0.2, 0.3), spin_a(1.0, -2.0, 0.5), velocity_b(0.4, -0.6, 0.2),
    spin_b(0.3, 0.1, -0.7);
inline const Vector3 velocity_c(1, 0, -1), position_a(1, 2, 3), position_b(-1, 0, 1), position_c(0, 3, 0);

inline Vector3 velocity_of_a(const Vector3& at) { return velocity_a + spin_a.cross(rotation_a * at); }

}  // namespace invar::test
