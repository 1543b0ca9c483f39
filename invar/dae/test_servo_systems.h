// Servo-constraint problems with known answers, for the tests of inversion.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "invar/dae/dae.h"
#include "invar/dae/jet.h"
#include "invar/expr/derivative.h"
#include "invar/system/equations.h"

namespace invar::test {

// γ = from + (to - from) c((t - start)/duration), c = 126T⁵ - 420T⁶ + 540T⁷ - 315T⁸ + 70T⁹, at rest before and after.
class RestToRest : public TimeFunction {
 public:
  RestToRest(double from, double to, double duration, double start = 0.0)
      : from_(from), to_(to), duration_(duration), start_(start) {}

  void series(double t, Side side, std::span<double> out) const override {
    for (double& c : out) c = 0.0;
    const double T = (t - start_) / duration_;
    const bool before = T < 0.0 || (T == 0.0 && side == Side::left),
               after = T > 1.0 || (T == 1.0 && side == Side::right);
    out[0] = before ? from_ : to_;
    if (before || after) return;
    // The second half from its end, c(T) = 1 - c(1-T): large coefficients would cancel there.
    const bool late = T > 0.5;
    std::vector<double> c = {0, 0, 0, 0, 0, 126, -420, 540, -315, 70};
    for (std::size_t k = 0; k < c.size(); ++k)
      for (std::size_t i = c.size() - 1; i-- > k;) c[i] += (late ? 1.0 - T : T) * c[i + 1];
    double sign = late ? -1.0 : 1.0, scale = to_ - from_;
    out[0] = late ? to_ : from_;
    for (std::size_t k = 0; k < out.size() && k < c.size(); ++k) {
      out[k] += sign * scale * c[k];
      scale /= duration_;
      if (late) sign = -sign;
    }
  }
  std::vector<double> knots() const override { return {start_, start_ + duration_}; }
  int smoothness() const override { return 4; }
  std::string describe() const override { return "5-6-7-8-9 polynomial"; }

 private:
  double from_, to_, duration_, start_;
};

struct ServoProblem {
  Dae dae;
  Jet guess;  // roughly the start
};

// The same before it becomes a Dae.
struct ServoModel {
  System system;
  std::vector<ServoTarget> targets;
  Jet guess;

