// The energy-momentum scheme in quaternions, for one body that floats freely or turns about a fixed point
// [R. Siebert, Mechanical integrators for the optimal control in multibody dynamics, Univ. Siegen 2012, ch. 5, with the
// conjugation C that is missing in print; P. Betsch, R. Siebert, Int. J. Numer. Meth. Engng 79 (2009) 444].
//
// With E₁ = [-q_v, q₀I + [q_v]×], E₂ = [-q_v, q₀I - [q_v]×], R = E₁E₂ᵀ, Ω = 2E₂q', Q(q) = [q E₂ᵀ], J₄ = diag(½ tr J,
// J), C = diag(1, -1, -1, -1), momentum p and π = Q(q)ᵀp = (0, 2JΩ):
//
//   q₁ - q₀ =  h/8 Q(q_m) J₄⁻¹ (π₀ + π₁)
//   p₁ - p₀ = -h/8 Q(p_m) C J₄⁻¹ (π₀ + π₁) - h DV - h γ q_m,      ½ (q₁·q₁ - 1) = 0
//
// Quaternions count from the orientation at the start, which a node carries together with q and p: there is no
// orientation at which they could not begin.
#include <Eigen/Core>
#include <Eigen/LU>
#include <array>
#include <limits>

#include "invar/base/error.h"
#include "invar/expr/discrete.h"
#include "invar/scheme/lie.h"
#include "invar/scheme/table.h"

namespace invar {

namespace {

using Matrix3 = Eigen::Matrix3d;
using Vector3 = Eigen::Vector3d;
using Four = std::array<std::array<Expr, 4>, 4>;  // rows

[[noreturn]] void refuse() {
  throw InputError(
      "quaternion-energy-momentum: for one body that floats freely or has one spherical joint with the ground, without "
      "forces other than gravity and springs; try energy-momentum");
}

// The body, the point about which it turns, and its inertia there.
struct Top {
  const RigidBody& body;
  bool fixed = false;
  Vector3 arm = Vector3::Zero();  // from the centre of mass to the fixed point, body axes
  Exprs point;                    // the fixed point
  Matrix3 inertia;
};

bool is_zero(const Exprs& f) {
  for (const Expr& x : f)
    if (!x.is_constant(0.0)) return false;
  return true;
}

Top top_of(const Equations& e) {
  if (e.bodies.size() != 1 || e.bodies[0].point || e.bodies[0].dimension != 3 || e.q.size() != 12 ||
      !is_zero(e.applied))
    refuse();
  Top top{e.bodies[0], false, Vector3::Zero(), {}, Matrix3::Zero()};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) top.inertia(i, j) = top.body.inertia[static_cast<std::size_t>(3 * i + j)];
  const std::vector<std::size_t> joints = LieBodies(e).joints();
  if (joints.empty()) return top;
  if (joints.size() != 3) refuse();
  top.fixed = true;
  for (int c = 0; c < 3; ++c) {
    // sign · (φ_c + Σ ρ_i d_ic - point_c) = 0
    const auto row = static_cast<int>(joints[static_cast<std::size_t>(c)]);
    const Expr sign = e.gradient.at(row, c);
    if (e.level[static_cast<std::size_t>(row)] != Level::position || !sign.is_constant() || sign.is_constant(0.0))
      refuse();
    for (int i = 0; i < 3; ++i) {
      const Expr rho = e.gradient.at(row, 3 + 3 * i + c);
      if (!rho.is_constant()) refuse();
      top.arm[i] = rho.value() / sign.value();
    }
    const Expr at_zero = substitute(e.constraint[static_cast<std::size_t>(row)], e.q, Exprs(12, 0.0));
    if (!at_zero.is_constant()) refuse();
    top.point.push_back(-at_zero.value() / sign.value());
  }
  top.inertia += top.body.mass * (top.arm.squaredNorm() * Matrix3::Identity() - top.arm * top.arm.transpose());
  return top;
}

// [q E₂ᵀ]
Four left(const Exprs& q) {
  return {
      {{q[0], -q[1], -q[2], -q[3]}, {q[1], q[0], -q[3], q[2]}, {q[2], q[3], q[0], -q[1]}, {q[3], -q[2], q[1], q[0]}}};
}

Exprs times(const Four& a, const Exprs& x, bool transposed = false) {
  Exprs y(4, 0.0);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) y[i] += (transposed ? a[j][i] : a[i][j]) * x[j];
  return y;
}

// Columns of R(q), without assuming unit length: quadratic in q.
std::array<Exprs, 3> rotation(const Exprs& q) {
  const Expr &a = q[0], &b = q[1], &c = q[2], &d = q[3];
  return {Exprs{a * a + b * b - c * c - d * d, 2.0 * (b * c + a * d), 2.0 * (b * d - a * c)},
          Exprs{2.0 * (b * c - a * d), a * a - b * b + c * c - d * d, 2.0 * (c * d + a * b)},
          Exprs{2.0 * (b * d + a * c), 2.0 * (c * d - a * b), a * a - b * b - c * c + d * d}};
}

// All coordinates from the quaternion, the orientation at the start (by columns) and the centre of mass if that is
// free.
Exprs placed(const Top& top, const Exprs& quaternion, const Exprs& start, const Exprs& centre) {
  const std::array<Exprs, 3> r = rotation(quaternion);
  Exprs q(12, 0.0);
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t i = 0; i < 3; ++i) q[3 + 3 * j + c] += start[3 * i + c] * r[j][i];
  for (std::size_t c = 0; c < 3; ++c) {
    q[c] = top.fixed ? top.point[c] : centre[c];
    for (std::size_t j = 0; j < 3 && top.fixed; ++j) q[c] -= top.arm[static_cast<Eigen::Index>(j)] * q[3 + 3 * j + c];
  }
  return q;
}

