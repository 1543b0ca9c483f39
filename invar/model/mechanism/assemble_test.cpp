// Laws of assembled mechanisms: joints hold along their own coordinates, energies are those of Newton and Euler,
// momenta are those that space promises.
#include "invar/model/mechanism/assemble.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>
#include <set>
#include <string>

#include "invar/model/joints/joint_kinds.h"
#include "invar/model/mechanism/minimal.h"
#include "invar/system/conserved.h"
#include "invar/system/start/start.h"

namespace invar {
namespace {

constexpr double rounding = 1e-12;

Vector3 random_vector(std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  return {uniform(random), uniform(random), uniform(random)};
}

Body random_body(const std::string& name, std::mt19937_64& random, int dimension = 3) {
  Body b;
  b.name = name;
  b.mass = 1.7;
  const Matrix3 r = Eigen::AngleAxisd(1.1, random_vector(random).normalized()).toRotationMatrix();
  b.inertia = r * Vector3(0.3, 0.4, 0.5).asDiagonal() * r.transpose();
  b.position = random_vector(random);
  b.rotation = Eigen::AngleAxisd(0.8, dimension == 2 ? Vector3::UnitZ() : random_vector(random).normalized());
  b.velocity = random_vector(random);
  b.angular_velocity = random_vector(random);
  if (dimension == 2) {
    b.position[2] = b.velocity[2] = 0.0;
    b.angular_velocity = Vector3(0.0, 0.0, b.angular_velocity[2]);
  }
  return b;
}

Joint joint_of(const JointKind& kind, int a, int b, const std::string& name, const Graph& graph,
               std::mt19937_64& random) {
  Joint j;
  j.name = name;
  j.kind = &kind;
  j.a = a;
  j.b = b;
  j.at = random_vector(random);
  j.axis = random_vector(random);
  j.second_axis = j.axis.cross(random_vector(random));
  if (kind.angle) j.angle = NamedCoordinate{graph.variable(name + "_angle"), 0.4};
  if (kind.slide) j.slide = NamedCoordinate{graph.variable(name + "_slide"), -0.2};
  j.pitch = 0.3;
  return j;
}

// Ground – first – second, the latter joint once in each direction.
TEST(Assemble, JointsHoldAlongTheirOwnCoordinates) {
  std::mt19937_64 random(4);
  for (const JointKind* kind : joint_kinds)
    for (const bool reversed : {false, true}) {
      if (!kind->move) continue;  // it only closes loops
      Mechanism m;
      m.bodies = {random_body("first", random), random_body("second", random)};
      m.joints = {joint_of(*kind, ground, 0, "one", m.graph, random),
                  joint_of(*kind, reversed ? 1 : 0, reversed ? 0 : 1, "two", m.graph, random)};
      const Assembly a = assemble(m);
      MinimalForm minimal = minimal_form(m, a);
      EXPECT_TRUE(minimal.loops.empty());
      EXPECT_EQ(minimal.mapping.holding.size(), a.system.constraints.size()) << kind->name;
      minimal.mapping.holding.clear();  // what holds by its making is tried all the same
      const Reduced reduced = reduce(a.system, minimal.mapping);
      std::set<std::string> conditions;
      for (const Condition& c : minimal.mapping.conditions) conditions.insert(c.name);
      for (const Constraint& c : reduced.system.constraints)
        EXPECT_TRUE(conditions.contains(c.name)) << "kind " << kind->name << ": " << c.name << " does not hold";
      // As many freedoms are left as the joints allow.
      const int expected =
          static_cast<int>(a.system.coordinates.size()) - static_cast<int>(a.system.constraints.size());
      EXPECT_EQ(static_cast<int>(reduced.system.coordinates.size() - conditions.size()), expected) << kind->name;
    }
}

TEST(Assemble, InThePlaneTheSameJointsLoseWhatThePlaneFixes) {
  std::mt19937_64 random(4);
  for (const JointKind* kind : {&revolute_joint, &prismatic_joint, &fixed_joint, &spherical_joint, &slot_joint}) {
    Mechanism m;
    m.dimension = 2;
    m.bodies = {random_body("first", random, 2), random_body("second", random, 2)};
    for (int k : {0, 1}) {
      Joint j = joint_of(*kind, k - 1, k, k ? "two" : "one", m.graph, random);
      j.at[2] = 0.0;
      j.second_axis = Vector3::UnitZ();
      j.axis = kind == &prismatic_joint || kind == &slot_joint ? Vector3(j.axis[0], j.axis[1], 0.0) : Vector3::UnitZ();
      m.joints.push_back(j);
    }
    const Assembly a = assemble(m);
    Mapping mapping = minimal_form(m, a).mapping;
    mapping.holding.clear();  // what holds by its making is tried all the same
    const Reduced reduced = reduce(a.system, mapping);
    EXPECT_TRUE(reduced.system.constraints.empty());
    EXPECT_EQ(reduced.system.coordinates.size(), kind == &fixed_joint  ? 0u
                                                 : kind == &slot_joint ? 4u
                                                                       : 2u)
        << kind->name;
  }
}

// A pin between a bar and a point mass leaves nothing to turn.
TEST(Assemble, APinnedPointMassAddsNoAngle) {
  std::mt19937_64 random(4);
  Mechanism m;
  m.dimension = 2;
  m.bodies = {random_body("bar", random, 2), random_body("load", random, 2)};
  m.bodies[1].point = true;
  for (int k : {0, 1}) {
    Joint pin;
    pin.name = k ? "end" : "base";
    pin.kind = &revolute_joint;
    pin.a = k - 1;
    pin.b = k;
    pin.at = k ? m.bodies[1].position : Vector3(Vector3::Zero());
    m.joints.push_back(pin);
  }
  const Assembly a = assemble(m);
  const Reduced reduced = reduce(a.system, minimal_form(m, a).mapping);
  EXPECT_TRUE(reduced.system.constraints.empty());
  ASSERT_EQ(reduced.system.coordinates.size(), 1u);
  EXPECT_EQ(reduced.system.coordinates[0].name(), "base.angle");
}

// T = ½ m v² + ½ Ω·JΩ, p = Σ m v and L = Σ x × m v + R J Ω.
TEST(Assemble, EnergyAndMomentaOfNewtonAndEuler) {
  std::mt19937_64 random(9);
  Mechanism m;
  m.bodies = {random_body("first", random), random_body("second", random)};
  m.gravity = {0.0, 0.0, -9.81};
  const Assembly a = assemble(m);
  double kinetic = 0.0, potential = 0.0;
  Vector3 momentum = Vector3::Zero(), angular = Vector3::Zero();
  for (const Body& b : m.bodies) {
    const Matrix3 inertia = b.rotation * b.inertia * b.rotation.transpose();
    kinetic += 0.5 * b.mass * b.velocity.squaredNorm() + 0.5 * b.angular_velocity.dot(inertia * b.angular_velocity);
    potential += 9.81 * b.mass * b.position[2];
    momentum += b.mass * b.velocity;
    angular += b.position.cross(b.mass * b.velocity) + inertia * b.angular_velocity;
  }
  Exprs formulas = {a.system.kinetic, a.system.potential};
  for (const Momentum& p : a.system.momenta) formulas.push_back(p.expr);
  const std::vector<double> value =
      StateFunction(a.system, formulas)({.t = 0.0, .q = a.q0, .v = a.v0, .a = {}, .lambda = {}});
  EXPECT_NEAR(value[0], kinetic, rounding);
  EXPECT_NEAR(value[1], potential, 10.0 * rounding);
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR(value[static_cast<std::size_t>(2 + c)], momentum[c], rounding);
    EXPECT_NEAR(value[static_cast<std::size_t>(5 + c)], angular[c], rounding);
  }
}

std::vector<std::string> kept(const System& s) {
  std::vector<std::string> names;
  for (const Momentum& p : s.momenta)
    if (p.why_not.empty()) names.push_back(p.name);
  return names;
}

TEST(Assemble, MomentaThatMustStay) {
  std::mt19937_64 random(2);
  Mechanism m;
  m.bodies = {random_body("first", random), random_body("second", random)};
  m.joints = {joint_of(revolute_joint, 0, 1, "hinge", m.graph, random)};
  m.joints[0].damping = 2.0;
  EXPECT_EQ(kept(assemble(m).system).size(), 6u)
      << "nothing outside acts on two bodies with a hinge and friction in it";
  m.gravity = {0.0, 0.0, -9.81};
  EXPECT_EQ(kept(assemble(m).system), (std::vector<std::string>{"momentum.x", "momentum.y", "angular_momentum.z"}));
  Joint base = joint_of(revolute_joint, ground, 0, "base", m.graph, random);
  base.at = Vector3(0.0, 0.0, 0.3);
  base.axis = Vector3::UnitZ();
  m.joints.push_back(base);
  EXPECT_EQ(kept(assemble(m).system), (std::vector<std::string>{"angular_momentum.z"}));
  m.joints.back().damping = 1.0;
  EXPECT_TRUE(kept(assemble(m).system).empty());
}

// Atwood's machine with a heavy pulley: a = (m₁ - m₂) g / (m₁ + m₂ + J/r²), with and without a winch that does not
// turn.
TEST(Assemble, PulleysWithInertiaTurnWithTheirCable) {
  constexpr double m1 = 3.0, m2 = 2.0, J = 0.02, r = 0.1, g = 9.81;
  Mechanism m;
  m.gravity = {0.0, 0.0, -g};
  for (const double side : {-1.0, 1.0}) {
    Body load;
    load.name = side < 0.0 ? "heavy" : "light";
    load.mass = side < 0.0 ? m1 : m2;
    load.position = {0.0, 0.0, -1.0 - 0.5 * side};
    load.point = true;
    m.bodies.push_back(load);
  }
  Cable cable;
  cable.name = "rope";
  cable.route = {{0, Vector3::Zero()}, {ground, Vector3::Zero()}, {1, Vector3::Zero()}};
  cable.pulleys = {{J, r}};
  m.cables = {cable};
  // Both loads hang below the pulley; the cable keeps them together.
  const Assembly a = assemble(m);
  const State s = consistent_start(a.system, {0.0, a.q0, a.v0, {}, {}}).state;
  const double expected = (m1 - m2) * g / (m1 + m2 + J / (r * r));
  EXPECT_NEAR(s.a[2], -expected, 1e-12);
  EXPECT_NEAR(s.a[5], expected, 1e-12);
}

// A torque couple leaves the total momenta alone even while directors are not orthonormal.
TEST(Assemble, InternalTorqueKeepsAngularMomentum) {
  std::mt19937_64 random(2);
  Mechanism m;
  m.bodies = {random_body("first", random), random_body("second", random)};
  Actuator couple;
  couple.name = "motor";
  couple.body = 1;
  couple.reacts_on = 0;
  couple.torque = {0.2, 0.5, -0.1};
  couple.in_body_axes = true;
  m.actuators = {couple};
  EXPECT_EQ(kept(assemble(m).system).size(), 6u);
}

}  // namespace
}  // namespace invar