  ServoProblem problem() const { return {servo(system, targets), guess}; }
};

inline Expr squared(const Expr& x) { return pow(x, 2.0); }

inline Reference rest_to_rest(const Graph& graph, const std::string& name, double from, double to, double duration) {
  return {name, graph.reference(name), std::make_shared<RestToRest>(from, to, duration)};
}

inline Jet guess_of(const std::vector<double>& values) {
  Jet jet;
  for (const double x : values) jet.x.push_back({x});
  return jet;
}

// Planar overhead crane [Y. Yang, KIT 2017, sec. 5.3.1].
struct OverheadCraneData {
  double mt = 10.0, m = 100.0, J = 0.1, r = 0.1, g = 9.81, duration = 3.0;
};

inline std::vector<ServoTarget> overhead_targets(const System& s, const Expr& x, const Expr& z, double down = 1.0) {
  const double duration = OverheadCraneData{}.duration;
  return {{"load_x", x, {rest_to_rest(s.graph, "load_x", 0.0, 5.0, duration)}},
          {"load_z", z, {rest_to_rest(s.graph, "load_z", -4.0 * down, -1.0 * down, duration)}}};
}

// Redundant coordinates s, l, x, z with the cable as a constraint; unknowns s, l, x, z, λ, F, M.
inline ServoModel overhead_crane_model() {
  const OverheadCraneData d;
  System s;
  for (const char* name : {"s", "l", "x", "z"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * d.mt * squared(v[0]) + 0.5 * d.J / (d.r * d.r) * squared(v[1]) +
              0.5 * d.m * (squared(v[2]) + squared(v[3]));
  s.potential = d.m * d.g * q[3];
  s.add_constraint("cable", 0.5 * (squared(q[2] - q[0]) + squared(q[3]) - squared(q[1])));
  s.add_input("F", {1.0, 0.0, 0.0, 0.0});
  s.add_input("M", {0.0, 1.0 / d.r, 0.0, 0.0});
  return {s, overhead_targets(s, q[2], q[3]), guess_of({0.0, 4.0, 0.0, -4.0, 245.0, 0.0, -98.0})};
}

inline ServoProblem overhead_crane() { return overhead_crane_model().problem(); }

// Minimal coordinates hide that the load obeys x'' = -λ(x-s)/m: all codings have a singular structural Jacobian.
enum class CraneCoding {
  minimal,      // s, l, φ
  winch_angle,  // s, β = l/r, φ, height counted downwards
  mixed,        // three linear combinations of s, l, φ
  solved,       // adj(M)(M q'' - h - Bᵀu) = 0: every row contains every acceleration
  momenta,      // s, l, φ and p = M q', first order
};

// Unknowns: three coordinates (and three momenta), F, M. `coordinates` returns s, l, φ as formulas.
struct MinimalCrane {
  ServoProblem problem;
  Exprs slphi;
};

inline System minimal_crane_system(CraneCoding coding, Exprs& slphi) {
  const OverheadCraneData d;
  System sys;
  for (const char* name : {"a", "b", "c"}) sys.add_coordinate(name);
  const Exprs q = positions(sys);
  slphi = q;
  if (coding == CraneCoding::winch_angle) slphi = {q[0], d.r * q[1], q[2]};
  if (coding == CraneCoding::mixed)
    slphi = {q[0] + 0.5 * q[1] - 0.3 * q[2], 2.0 + 0.4 * q[0] + q[1] + 0.2 * q[2], 0.1 * q[0] - 0.2 * q[1] + q[2]};
  const Expr x = slphi[0] + slphi[1] * sin(slphi[2]), z = -slphi[1] * cos(slphi[2]);
  sys.kinetic = 0.5 * d.mt * squared(ddt(slphi[0])) + 0.5 * d.J / (d.r * d.r) * squared(ddt(slphi[1])) +
                0.5 * d.m * (squared(ddt(x)) + squared(ddt(z)));
  sys.potential = d.m * d.g * z;
  const SparseExprs directions = jacobian(slphi, q);
  Exprs F, M;
  for (int j = 0; j < 3; ++j) {
    F.push_back(directions.at(0, j));
    M.push_back(directions.at(1, j) / d.r);
  }
  sys.add_input("F", F);
  sys.add_input("M", M);
  return sys;
}

inline void replace_by_solved(Dae& dae, const System& sys) {
  const Exprs f = {dae.equations[0].expr, dae.equations[1].expr, dae.equations[2].expr};
  const SparseExprs M = jacobian(f, accelerations(sys));
  const auto cofactor = [&](int i, int j) {
    const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, e = (j + 2) % 3;
    return M.at(a, c) * M.at(b, e) - M.at(a, e) * M.at(b, c);
  };
  for (int j = 0; j < 3; ++j) {
    Expr row = 0.0;
    for (int i = 0; i < 3; ++i) row += cofactor(i, j) * f[static_cast<std::size_t>(i)];
    dae.equations[static_cast<std::size_t>(j)].expr = row;
  }
}

inline void replace_by_momenta(Dae& dae, const System& sys) {
  const Exprs v = velocities(sys);
  std::vector<DaeUnknown> momenta;
  for (std::size_t i = 0; i < 3; ++i) {
    const Variable p = dae.graph.variable("p" + std::to_string(i));
    const Expr T_v = jacobian({&sys.kinetic, 1}, {&v[i], 1}).at(0, 0);
    dae.equations[i].expr += at(p, 1) - ddt(T_v);
    dae.equations.push_back({"momentum " + std::to_string(i), at(p) - T_v, EquationKind::dynamics});
    momenta.push_back({p.name(), p, UnknownKind::coordinate});
  }
  dae.unknowns.insert(dae.unknowns.begin() + 3, momenta.begin(), momenta.end());
}

inline MinimalCrane overhead_crane(CraneCoding coding) {
  const OverheadCraneData d;
  MinimalCrane crane;
  const System sys = minimal_crane_system(coding, crane.slphi);
  const Expr x = crane.slphi[0] + crane.slphi[1] * sin(crane.slphi[2]), z = -crane.slphi[1] * cos(crane.slphi[2]);
  const double down = coding == CraneCoding::winch_angle ? -1.0 : 1.0;
  crane.problem.dae = servo(sys, overhead_targets(sys, x, down * z, down));
  std::vector<double> start = {0.0, 4.0, 0.0, 0.0, -98.0};
  if (coding == CraneCoding::winch_angle) start[1] = 4.0 / d.r;
  if (coding == CraneCoding::mixed) start = {-1.0, 2.0, 0.5, 0.0, -98.0};
  if (coding == CraneCoding::solved) replace_by_solved(crane.problem.dae, sys);
  if (coding == CraneCoding::momenta) {
    replace_by_momenta(crane.problem.dae, sys);
    start.insert(start.begin() + 3, 3, 0.0);
  }
  crane.problem.guess = guess_of(start);
  return crane;
}

// Rotary crane in minimal coordinates φ, s, l, θ1, θ2 [Y. Yang, KIT 2017, sec. 5.3.2].
struct RotaryCraneData {
  double m = 100.0, mt = 10.0, Jb = 480.0, Jw = 0.1, r = 0.1, g = 9.81, duration = 20.0;
};

inline ServoProblem rotary_crane_minimal() {
  const RotaryCraneData d;
  System s;
  for (const char* name : {"phi", "s", "l", "theta1", "theta2"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  const Expr radial = q[1] + q[2] * sin(q[4]), sideways = q[2] * cos(q[4]) * sin(q[3]);
  const Exprs load = {radial * cos(q[0]) + sideways * sin(q[0]), radial * sin(q[0]) - sideways * cos(q[0]),
                      -q[2] * cos(q[4]) * cos(q[3])};
  s.kinetic = 0.5 * (d.Jb + d.mt * squared(q[1])) * squared(v[0]) + 0.5 * d.mt * squared(v[1]) +
              0.5 * d.Jw / (d.r * d.r) * squared(v[2]);
  for (const Expr& x : load) s.kinetic += 0.5 * d.m * squared(ddt(x));
  s.potential = d.m * d.g * load[2];
  s.add_input("Mb", {1.0, 0.0, 0.0, 0.0, 0.0});
  s.add_input("Ft", {0.0, 1.0, 0.0, 0.0, 0.0});
  s.add_input("Mw", {0.0, 0.0, 1.0 / d.r, 0.0, 0.0});
  const std::vector<ServoTarget> targets = {{"x", load[0], {rest_to_rest(s.graph, "x", 5.0, -2.0, d.duration)}},
                                            {"y", load[1], {rest_to_rest(s.graph, "y", 0.0, 2.0, d.duration)}},
                                            {"z", load[2], {rest_to_rest(s.graph, "z", -5.0, -2.0, d.duration)}}};
  return {servo(s, targets), guess_of({0.0, 5.0, 5.0, 0.0, 0.0, 0.0, 0.0, -98.1})};
}

// n equal masses in a row joined by springs, a force on the first, the last shall follow. In dense coordinates the
// displacements are combinations of all coordinates.
struct ChainData {
  double m = 1.0, stiffness = 10.0, duration = 3.0;
};

inline ServoProblem spring_chain(int n, bool dense) {
  const ChainData d;
  System s;
  for (int i = 0; i < n; ++i) s.add_coordinate("q" + std::to_string(i + 1));
  const Exprs q = positions(s);
  Exprs x = q, direction(static_cast<std::size_t>(n), 0.0);
  direction[0] = 1.0;
  for (std::size_t i = 0; dense && i < x.size(); ++i) {
    x[i] = 0.0;
    for (std::size_t j = 0; j < q.size(); ++j) {
      const double factor = std::cos(3.1 * static_cast<double>(i + 1) * (static_cast<double>(j) + 0.4) / n);
      x[i] += factor * q[j];
      if (i == 0) direction[j] = factor;
    }
  }
  s.kinetic = 0.0;
  s.potential = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    s.kinetic += 0.5 * d.m * squared(ddt(x[i]));
    if (i > 0) s.potential += 0.5 * d.stiffness * squared(x[i] - x[i - 1]);
  }
  s.add_input("F", direction);
  const std::vector<ServoTarget> targets = {{"end", x.back(), {rest_to_rest(s.graph, "end", 0.0, 1.0, d.duration)}}};
  return {servo(s, targets), guess_of(std::vector<double>(static_cast<std::size_t>(n) + 1, 0.0))};
}

// Two homogeneous links (1 m, 1 kg) on a horizontal plane, torque at the first joint, spring (50) and damper (0.25) in
// the second; the output a + share·b is the direction of the tip for share = 1/2. With b alone, (1/3 - 5/6 share) b'' +
// 0.25 b' + 50 b = 0 near rest: unstable beyond share = 0.4.
inline ServoProblem elastic_arm(double share, double angle = 1.0, double duration = 1.5) {
  System s;
  for (const char* name : {"a", "b"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  const Expr second = v[0] + v[1];
  s.kinetic = 0.5 / 3.0 * squared(v[0]) + 0.5 / 12.0 * squared(second) +
              0.5 * (squared(v[0]) + 0.25 * squared(second) + cos(q[1]) * v[0] * second);
  s.potential = 25.0 * squared(q[1]);
  s.forces[1] = -0.25 * v[1];
  s.add_input("torque", {1.0, 0.0});
  const std::vector<ServoTarget> targets = {
      {"tip", q[0] + share * q[1], {rest_to_rest(s.graph, "tip", 0.0, angle, duration)}}};
  return {servo(s, targets), guess_of({0.0, 0.0, 0.0})};
}

}  // namespace invar::test
