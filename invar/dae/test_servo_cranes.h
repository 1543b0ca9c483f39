// Further cranes with prescribed outputs, for tests of index reduction; data and conventions of Y. Yang, Numerical
// methods for the inverse dynamics simulation of underactuated mechanical systems (KIT 2017), sections 5.3.2, 5.4.4 and
// 6.1.2.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "invar/dae/test_servo_systems.h"

namespace invar::test {

// Run-up, uniform motion and run-out between two states of rest: c = (7 t⁵/T0⁴ - 14 t⁶/T0⁵ + 10 t⁷/T0⁶ - 5/2 t⁸/T0⁷)/(T
// - T0) for t < T0, then (t - T0/2)/(T - T0), and 1 - c(T - t) for t > T - T0.
class ThreePhases : public TimeFunction {
 public:
  ThreePhases(double from, double to, double duration, double ramp)
      : from_(from), to_(to), duration_(duration), ramp_(ramp) {}

  void series(double t, Side side, std::span<double> out) const override {
    for (double& c : out) c = 0.0;
    const auto past = [&](double knot) { return t > knot || (t == knot && side == Side::right); };
    const bool late = past(duration_ - ramp_);
    out[0] = late ? to_ : from_;
    if (!past(0.0) || past(duration_)) return;
    std::vector<double> c = {0, 0, 0, 0, 0, 7, -14, 10, -2.5};
    for (std::size_t k = 5; k < c.size(); ++k)
      c[k] /= std::pow(ramp_, static_cast<double>(k - 1)) * (duration_ - ramp_);
    double w = late ? duration_ - t : t;
    if (past(ramp_) && !late) {
      c = {0.0, 1.0 / (duration_ - ramp_)};
      w = t - ramp_ / 2;
    }
    for (std::size_t k = 0; k < c.size(); ++k)
      for (std::size_t i = c.size() - 1; i-- > k;) c[i] += w * c[i + 1];
    double factor = late ? from_ - to_ : to_ - from_;
    for (std::size_t k = 0; k < out.size() && k < c.size(); ++k) {
      out[k] += factor * c[k];
      if (late) factor = -factor;
    }
  }
  std::vector<double> knots() const override { return {0.0, ramp_, duration_ - ramp_, duration_}; }
  int smoothness() const override { return 4; }
  std::string describe() const override { return "three phases"; }

