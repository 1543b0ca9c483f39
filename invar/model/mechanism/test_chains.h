// Chains of two bodies with any joint between them, for the laws of formulations.
#pragma once

#include <Eigen/Geometry>
#include <random>
#include <string>
#include <utility>

#include "invar/expr/derivative.h"
#include "invar/model/joints/joint_kinds.h"
#include "invar/model/mechanism/assemble.h"
#include "invar/model/mechanism/minimal.h"
#include "invar/system/start/start.h"

namespace invar::test {

inline Vector3 random_vector(std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  return {uniform(random), uniform(random), uniform(random)};
}

struct Chain {
  Mechanism mechanism;
  Assembly assembly;
  MinimalForm minimal;
  std::vector<double> rates;  // of the joint coordinates
  State start;                // in director coordinates, consistent
};

// A hinge on the ground (or none), and a joint of the given kind, in its own or in the opposite direction, with
// friction where it has a coordinate to act on.
inline Chain random_chain(const JointKind& kind, bool reversed, bool grounded, unsigned seed, double damping = 0.4) {
  std::mt19937_64 random(seed);
  Chain c;
  Mechanism& m = c.mechanism;
  if (grounded) m.gravity = {0.0, 0.0, -9.81};
  for (const char* name : {"one", "two"}) {
    Body b;
    b.name = name;
    b.mass = 1.5;
    const Matrix3 r = Eigen::AngleAxisd(0.7, random_vector(random).normalized()).toRotationMatrix();
    b.inertia = r * Vector3(0.3, 0.4, 0.5).asDiagonal() * r.transpose();
    b.position = random_vector(random);
    b.rotation = Eigen::AngleAxisd(0.8, random_vector(random).normalized()).toRotationMatrix();
    m.bodies.push_back(b);
  }
  for (int k = grounded ? 0 : 1; k < 2; ++k) {
    Joint j;
    j.name = k == 0 ? "base" : "middle";
    j.kind = k == 0 ? &revolute_joint : &kind;
    j.a = k - 1;
    j.b = k;
    if (k == 1 && reversed) std::swap(j.a, j.b);
    j.at = random_vector(random);
    j.axis = random_vector(random);
    j.second_axis = j.axis.cross(random_vector(random));
    if (k == 1 && kind.angle) j.angle = NamedCoordinate{m.graph.variable("angle"), 0.3};
    if (k == 1 && kind.slide && !kind.angle) j.slide = NamedCoordinate{m.graph.variable("slide"), -0.1};
    j.damping = damping;
    m.joints.push_back(j);
  }
  c.assembly = assemble(m);
  c.minimal = minimal_form(m, c.assembly);
  // Velocities that the joints allow: P times random rates.
  Exprs mu;
  for (const Variable& x : c.minimal.mapping.coordinates) mu.push_back(at(x));
  const SparseExprs p = jacobian(c.minimal.mapping.image, mu);
  std::vector<double> value(p.value.size()), v(c.assembly.v0.size(), 0.0);
  Scratch scratch;
  Function(mu, p.value)(c.minimal.start, value, scratch);
  for (std::size_t j = 0; j < mu.size(); ++j) {
    c.rates.push_back(random_vector(random)[0]);
    for (int k = p.pattern.start[j]; k < p.pattern.start[j + 1]; ++k)
      v[static_cast<std::size_t>(p.pattern.row[static_cast<std::size_t>(k)])] +=
          value[static_cast<std::size_t>(k)] * c.rates[j];
  }
  c.start = consistent_start(c.assembly.system, {0.0, c.assembly.q0, v, {}, {}}).state;
  return c;
}

}  // namespace invar::test
