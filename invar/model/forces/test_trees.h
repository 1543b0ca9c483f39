// Random trees of bodies with all kinds of joints, springs, bushings, dampers and actuators, and such trees with loops,
// for laws that hold for all.
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <random>
#include <string>

#include "invar/expr/derivative.h"
#include "invar/model/forces/bushing.h"
#include "invar/model/forces/spring.h"
#include "invar/model/joints/joint_kinds.h"
#include "invar/model/mechanism/assemble.h"
#include "invar/model/mechanism/minimal.h"
#include "invar/system/start/start.h"

namespace invar::test {

class RandomTree {
 public:
  // With so many further joints, which close loops as far as freedoms are left.
  explicit RandomTree(unsigned seed, int loops = 0) : random_(seed) {
    Mechanism& m = mechanism;
    m.dimension = chance(0.2) ? 2 : 3;
    m.gravity = m.dimension == 2 ? Vector3(1.0, -9.0, 0.0) : Vector3(0.5, 0.0, -9.81);
    const int bodies = 2 + static_cast<int>(random_() % 4);
    for (int k = 0; k < bodies; ++k) {
      m.bodies.push_back(body("body" + std::to_string(k)));
      if (k == 0 && chance(0.3)) continue;  // it moves freely
      m.joints.push_back(joint("joint" + std::to_string(k), k, k == 0 ? ground : parent(k)));
    }
    for (int k = 0; k < loops; ++k) m.joints.push_back(closing("loop" + std::to_string(k)));
    add_forces();
    add_actuators();
  }

  Mechanism mechanism;

  // The same for all who ask in the same order.
  double number(double from = -1.0, double to = 1.0) {
    return std::uniform_real_distribution<double>(from, to)(random_);
  }

 private:
  bool chance(double p) { return number(0.0, 1.0) < p; }
  bool planar() const { return mechanism.dimension == 2; }
  int parent(int k) { return chance(0.2) ? ground : static_cast<int>(random_() % static_cast<unsigned>(k)); }
  Vector3 vector() {
    const Vector3 x(number(), number(), number());
    return planar() ? Vector3(x[0], x[1], 0.0) : x;
  }
  // Along an axis of the world as often as not: both have formulas of their own.
  Vector3 axis() {
    if (planar()) return chance(0.5) ? Vector3(Vector3::UnitX()) : vector();
    return chance(0.5) ? Vector3((chance(0.5) ? 1.0 : -1.0) * Vector3::Unit(static_cast<int>(random_() % 3)))
                       : vector();
  }

  Body body(const std::string& name) {
    Body b;
    b.name = name;
    b.mass = number(0.5, 2.0);
    const Matrix3 r =
        Eigen::AngleAxisd(number(), Vector3(number(), number(), number()).normalized()).toRotationMatrix();
    b.inertia = r * Vector3(0.3, 0.4, 0.5).asDiagonal() * r.transpose();
    b.position = vector();
    const Vector3 about = planar() ? Vector3(Vector3::UnitZ()) : Vector3(number(), number(), number()).normalized();
    b.rotation = Eigen::AngleAxisd(number(), about).toRotationMatrix();
    if (!planar() && chance(0.3)) {
      b.angles = {{2, 0, 2}, Vector3(0.3, 1.1, -0.4)};
      b.own_angles = true;
    }
    return b;
  }

  void place(Joint& j) {
    j.at = vector();
    j.axis = planar() && j.kind->angle && !j.kind->slide ? Vector3(Vector3::UnitZ()) : axis();
    j.second_axis = planar() ? Vector3(Vector3::UnitZ()) : j.axis.cross(Vector3(number(), number(), number()));
    j.pitch = number(0.1, 0.5);
  }

  Joint joint(const std::string& name, int child, int parent) {
    std::vector<const JointKind*> kinds;
    for (const JointKind* kind : joint_kinds)
      if (kind->move && (!planar() || kind->in_plane)) kinds.push_back(kind);
    Joint j;
    j.name = name;
    j.kind = kinds[random_() % kinds.size()];
    j.a = parent;
    j.b = child;
    if (parent != ground && chance(0.3)) std::swap(j.a, j.b);
    place(j);
    if (j.kind->angle) j.angle = NamedCoordinate{mechanism.graph.variable(name + "_angle"), number()};
    if (j.kind->slide) j.slide = NamedCoordinate{mechanism.graph.variable(name + "_slide"), number()};
    if (chance(0.5)) j.damping = number(0.0, 0.5);
    if (chance(0.5)) j.stiffness = number(0.0, 5.0);
    return j;
  }

