// One energy-momentum step of the chain in three_body_chain_system.h, written by hand: residual and Jacobian, for
// comparison.
//
//   q1 − q0 − h v_m,    M(v1 − v0) + h (∇V + Σ λ ∇Φ(q_m)),    Φ(q1)
//
// No work is done twice and no zero is stored. The Jacobian comes out by columns, rows ascending. As in the generated
// C, the compiler is told that arguments and results do not overlap.
#pragma once

#include <array>
#include <cstddef>

namespace invar::by_hand {

using Vector3 = std::array<double, 3>;

struct Body {
  Vector3 phi;
  std::array<Vector3, 3> d;
};

// One number per constraint.
struct PerConstraint {
  std::array<std::array<double, 6>, 3> internal;  // of each body: 11, 22, 33, 12, 13, 23
  std::array<std::array<double, 5>, 3> joint;     // three of the point, two of the axis
};

struct Node {
  std::array<Body, 3> q, v;
  PerConstraint lambda;
};

struct Joint {
  Vector3 on_parent;  // along the parent's directors; a point of space for the ground
  Vector3 on_child;
};

struct Parameters {
  std::array<std::array<double, 4>, 3> inertia;  // of each body: m, E1, E2, E3
  double gravity;
  std::array<Vector3, 2> ground;  // its d1 and d2
  std::array<Joint, 3> joint;
};

// In the order of the arguments of the Stepper's tape.
struct Arguments {
  Node n1;
  double t0;
  double h;
  Node n0;
  Parameters p;
  double pace, part;  // of other schemes
};

constexpr std::size_t entry_count = 555;

struct Result {
  std::array<Body, 3> kinematics, dynamics;
  PerConstraint constraint;
  std::array<double, entry_count> jacobian;
};

constexpr std::size_t unknown_count = sizeof(Node) / sizeof(double);
static_assert(unknown_count == 105);

// The internal constraint in which directors i and j meet.
constexpr std::size_t pair(std::size_t i, std::size_t j) { return i == j ? i : i + j + 2; }

inline double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// h times the directors half way, which residual and Jacobian share.
using Directors = std::array<std::array<Vector3, 3>, 3>;
using Axes = std::array<Vector3, 2>;  // d1 and d2 of a joint's parent

inline Axes first_two(const std::array<Vector3, 3>& d) { return {d[0], d[1]}; }

inline void kinematics(const Arguments& x, std::array<Body, 3>& r) {
  const double half = 0.5 * x.h;
  for (std::size_t b = 0; b < 3; ++b)
    for (std::size_t c = 0; c < 3; ++c) {
      const Body &q1 = x.n1.q[b], &q0 = x.n0.q[b], &v1 = x.n1.v[b], &v0 = x.n0.v[b];
      r[b].phi[c] = q1.phi[c] - q0.phi[c] - half * (v1.phi[c] + v0.phi[c]);
      for (std::size_t i = 0; i < 3; ++i) r[b].d[i][c] = q1.d[i][c] - q0.d[i][c] - half * (v1.d[i][c] + v0.d[i][c]);
    }
}

template <std::size_t b>
void dynamics(const Arguments& x, const Directors& hd, const Axes& axes, Body& r) {
  const auto& inertia = x.p.inertia[b];
  const auto& internal = x.n1.lambda.internal[b];
  const auto& to_parent = x.n1.lambda.joint[b];
  for (std::size_t c = 0; c < 3; ++c) {
    double force = to_parent[c];
    if constexpr (b < 2) force -= x.n1.lambda.joint[b + 1][c];
    r.phi[c] = inertia[0] * (x.n1.v[b].phi[c] - x.n0.v[b].phi[c]) + x.h * force;
  }
  r.phi[2] += x.h * (inertia[0] * x.p.gravity);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      double force = x.p.joint[b].on_child[i] * to_parent[c];
      if constexpr (b < 2) force -= x.p.joint[b + 1].on_parent[i] * x.n1.lambda.joint[b + 1][c];
      double sum = inertia[i + 1] * (x.n1.v[b].d[i][c] - x.n0.v[b].d[i][c]) + x.h * force;
      for (std::size_t j = 0; j < 3; ++j) sum += internal[pair(i, j)] * hd[b][j][c];
      if (i == 2) sum += to_parent[3] * axes[0][c] + to_parent[4] * axes[1][c];
      if constexpr (b < 2)
        if (i < 2) sum += x.n1.lambda.joint[b + 1][3 + i] * hd[b + 1][2][c];
      r.d[i][c] = sum;
    }
}

template <std::size_t b>
void constraints(const Arguments& x, const Axes& axes, PerConstraint& r) {
  const Body& q = x.n1.q[b];
  for (std::size_t i = 0; i < 3; ++i) {
    r.internal[b][i] = 0.5 * (dot(q.d[i], q.d[i]) - 1.0);
    for (std::size_t j = i + 1; j < 3; ++j) r.internal[b][pair(i, j)] = dot(q.d[i], q.d[j]);
  }
  const Joint& joint = x.p.joint[b];
  for (std::size_t c = 0; c < 3; ++c) {
    double gap = q.phi[c];
    for (std::size_t i = 0; i < 3; ++i) gap += joint.on_child[i] * q.d[i][c];
    if constexpr (b == 0) {
      gap -= joint.on_parent[c];
    } else {
      gap -= x.n1.q[b - 1].phi[c];
      for (std::size_t i = 0; i < 3; ++i) gap -= joint.on_parent[i] * x.n1.q[b - 1].d[i][c];
    }
    r.joint[b][c] = gap;
  }
  for (std::size_t k = 0; k < 2; ++k) r.joint[b][3 + k] = dot(axes[k], q.d[2]);
}

