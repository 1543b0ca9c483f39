// See lie.h. Maps and derivatives in closed form, with Stumpff functions c_k in place of sin f/f and its like (K =
// [a]×, f = |a|):
//
//   exp a = I + c₁(f²) K + c₂(f²) K²                       cay a = I + c K + c/2 K²,  c = 4/(4 + f²)
//   dexp⁻¹_a = I - K/2 + (c₂ - c₃)/(4 c₁) K² at f²/4       dcay⁻¹_a = I - K/2 + ¼ a aᵀ
//
// [E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed. 2006, sec. IV.7-8]
#include "invar/scheme/lie.h"

#include <algorithm>
#include <array>
#include <set>

#include "invar/expr/vec.h"

namespace invar {

namespace {

Vec part(const Exprs& x, std::size_t first) { return {x[first], x[first + 1], x[first + 2]}; }

Rows combination(const Expr& one, const Expr& first, const Expr& second, const Rows& k) {
  const Rows k2 = times(k, k);
  Rows c;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) c[i][j] = (i == j ? one : Expr(0.0)) + first * k[i][j] + second * k2[i][j];
  return c;
}

Rows rotation(const Vec& a, RotationMap map) {
  const Expr s = dot(a, a);
  if (map == RotationMap::exponential) return combination(1.0, stumpff(1, s), stumpff(2, s), skew(a));
  const Expr c = 4.0 / (4.0 + s);
  return combination(1.0, c, 0.5 * c, skew(a));
}

// sin and cos of a plane rotation.
std::array<Expr, 2> plane_rotation(const Expr& a, RotationMap map) {
  if (map == RotationMap::exponential) return {sin(a), cos(a)};
  const Expr s = 0.25 * pow(a, 2.0);
  return {a / (1.0 + s), (1.0 - s) / (1.0 + s)};
}

// x + sign/2 a × x + (rest of dmap⁻¹, which is symmetric)
Vec inverse_derivative(const Vec& a, const Vec& x, RotationMap map, double sign) {
  const Vec first = cross(a, x);
  Vec rest;
  if (map == RotationMap::exponential) {
    const Expr s = 0.25 * dot(a, a);
    const Expr c = (stumpff(2, s) - stumpff(3, s)) / (4.0 * stumpff(1, s));
    const Vec second = cross(a, first);
    rest = {c * second[0], c * second[1], c * second[2]};
  } else {
    const Expr c = 0.25 * dot(a, x);
    rest = {c * a[0], c * a[1], c * a[2]};
  }
  return {x[0] + 0.5 * sign * first[0] + rest[0], x[1] + 0.5 * sign * first[1] + rest[1],
          x[2] + 0.5 * sign * first[2] + rest[2]};
}

Expr plane_inverse_derivative(const Expr& a, const Expr& x, RotationMap map) {
  return map == RotationMap::exponential ? x : (1.0 + 0.25 * pow(a, 2.0)) * x;
}

void put(Exprs& x, std::size_t first, const Vec& v) {
  std::copy(v.begin(), v.end(), x.begin() + static_cast<std::ptrdiff_t>(first));
}

// Column j of R m.
Vec column(const Exprs& q, std::size_t first, const Rows& m, std::size_t j) {
  Vec c = {0.0, 0.0, 0.0};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) c[k] += q[first + 3 * i + k] * m[i][j];
  return c;
}

// ½(d_i·d_i - 1) and d_i·d_j of a body; equal formulas are one node of the graph.
Exprs rigidity(const Exprs& q, const RigidBody& body) {
  Exprs f;
  if (body.point) return f;
  const auto n = static_cast<std::size_t>(body.dimension);
  auto director = [&](std::size_t i) {
    Vec d = {0.0, 0.0, 0.0};
    for (std::size_t c = 0; c < n; ++c) d[c] = q[body.first + n * (i + 1) + c];
    return d;
  };
  for (std::size_t i = 0; i < n; ++i) {
    f.push_back(0.5 * (dot(director(i), director(i)) - 1.0));
    for (std::size_t j = i + 1; j < n; ++j) f.push_back(dot(director(i), director(j)));
  }
  return f;
}

}  // namespace

LieBodies::LieBodies(const Equations& e) : e_(e) {
  std::size_t at_q = 0;
  auto plain_until = [&](std::size_t end) {
    for (; at_q < end; ++at_q) parts_.push_back({Part::Kind::plain, at_q, speeds_++});
  };
  for (const RigidBody& body : e.bodies) {
    const auto n = static_cast<std::size_t>(body.dimension);
    plain_until(body.first + n);
    if (body.point) continue;
    parts_.push_back({n == 2 ? Part::Kind::planar : Part::Kind::spatial, at_q, speeds_});
    speeds_ += n == 2 ? 1 : 3;
    at_q += n * n;
  }
  plain_until(e.q.size());
  std::set<std::uint32_t> rigid;
  for (const RigidBody& body : e.bodies)
    for (const Expr& f : rigidity(e.q, body)) rigid.insert(f.id());
  for (std::size_t c = 0; c < e.constraint.size(); ++c)
    if (e.constraint[c].is_constant() || !rigid.contains(e.constraint[c].id())) joints_.push_back(c);
}

