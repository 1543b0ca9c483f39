// Laws of the equations of motion: against equations derived by hand, power balance, the same in other coordinates.
#include "invar/system/equations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "invar/base/error.h"
#include "invar/system/reduce.h"
#include "invar/system/state_function.h"

namespace invar {
namespace {

Expr squared(const Expr& x) { return pow(x, 2.0); }

constexpr double mt = 10.0, m = 100.0, winch = 10.0, g = 9.81;  // winch: J/r²

// Planar overhead crane in s, l, x, z with a cable constraint and two inputs.
System crane() {
  System s;
  for (const char* name : {"s", "l", "x", "z"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * mt * squared(v[0]) + 0.5 * winch * squared(v[1]) + 0.5 * m * (squared(v[2]) + squared(v[3]));
  s.potential = m * g * q[3];
  s.forces[0] = -2.0 * v[0];
  s.add_constraint("cable", 0.5 * (squared(q[2] - q[0]) + squared(q[3]) - squared(q[1])));
  s.add_input("F", {1.0, 0.0, 0.0, 0.0});
  s.add_input("M", {0.0, 10.0, 0.0, 0.0});
  s.outputs = {{"load_x", q[2]}, {"load_z", q[3]}};
  return s;
}

Mapping sway(const System& s) {
  const Variable phi = s.graph.variable("phi");
  const Expr trolley = at(s.coordinates[0]), length = at(s.coordinates[1]);
  return {{s.coordinates[0], s.coordinates[1], phi},
          {trolley, length, trolley + length * sin(at(phi)), -length * cos(at(phi))}};
}

TEST(Equations, OfTheCraneInMinimalCoordinatesAreThePublishedOnes) {
  // M μ'' = h + Bᵀu with M, h as derived by hand [Y. Yang, KIT 2017, sec. 5.3.1, μ = (s, l, φ)].
  const System full = crane();
  const Reduced r = reduce(full, sway(full));
  EXPECT_EQ(r.satisfied, std::vector<std::string>{"cable"});
  EXPECT_TRUE(r.system.constraints.empty());
  const Equations e = equations(r.system);
  StateFunction dynamics(r.system, e.dynamics);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int k = 0; k < 20; ++k) {
    State s;
    for (auto* part : {&s.q, &s.v, &s.a})
      for (int i = 0; i < 3; ++i) part->push_back(uniform(random));
    s.q[1] += 4.0;
    const std::vector<double> u = {30.0 * uniform(random), -90.0 + uniform(random)};
    const double l = s.q[1], sn = std::sin(s.q[2]), cs = std::cos(s.q[2]), ld = s.v[1], pd = s.v[2];
    const double row_s = (mt + m) * s.a[0] + m * sn * s.a[1] + m * l * cs * s.a[2] - m * l * pd * pd * sn +
                         2.0 * m * ld * pd * cs + 2.0 * s.v[0] - u[0];
    const double row_l = m * sn * s.a[0] + (m + winch) * s.a[1] - m * l * pd * pd - m * g * cs - 10.0 * u[1];
    const double row_phi = m * l * cs * s.a[0] + m * l * l * s.a[2] + 2.0 * m * l * ld * pd + m * g * l * sn;
    const auto got = dynamics(s, u);
    constexpr double rounding = 1e-11;  // of terms up to 1e3
    EXPECT_NEAR(got[0], row_s, rounding);
    EXPECT_NEAR(got[1], row_l, rounding);
    EXPECT_NEAR(got[2], row_phi, rounding);
  }
}

TEST(Equations, PowerOfAllForcesIsTheRateOfEnergy) {
  // v·dynamics = dE/dt - v·(f + Bᵀu) + v·Gᵀλ identically.
  const System s = crane();
  const Equations e = equations(s);
  Expr power = 0.0;
  for (std::size_t i = 0; i < e.v.size(); ++i) power += e.v[i] * (e.dynamics[i] + e.applied[i] - e.reaction[i]);
  StateFunction both(s, Exprs{power, ddt(e.energy)});
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int k = 0; k < 20; ++k) {
    State x;
    for (auto* part : {&x.q, &x.v, &x.a})
      for (int i = 0; i < 4; ++i) part->push_back(uniform(random));
    x.lambda = {uniform(random)};
    const auto value = both(x);
    EXPECT_NEAR(value[0], value[1], 1e-11) << "terms up to 1e3";
  }
}

TEST(Equations, GradientIsTheSameAtEveryLevel) {
  System s = crane();
  const Exprs q = positions(s), v = velocities(s);
  s.constraints.clear();
  s.add_constraint("position", q[0] * q[1]);
  s.add_constraint("velocity", q[1] * v[0] + q[0] * v[1], Level::velocity);
  const Equations e = equations(s);
  for (int j = 0; j < 4; ++j) EXPECT_EQ(e.gradient.at(0, j), e.gradient.at(1, j));
  EXPECT_EQ(e.constraint_rate[0], e.constraint_rate[1]);
}

TEST(System, ErrorsNameWhatIsWrong) {
  auto message = [](System s) {
    try {
      check(s);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  System s = crane();
  EXPECT_EQ(message(s), "");
  s.kinetic = pow(at(s.coordinates[0], 1), 3.0);
  EXPECT_EQ(message(s), "kinetic energy: not quadratic in the velocities");
  s = crane();
  s.potential = at(s.coordinates[1], 1);
  EXPECT_EQ(message(s), "potential energy: contains a velocity");
  s = crane();
  s.constraints[0].expr = at(s.coordinates[1], 1);
  EXPECT_EQ(message(s), "constraint \"cable\": contains a velocity; say level = \"velocity\"");
  s.constraints[0].expr = s.graph.time();
  EXPECT_EQ(message(s), "constraint \"cable\": contains no coordinate");
  s.constraints[0] = {"roll", squared(at(s.coordinates[1], 1)), Level::velocity, s.constraints[0].multiplier, 0.0};
  EXPECT_EQ(message(s), "constraint \"roll\": must be linear in the velocities");
  s = crane();
  s.add_coordinate("idle");
  for (Input& u : s.inputs) u.direction.push_back(0.0);
  EXPECT_EQ(message(s), "coordinate \"idle\" appears in no equation");
}

TEST(Reduce, KeepsConstraintsThatTheMapDoesNotSatisfy) {
  System s = crane();
  s.add_constraint("stop", positions(s)[0] - 1.0);
  const Reduced r = reduce(s, sway(s));
  ASSERT_EQ(r.system.constraints.size(), 1U);
  EXPECT_EQ(r.system.constraints[0].name, "stop");
}

TEST(Reduce, VirtualPowerIsTheSame) {
  // f·v = f_μ·μ' for every force and input direction: the projection is the transposed velocity map.
  const System s = crane();
  const Mapping map = sway(s);
  const Reduced r = reduce(s, map);
  const Exprs v = ddt(map.image);
  Expr before = 0.0, after = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) before += s.inputs[1].direction[i] * v[i];
  for (std::size_t j = 0; j < map.coordinates.size(); ++j)
    after += r.system.inputs[1].direction[j] * at(map.coordinates[j], 1);
  StateFunction both(r.system, Exprs{before, after});
  const auto value = both({.t = 0.0, .q = {0.1, 3.0, 0.4}, .v = {1.0, -2.0, 0.5}, .a = {}, .lambda = {}});
  EXPECT_NEAR(value[0], value[1], 1e-14);
}

}  // namespace
}  // namespace invar