  // Between any two bodies, or one and the ground, of any kind that needs no coordinates of its own.
  Joint closing(const std::string& name) {
    const auto bodies = static_cast<int>(mechanism.bodies.size());
    Joint j;
    j.name = name;
    std::vector<const JointKind*> kinds;
    for (const JointKind* kind : joint_kinds)
      if (kind != &screw_joint && (!planar() || kind->in_plane)) kinds.push_back(kind);
    j.kind = kinds[random_() % kinds.size()];
    j.b = static_cast<int>(random_() % static_cast<unsigned>(bodies));
    j.a = static_cast<int>(random_() % static_cast<unsigned>(bodies)) - 1;
    if (j.a == j.b) j.a = ground;
    place(j);
    j.to = j.at + vector();
    return j;
  }

  Attachment attachment() {
    const int on = static_cast<int>(random_() % (mechanism.bodies.size() + 1)) - 1;
    return {on, vector()};
  }

  void add_forces() {
    if (chance(0.5)) {
      auto spring = std::make_shared<Spring>();
      spring->from = attachment();
      spring->to = {static_cast<int>(random_() % mechanism.bodies.size()), 3.0 * vector()};
      spring->stiffness = number(1.0, 5.0);
      spring->rest = number(0.1, 1.0);
      spring->damping = number(0.0, 0.5);
      if (spring->from.body != spring->to.body) mechanism.force_elements.push_back(spring);
    }
    if (!planar() && chance(0.3)) {
      auto bushing = std::make_shared<Bushing>();
      bushing->a.at = {ground, vector()};
      bushing->b.at = {static_cast<int>(random_() % mechanism.bodies.size()), vector()};
      bushing->stiffness = {1.0, 2.0, 3.0};
      bushing->damping = {0.3, 0.2, 0.1};
      bushing->rotational_stiffness = {0.3, 0.2, 0.4};
      bushing->rotational_damping = {0.1, 0.2, 0.1};
      mechanism.force_elements.push_back(bushing);
    }
  }

  void add_actuators() {
    for (const Joint& j : mechanism.joints) {
      if (!j.angle || !chance(0.4)) continue;
      Actuator motor;
      motor.name = j.name + "_motor";
      motor.coordinate = j.angle->variable;
      motor.gain = number(0.5, 2.0);
      mechanism.actuators.push_back(motor);
    }
    if (chance(0.4)) {
      Actuator jet;
      jet.name = "jet";
      jet.body = static_cast<int>(random_() % mechanism.bodies.size());
      jet.at = vector();
      jet.force = vector();
      jet.in_body_axes = chance(0.5);
      if (!planar()) jet.torque = vector();
      mechanism.actuators.push_back(jet);
    }
  }

  std::mt19937_64 random_;
};

inline System in_joint_coordinates(const RandomTree& tree) {
  const Assembly a = assemble(tree.mechanism, Friction::on_angles);
  return reduce(a.system, minimal_form(tree.mechanism, a).mapping).system;
}

// Both formulations of a tree at one moving state.
struct TreeState {
  Assembly assembly;
  MinimalForm minimal;
  Reduced reduced;
  State joints, directors;  // consistent
  std::vector<double> u;
  Exprs image_acceleration;  // q'' of the directors in μ, μ' and μ''
  int freedom = 0;
  bool regular = true;
};

// Neither formulation has constraints that say the same, or that do so in this configuration only.
inline bool is_regular(const Start& start) { return start.redundant.empty() && start.singular.empty(); }

inline TreeState moving_tree(RandomTree& tree) {
  TreeState s;
  s.assembly = assemble(tree.mechanism);
  s.minimal = minimal_form(tree.mechanism, s.assembly);
  s.reduced = reduce(s.assembly.system, s.minimal.mapping);
  const System& system = s.reduced.system;
  for (std::size_t i = 0; i < system.inputs.size(); ++i) s.u.push_back(tree.number(-2.0, 2.0));
  std::vector<double> rates;
  for (std::size_t i = 0; i < system.coordinates.size(); ++i) rates.push_back(tree.number(-2.0, 2.0));
  const Start joints = consistent_start(system, {0.0, s.minimal.start, rates, {}, {}}, s.u);
  s.joints = joints.state;
  StateFunction velocity(system, ddt(s.minimal.mapping.image));
  const Start directors = consistent_start(s.assembly.system, {0.0, s.assembly.q0, velocity(s.joints), {}, {}}, s.u);
  s.directors = directors.state;
  s.freedom = joints.degrees_of_freedom;
  s.regular = is_regular(joints) && is_regular(directors);
  s.image_acceleration = ddt(ddt(s.minimal.mapping.image));
  return s;
}

}  // namespace invar::test