Exprs LieBodies::speeds_of(const Exprs& q, const Exprs& v) const {
  Exprs nu(speeds_, 0.0);
  for (const Part& p : parts_) {
    if (p.kind == Part::Kind::plain) {
      nu[p.nu] = v[p.q];
    } else if (p.kind == Part::Kind::planar) {
      nu[p.nu] = 0.5 * (q[p.q + 2] * v[p.q] + q[p.q + 3] * v[p.q + 1] - q[p.q] * v[p.q + 2] - q[p.q + 1] * v[p.q + 3]);
    } else {
      Vec d[3], r[3];
      for (std::size_t i = 0; i < 3; ++i) d[i] = part(q, p.q + 3 * i), r[i] = part(v, p.q + 3 * i);
      put(nu, p.nu,
          {0.5 * (dot(d[2], r[1]) - dot(d[1], r[2])), 0.5 * (dot(d[0], r[2]) - dot(d[2], r[0])),
           0.5 * (dot(d[1], r[0]) - dot(d[0], r[1]))});
    }
  }
  return nu;
}

Exprs LieBodies::rates(const Exprs& q, const Exprs& nu) const {
  Exprs v(q.size(), 0.0);
  for (const Part& p : parts_) {
    if (p.kind == Part::Kind::plain) {
      v[p.q] = nu[p.nu];
    } else if (p.kind == Part::Kind::planar) {
      for (std::size_t c = 0; c < 2; ++c) {
        v[p.q + c] = nu[p.nu] * q[p.q + 2 + c];
        v[p.q + 2 + c] = -nu[p.nu] * q[p.q + c];
      }
    } else {
      const Rows s = skew(part(nu, p.nu));
      for (std::size_t j = 0; j < 3; ++j) put(v, p.q + 3 * j, column(q, p.q, s, j));
    }
  }
  return v;
}

Exprs LieBodies::accelerations(const Exprs& q, const Exprs& nu, const Exprs& a) const {
  Exprs result = rates(q, a);
  for (const Part& p : parts_) {
    if (p.kind == Part::Kind::planar) {
      for (std::size_t i = 0; i < 4; ++i) result[p.q + i] -= pow(nu[p.nu], 2.0) * q[p.q + i];
    } else if (p.kind == Part::Kind::spatial) {
      const Rows s = skew(part(nu, p.nu)), s2 = times(s, s);
      for (std::size_t j = 0; j < 3; ++j) {
        const Vec more = column(q, p.q, s2, j);
        for (std::size_t c = 0; c < 3; ++c) result[p.q + 3 * j + c] += more[c];
      }
    }
  }
  return result;
}

Exprs LieBodies::moved(const Exprs& q, const Exprs& by, RotationMap map) const {
  Exprs result(q.size(), 0.0);
  for (const Part& p : parts_) {
    if (p.kind == Part::Kind::plain) {
      result[p.q] = q[p.q] + by[p.nu];
    } else if (p.kind == Part::Kind::planar) {
      const auto [s, c] = plane_rotation(by[p.nu], map);
      for (std::size_t k = 0; k < 2; ++k) {
        result[p.q + k] = c * q[p.q + k] + s * q[p.q + 2 + k];
        result[p.q + 2 + k] = c * q[p.q + 2 + k] - s * q[p.q + k];
      }
    } else {
      const Rows m = rotation(part(by, p.nu), map);
      for (std::size_t j = 0; j < 3; ++j) put(result, p.q + 3 * j, column(q, p.q, m, j));
    }
  }
  return result;
}

Exprs LieBodies::along(const Exprs& q, const Exprs& f) const {
  Exprs result(speeds_, 0.0);
  for (const Part& p : parts_) {
    if (p.kind == Part::Kind::plain) {
      result[p.nu] = f[p.q];
    } else if (p.kind == Part::Kind::planar) {
      result[p.nu] = f[p.q] * q[p.q + 2] + f[p.q + 1] * q[p.q + 3] - f[p.q + 2] * q[p.q] - f[p.q + 3] * q[p.q + 1];
    } else {
      Vec d[3], g[3];
      for (std::size_t i = 0; i < 3; ++i) d[i] = part(q, p.q + 3 * i), g[i] = part(f, p.q + 3 * i);
      put(result, p.nu,
          {dot(g[1], d[2]) - dot(g[2], d[1]), dot(g[2], d[0]) - dot(g[0], d[2]), dot(g[0], d[1]) - dot(g[1], d[0])});
    }
  }
  return result;
}

Exprs LieBodies::rate_of_step(const Exprs& by, const Exprs& nu, RotationMap map) const {
  return momentum_seen(by, nu, map, 1.0);  // dmap⁻¹ at -by is its own transposed at +by
}

Exprs LieBodies::momentum_seen(const Exprs& by, const Exprs& momentum, RotationMap map, double sign) const {
  Exprs result = momentum;
  for (const Part& p : parts_) {
    if (p.kind == Part::Kind::planar)
      result[p.nu] = plane_inverse_derivative(by[p.nu], momentum[p.nu], map);
    else if (p.kind == Part::Kind::spatial)
      put(result, p.nu, inverse_derivative(part(by, p.nu), part(momentum, p.nu), map, sign));
  }
  return result;
}

Exprs LieBodies::all_multipliers(const Exprs& of_joints) const {
  Exprs all(e_.lambda.size(), 0.0);
  for (std::size_t k = 0; k < of_joints.size(); ++k) all[joints_[k]] = of_joints[k];
  return all;
}

Exprs LieBodies::of_joints(const Exprs& all) const {
  Exprs some;
  for (std::size_t j : joints_) some.push_back(all[j]);
  return some;
}

Point LieBodies::at_point(const Expr& t, const Exprs& q, const Exprs& nu, const Exprs& a, const Exprs& lambda,
                          const Exprs& u) const {
  return {t, q, rates(q, nu), a.empty() ? Exprs{} : accelerations(q, nu, a), all_multipliers(lambda), u};
}

}  // namespace invar