 private:
  double from_, to_, duration_, ramp_;
};

// Targets of a load that is moved from (5, 0, -5) to (-2, 2, -2).
inline std::vector<ServoTarget> rotary_targets(const System& s, const Expr& x, const Expr& y, const Expr& z) {
  const auto target = [&](const std::string& name, const Expr& expr, double from, double to) {
    const Reference r = {name, s.graph.reference(name),
                         std::make_shared<ThreePhases>(from, to, RotaryCraneData{}.duration, 5.0)};
    return ServoTarget{name, expr, {r}};
  };
  return {target("x", x, 5.0, -2.0), target("y", y, 0.0, 2.0), target("z", z, -5.0, -2.0)};
}

// Unknowns phi, s, l, x, y, z, λ, Mb, Ft, Mw.
inline ServoModel rotary_crane_model() {
  const RotaryCraneData d;
  System sys;
  for (const char* name : {"phi", "s", "l", "x", "y", "z"}) sys.add_coordinate(name);
  const Exprs q = positions(sys), v = velocities(sys);
  sys.kinetic = 0.5 * ((d.Jb + d.mt * squared(q[1])) * squared(v[0]) + d.mt * squared(v[1]) +
                       d.Jw / (d.r * d.r) * squared(v[2]) + d.m * (squared(v[3]) + squared(v[4]) + squared(v[5])));
  sys.potential = d.m * d.g * q[5];
  sys.add_constraint("cable", 0.5 * (squared(q[3] - q[1] * cos(q[0])) + squared(q[4] - q[1] * sin(q[0])) +
                                     squared(q[5]) - squared(q[2])));
  sys.add_input("Mb", {1.0, 0.0, 0.0, 0.0, 0.0, 0.0});
  sys.add_input("Ft", {0.0, 1.0, 0.0, 0.0, 0.0, 0.0});
  sys.add_input("Mw", {0.0, 0.0, 1.0 / d.r, 0.0, 0.0, 0.0});
  return {sys, rotary_targets(sys, q[3], q[4], q[5]),
          guess_of({0.0, 5.0, 5.0, 5.0, 0.0, -5.0, 196.2, 0.0, 0.0, -98.1})};
}

inline ServoProblem rotary_crane_dependent() { return rotary_crane_model().problem(); }

// Ten coordinates, singular mass matrix; unknowns x2, y2, x0, y0, L1, L2, L0, x, y, z, λ of five constraints, F1, F2,
// Mb.
inline ServoProblem rotary_crane_redundant() {
  constexpr double m = 100, m0 = 10, M = 30, r = 4, Jw = 0.1, rw = 0.1, alpha = 0.5, gravity = 9.81;
  System sys;
  for (const char* name : {"x2", "y2", "x0", "y0", "L1", "L2", "L0", "x", "y", "z"}) sys.add_coordinate(name);
  const Exprs q = positions(sys), v = velocities(sys);
  sys.kinetic = 0.5 * (M * (squared(v[0]) + squared(v[1])) + m0 * (squared(v[2]) + squared(v[3])) +
                       Jw / (rw * rw) * squared(v[4] - v[5]) + m * (squared(v[7]) + squared(v[8]) + squared(v[9])));
  sys.potential = m * gravity * q[9];
  sys.add_constraint("winch 1", 0.5 * (squared(q[2] - alpha * q[0]) + squared(q[3] - alpha * q[1]) - squared(q[4])));
  sys.add_constraint("trolley", 0.5 * (squared(q[2] - q[0]) + squared(q[3] - q[1]) - squared(q[6])));
  sys.add_constraint("boom", 0.5 * (squared(q[0]) + squared(q[1]) - r * r));
  sys.add_constraint("line", q[0] * q[3] - q[2] * q[1]);
  sys.add_constraint("cable",
                     0.5 * (squared(q[7] - q[2]) + squared(q[8] - q[3]) + squared(q[9]) - squared(q[5] - q[6])));
  Exprs f1(10, 0.0), f2(10, 0.0), torque(10, 0.0);
  f1[4] = 1.0;
  f2[5] = 1.0;
  torque[0] = -q[1] / (r * r);
  torque[1] = q[0] / (r * r);
  sys.add_input("F1", f1);
  sys.add_input("F2", f2);
  sys.add_input("Mb", torque);
  return {servo(sys, rotary_targets(sys, q[7], q[8], q[9])),
          guess_of({-4, 0, 5, 0, 7, 14, 9, 5, 0, -5, 0, 109, 0, 0, m * gravity / 5, 0, -m * gravity, 0})};
}

// Planar crane with three winches and a heavy pulley; unknowns L1, L2, L3, L0, x0, x, z, z0, λ of four cables, u1, u2,
// u3.
inline ServoProblem navy_crane_planar() {
  constexpr double m = 100, m0 = 150, J = 0.1, r = 0.1, s = 5, l = 10, T = 3, gravity = 9.81;
  const double sa = std::sqrt(3.0) / 2, ca = 0.5;
  System sys;
  for (const char* name : {"L1", "L2", "L3", "L0", "x0", "x", "z", "z0"}) sys.add_coordinate(name);
  const Exprs q = positions(sys), v = velocities(sys);
  const Expr &x0 = q[4], &x = q[5], &z = q[6], &z0 = q[7];
  sys.kinetic = 0.5 * (J / (r * r) * (squared(v[0]) + squared(v[1]) + squared(v[2])) +
                       m0 * (squared(v[4]) + squared(v[7])) + m * (squared(v[5]) + squared(v[6])));
  sys.potential = m * gravity * z + m0 * gravity * z0;
  sys.add_constraint("1", 0.5 * (squared(x0 + (l + s) * sa) + squared(z0 + (l + s) * ca) - squared(q[0])));
  sys.add_constraint("2", 0.5 * (squared(x0 + s * sa) + squared(z0 + s * ca) - squared(q[3])));
  sys.add_constraint("3", 0.5 * (squared(x0) + squared(z0) - squared(q[2])));
  sys.add_constraint("4", 0.5 * (squared(x - x0) + squared(z - z0) - squared(q[1] - q[3])));
  for (std::size_t k = 0; k < 3; ++k) {
    Exprs direction(8, 0.0);
    direction[k] = 1.0 / r;
    sys.add_input("u" + std::to_string(k + 1), direction);
  }
  const double a = -2.5 * std::sqrt(3.0);
  const std::vector<ServoTarget> targets = {{"x", x, {rest_to_rest(sys.graph, "x", a, -1.0, T)}},
                                            {"z", z, {rest_to_rest(sys.graph, "z", -22.5, -17.5, T)}},
                                            {"z0", z0, {rest_to_rest(sys.graph, "z0", -12.5, -10.5, T)}}};
  return {servo(sys, targets),
          guess_of({10, 20, std::sqrt(175.0), 10, a, a, -22.5, -12.5, 10, 98.1, 110, 98.1, -10, -98.1, -150})};
}

}  // namespace invar::test
