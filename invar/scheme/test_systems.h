// Small systems for tests of schemes and tasks, each with a start and what makes it worth testing.
#pragma once

#include <string>
#include <vector>

#include "invar/system/system.h"

namespace invar::test {

struct TestSystem {
  std::string name;
  System system;
  std::vector<double> q0, v0;
  double duration;  // long enough for the nonlinearity to matter
  double step;      // coarse step of order measurements
  bool conserves_energy = false;
};

inline Expr squared(const Expr& x) { return pow(x, 2.0); }

// Point mass on a massless rod in Cartesian coordinates: constant mass, one quadratic constraint.
inline TestSystem pendulum() {
  System s;
  s.add_coordinate("x");
  s.add_coordinate("y");
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (squared(v[0]) + squared(v[1]));
  s.potential = 9.81 * q[1];
  s.add_constraint("rod", 0.5 * (squared(q[0]) + squared(q[1]) - 1.0));
  return {"pendulum", s, {0.6, -0.8}, {0.8, 0.6}, 0.8, 0.02, true};
}

// Two point masses in relative angles: configuration-dependent mass matrix.
inline TestSystem double_pendulum() {
  System s;
  s.add_coordinate("a");
  s.add_coordinate("b");
  const Exprs q = positions(s), v = velocities(s);
  const Expr sum = q[0] + q[1], rate = v[0] + v[1];
  const Expr x = sin(q[0]) + 0.7 * sin(sum), y = -cos(q[0]) - 0.7 * cos(sum);
  const Expr vx = cos(q[0]) * v[0] + 0.7 * cos(sum) * rate, vy = sin(q[0]) * v[0] + 0.7 * sin(sum) * rate;
  s.kinetic = 0.5 * 2.0 * squared(v[0]) + 0.5 * (squared(vx) + squared(vy));
  s.potential = 9.81 * (-2.0 * cos(q[0]) + y) + 0.0 * x;
  return {"double_pendulum", s, {0.9, -0.4}, {0.3, 1.1}, 0.8, 0.02, true};
}

// Oscillator with a hardening spring and viscous damping.
inline TestSystem damped() {
  System s;
  s.add_coordinate("x");
  s.add_coordinate("y");
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (squared(v[0]) + 2.0 * squared(v[1]));
  s.potential = 4.0 * squared(q[0]) + pow(q[0], 4.0) + 3.0 * squared(q[1] - q[0]);
  s.forces = {-0.5 * v[0], -0.8 * (v[1] - v[0]) * (1.0 + squared(q[1]))};
  return {"damped", s, {1.0, -0.3}, {0.0, 0.5}, 1.0, 0.04, false};
}

// Body on a table with a blade: cannot move sideways (nonholonomic), rotates freely, slides down a slope.
inline TestSystem knife_edge() {
  System s;
  for (const char* name : {"x", "y", "phi"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (squared(v[0]) + squared(v[1])) + 0.5 * 0.4 * squared(v[2]);
  s.potential = 5.0 * q[0];
  s.add_constraint("blade", v[0] * sin(q[2]) - v[1] * cos(q[2]), Level::velocity);
  return {"knife_edge", s, {0.0, 0.0, 0.3}, {0.0, 0.0, 1.5}, 1.0, 0.04, true};
}

// Pendulum whose pivot moves on a given path: time-dependent constraint.
inline TestSystem driven() {
  TestSystem t = pendulum();
  t.name = "driven";
  const Expr time = t.system.graph.time();
  const Exprs q = positions(t.system);
  t.system.constraints[0].expr = 0.5 * (squared(q[0] - 0.1 * sin(3.0 * time)) + squared(q[1]) - 1.0);
  t.v0 = {0.8 + 0.3, 0.6};  // 0.6 (x' - 0.3) - 0.8 y' = 0
  t.conserves_energy = false;
  return t;
}

// Particle around a centre of gravity.
inline TestSystem central_field() {
  System s;
  for (const char* name : {"x", "y", "z"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (squared(v[0]) + squared(v[1]) + squared(v[2]));
  s.potential = -1.0 / sqrt(squared(q[0]) + squared(q[1]) + squared(q[2]));
  s.invariants = {{"angular_momentum.x", q[1] * v[2] - q[2] * v[1]},
                  {"angular_momentum.y", q[2] * v[0] - q[0] * v[2]},
                  {"angular_momentum.z", q[0] * v[1] - q[1] * v[0]}};
  return {"central_field", s, {1.0, 0.1, 0.0}, {0.0, 1.1, 0.2}, 2.0, 0.1, true};
}

// A bead that slides without friction on a turning arm with inertia: the angle is cyclic, the mass matrix is not
// constant.
inline TestSystem turning_arm() {
  System s;
  s.add_coordinate("phi");
  s.add_coordinate("r");
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (2.0 + squared(q[1])) * squared(v[0]) + 0.5 * squared(v[1]);
  s.potential = 3.0 * squared(q[1] - 1.0);
  return {"turning_arm", s, {0.0, 1.2}, {1.3, 0.2}, 1.5, 0.05, true};
}

// Unit masses tied to each other by rods, released from rest: stretched out sideways, no rod carries anything at first;
// as a zigzag, the load dies out along the chain. Hard for convergence tests, since most of the numbers are noise.
inline TestSystem chain(int masses, bool zigzag) {
  System s;
  TestSystem t{zigzag ? "zigzag" : "stretched", s, {}, {}, 0.02, 0.001, true};
  for (int i = 0; i < masses; ++i) s.add_coordinate("x" + std::to_string(i)), s.add_coordinate("y" + std::to_string(i));
  const Exprs q = positions(s), v = velocities(s);
  Expr x0 = 0.0, y0 = 0.0;
  for (std::size_t i = 0; i < q.size(); i += 2) {
    s.kinetic += 0.5 * (squared(v[i]) + squared(v[i + 1]));
    s.potential += 9.81 * q[i + 1];
    s.add_constraint("rod" + std::to_string(i / 2), 0.5 * (squared(q[i] - x0) + squared(q[i + 1] - y0) - 1.0));
    x0 = q[i], y0 = q[i + 1];
    const double number = static_cast<double>(i / 2 + 1);
    t.q0.push_back(zigzag ? 0.6 * number : number);
    t.q0.push_back(zigzag && i % 4 == 0 ? -0.8 : 0.0);
  }
  t.v0.resize(q.size());
  t.system = s;
  return t;
}

// Two prestressed springs hold a mass at the origin, where it rests: large constants cancel, every unknown is zero.
inline TestSystem prestressed() {
  System s;
  s.add_coordinate("x");
  s.add_coordinate("y");
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (squared(v[0]) + squared(v[1]));
  s.potential = 1e5 * (squared(sqrt(squared(q[0] - 1.7) + squared(q[1])) - 0.3) +
                       squared(sqrt(squared(q[0] + 1.7) + squared(q[1])) - 0.3));
  return {"prestressed", s, {0.0, 0.0}, {0.0, 0.0}, 0.1, 0.001, true};
}

inline std::vector<TestSystem> all_systems() {
  return {pendulum(), double_pendulum(), damped(), knife_edge(), driven(), central_field(), turning_arm()};
}

}  // namespace invar::test