// A node carries quaternion, momentum and the orientation at the start.
Exprs start(const Equations& e, const Expr&) {
  const Top top = top_of(e);
  const Exprs nu = LieBodies(e).speeds_of(e.q, e.v);
  Exprs carried = {1.0, 0.0, 0.0, 0.0, 0.0};
  for (int i = 0; i < 3; ++i) {
    Expr p = 0.0;
    for (int j = 0; j < 3; ++j) p += 2.0 * top.inertia(i, j) * nu[static_cast<std::size_t>(3 + j)];
    carried.push_back(p);
  }
  carried.insert(carried.end(), e.q.begin() + 3, e.q.end());
  return carried;
}

Residual residual(const Equations& e, Interval& step, const SchemeOptions&) {
  const Top top = top_of(e);
  const Node& n0 = step.n0;
  Node& n1 = step.n1;
  const Expr h = step.h;
  auto part = [&](std::size_t first, std::size_t count) {
    return Exprs(n0.carried.begin() + static_cast<std::ptrdiff_t>(first),
                 n0.carried.begin() + static_cast<std::ptrdiff_t>(first + count));
  };
  const Exprs q0 = part(0, 4), p0 = part(4, 4), start_axes = part(8, 9);
  const Exprs q1 = step.unknowns(Kind::position, q0), p1 = step.unknowns(Kind::velocity, p0);
  const Expr gamma = step.unknowns(Kind::multiplier, {0.0}).front();
  Exprs centre0(n0.q.begin(), n0.q.begin() + 3), centre1 = centre0, speed1;
  if (!top.fixed) {
    centre1 = step.unknowns(Kind::position, centre0);
    for (std::size_t c = 0; c < 3; ++c) speed1.push_back(2.0 / h * (centre1[c] - centre0[c]) - n0.v[c]);
  }
  const Exprs qm = mean(q0, q1), pm = mean(p0, p1);
  Exprs pi = times(left(q0), p0, true);
  const Exprs pi1 = times(left(q1), p1, true);
  for (std::size_t i = 0; i < 4; ++i) pi[i] += pi1[i];

  const Matrix3 inverse = top.inertia.inverse();
  auto over_inertia = [&](const Exprs& x) {
    Exprs y = {x[0] / (0.5 * top.inertia.trace()), 0.0, 0.0, 0.0};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        y[i + 1] += inverse(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) * x[j + 1];
    return y;
  };
  const Exprs w = over_inertia(pi);
  const Exprs kinematics = times(left(qm), w), gyration = times(left(pm), {w[0], -w[1], -w[2], -w[3]});

  // V as a formula of the quaternion, and of the centre of mass if that is free.
  Exprs x0 = q0, x1 = q1;
  if (!top.fixed) {
    x0.insert(x0.end(), centre0.begin(), centre0.end());
    x1.insert(x1.end(), centre1.begin(), centre1.end());
  }
  // The unknowns themselves serve as the variables of V.
  const Exprs at_x = placed(top, q1, start_axes, centre1);
  const Expr potential = substitute(e.potential, e.q, at_x);
  const Exprs slope = discrete_gradient(potential, x1, x0, x1);

  Residual r;
  for (std::size_t i = 0; i < 4; ++i)
    r.add("turning of the body " + std::to_string(i + 1), q1[i] - q0[i] - h / 8.0 * kinematics[i]);
  for (std::size_t i = 0; i < 4; ++i)
    r.add("angular momentum of the body " + std::to_string(i + 1),
          p1[i] - p0[i] + h / 8.0 * gyration[i] + h * slope[i] + h * gamma * qm[i]);
  r.add("length of the quaternion", 0.5 * (q1[0] * q1[0] + q1[1] * q1[1] + q1[2] * q1[2] + q1[3] * q1[3] - 1.0));
  for (std::size_t c = 0; c < 3 && !top.fixed; ++c)
    r.add("momentum of the body " + std::to_string(c + 1), top.body.mass * (speed1[c] - n0.v[c]) + h * slope[4 + c]);

  n1.q = placed(top, q1, start_axes, centre1);
  const Exprs omega = over_inertia(pi1);
  const LieBodies bodies(e);
  Exprs nu = {0.0, 0.0, 0.0, 0.5 * omega[1], 0.5 * omega[2], 0.5 * omega[3]};
  for (std::size_t c = 0; c < 3 && !top.fixed; ++c) nu[c] = speed1[c];
  n1.v = bodies.rates(n1.q, nu);
  for (std::size_t c = 0; c < 3 && top.fixed; ++c)
    for (std::size_t j = 0; j < 3; ++j) n1.v[c] -= top.arm[static_cast<Eigen::Index>(j)] * n1.v[3 + 3 * j + c];
  n1.lambda = Exprs(n0.lambda.size(), std::numeric_limits<double>::quiet_NaN());
  n1.carried = q1;
  n1.carried.insert(n1.carried.end(), p1.begin(), p1.end());
  n1.carried.insert(n1.carried.end(), start_axes.begin(), start_axes.end());
  return r;
}

}  // namespace

const Scheme quaternion_energy_momentum = {{.name = "quaternion-energy-momentum",
                                            .title = "energy-momentum scheme in quaternions, for one body",
                                            .source = "Betsch, Siebert 2009",
                                            .order = 2,
                                            .energy = true,
                                            .momentum = true,
                                            .symmetric = true,
                                            .open_chains = true,
                                            .own_unknowns = true},
                                           start,
                                           residual};

}  // namespace invar