// ∂/∂q1 of one body. `half` is h/2 times the multipliers.
template <std::size_t b>
double* position_columns(const Arguments& x, const PerConstraint& half, const Axes& axes, double* __restrict J) {
  const Body& q = x.n1.q[b];
  for (std::size_t c = 0; c < 3; ++c) {
    *J++ = 1.0;
    *J++ = 1.0;
    if constexpr (b < 2) *J++ = -1.0;
  }
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      *J++ = 1.0;
      if (b > 0 && i == 2)
        for (std::size_t k = 0; k < 2; ++k) *J++ = half.joint[b][3 + k];
      for (std::size_t j = 0; j < 3; ++j) *J++ = half.internal[b][pair(i, j)];
      if constexpr (b < 2)
        if (i < 2) *J++ = half.joint[b + 1][3 + i];
      *J++ = q.d[i][c];
      for (std::size_t j = 0; j < 3; ++j)
        if (j != i) *J++ = q.d[j][c];
      *J++ = x.p.joint[b].on_child[i];
      if (i == 2)
        for (std::size_t k = 0; k < 2; ++k) *J++ = axes[k][c];
      if constexpr (b < 2) {
        *J++ = -x.p.joint[b + 1].on_parent[i];
        if (i < 2) *J++ = x.n1.q[b + 1].d[2][c];
      }
    }
  return J;
}

inline double* velocity_columns(const Arguments& x, double* __restrict J) {
  const double kinematic = -0.5 * x.h;
  for (std::size_t b = 0; b < 3; ++b)
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t c = 0; c < 3; ++c) {
        *J++ = kinematic;
        *J++ = x.p.inertia[b][k];
      }
  return J;
}

inline double* put(const Vector3& v, double* __restrict J) {
  for (const double component : v) *J++ = component;
  return J;
}

// ∂/∂λ of the internal constraints of one body with directors hd.
inline double* internal_columns(const std::array<Vector3, 3>& hd, double* __restrict J) {
  for (std::size_t i = 0; i < 3; ++i) J = put(hd[i], J);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i + 1; j < 3; ++j) J = put(hd[i], put(hd[j], J));
  return J;
}

// ∂/∂λ of the joint of body b with its parent, whose h d1 and h d2 are `axes`.
template <std::size_t b>
double* joint_columns(const Arguments& x, const Directors& hd, const Axes& axes, double* __restrict J) {
  const Joint& joint = x.p.joint[b];
  Vector3 on_parent, on_child;
  for (std::size_t i = 0; i < 3; ++i) {
    on_parent[i] = -x.h * joint.on_parent[i];
    on_child[i] = x.h * joint.on_child[i];
  }
  for (std::size_t c = 0; c < 3; ++c) {
    if constexpr (b > 0) {
      *J++ = -x.h;
      J = put(on_parent, J);
    }
    *J++ = x.h;
    J = put(on_child, J);
  }
  for (std::size_t k = 0; k < 2; ++k) {
    if constexpr (b > 0) J = put(hd[b][2], J);
    J = put(axes[k], J);
  }
  return J;
}

[[gnu::noinline]] inline void residual_and_jacobian(const Arguments& __restrict x, Result& __restrict r) {
  const double half_h = 0.5 * x.h;
  Directors hd;
  PerConstraint half;
  for (std::size_t b = 0; b < 3; ++b) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t c = 0; c < 3; ++c) hd[b][i][c] = half_h * (x.n0.q[b].d[i][c] + x.n1.q[b].d[i][c]);
    for (std::size_t i = 0; i < 6; ++i) half.internal[b][i] = half_h * x.n1.lambda.internal[b][i];
    for (std::size_t k = 3; k < 5; ++k) half.joint[b][k] = half_h * x.n1.lambda.joint[b][k];
  }
  Axes ground;  // times h
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t c = 0; c < 3; ++c) ground[k][c] = x.h * x.p.ground[k][c];
  const Axes hd0 = first_two(hd[0]), hd1 = first_two(hd[1]);
  const Axes d0 = first_two(x.n1.q[0].d), d1 = first_two(x.n1.q[1].d);

  kinematics(x, r.kinematics);
  dynamics<0>(x, hd, ground, r.dynamics[0]);
  dynamics<1>(x, hd, hd0, r.dynamics[1]);
  dynamics<2>(x, hd, hd1, r.dynamics[2]);
  constraints<0>(x, x.p.ground, r.constraint);
  constraints<1>(x, d0, r.constraint);
  constraints<2>(x, d1, r.constraint);

  double* J = r.jacobian.data();
  J = position_columns<0>(x, half, x.p.ground, J);
  J = position_columns<1>(x, half, d0, J);
  J = position_columns<2>(x, half, d1, J);
  J = velocity_columns(x, J);
  for (std::size_t b = 0; b < 3; ++b) J = internal_columns(hd[b], J);
  J = joint_columns<0>(x, hd, ground, J);
  J = joint_columns<1>(x, hd, hd0, J);
  joint_columns<2>(x, hd, hd1, J);
}

}  // namespace invar::by_hand
