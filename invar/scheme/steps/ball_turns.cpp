// See ball_turns.h.
#include "invar/scheme/steps/ball_turns.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "invar/expr/special.h"

namespace invar {

namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

Quaterniond parameters(const Ball& ball, std::span<const double> x) {
  const double* p = x.data() + ball.first;
  return {p[0], ball.sign * p[1], ball.sign * p[2], ball.sign * p[3]};
}
void put(const Ball& ball, const Quaterniond& p, std::span<double> x) {
  double* to = x.data() + ball.first;
  to[0] = p.w();
  to[1] = ball.sign * p.x();
  to[2] = ball.sign * p.y();
  to[3] = ball.sign * p.z();
}
Vector3d vector(const Ball& ball, std::span<const double> x) { return Vector3d::Map(x.data() + ball.first); }
void put(const Ball& ball, const Vector3d& a, std::span<double> x) {
  Vector3d::Map(x.data() + ball.first) = a;
  x[ball.first + 3] = 0.0;
}

Quaterniond half_of(const Vector3d& a) { return {0.0, 0.5 * a.x(), 0.5 * a.y(), 0.5 * a.z()}; }

Quaterniond rotation(const Vector3d& a, RotationMap map) {
  const double quarter = 0.25 * a.squaredNorm();
  const bool exponential = map == RotationMap::exponential;
  const double scalar = exponential ? special::stumpff(0, quarter) : 1.0 / std::sqrt(1.0 + quarter);
  const Vector3d v = (0.5 * (exponential ? special::stumpff(1, quarter) : scalar)) * a;
  return {scalar, v.x(), v.y(), v.z()};
}

Vector3d rate_of_step(const Vector3d& a, const Vector3d& spin, RotationMap map) {
  const Vector3d first = a.cross(spin);
  if (map == RotationMap::cayley) return spin + 0.5 * first + 0.25 * a.dot(spin) * a;
  const double s = 0.25 * a.squaredNorm();
  const double c = (special::stumpff(2, s) - special::stumpff(3, s)) / (4.0 * special::stumpff(1, s));
  return spin + 0.5 * first + c * a.cross(first);
}

void set_unit_length(const Ball& ball, std::span<double> q, std::span<double> v) {
  double length = 0.0, along = 0.0;
  for (std::size_t i = ball.first; i < ball.first + 4; ++i) length += q[i] * q[i];
  const double share = 1.0 / std::sqrt(length);
  for (std::size_t i = ball.first; i < ball.first + 4; ++i) along += (q[i] *= share) * v[i];
  for (std::size_t i = ball.first; i < ball.first + 4; ++i) v[i] -= along * q[i];
}

}  // namespace

void BallTurns::to_spins(std::span<const double> q, std::span<double> rates) const {
  if (!map_) return;
  for (const Ball& ball : balls_)
    put(ball, Vector3d(2.0 * (parameters(ball, q).conjugate() * parameters(ball, rates)).vec()), rates);
}

void BallTurns::to_rates(std::span<const double> q, std::span<double> spins) const {
  if (!map_) return;
  for (const Ball& ball : balls_) put(ball, parameters(ball, q) * half_of(vector(ball, spins)), spins);
}

void BallTurns::begin(std::span<double> q) const {
  if (!map_) return;
  for (const Ball& ball : balls_) put(ball, Quaterniond(0.0, 0.0, 0.0, 0.0), q);
}

void BallTurns::arrive(std::span<const double> from, std::span<double> q, std::span<double> v,
                       std::span<double> rate) const {
  if (map_)
    for (const Ball& ball : balls_) {
      const Vector3d by = vector(ball, q), spin = vector(ball, v);
      const Quaterniond p = (parameters(ball, from) * rotation(by, *map_)).normalized();
      put(ball, p, q);
      put(ball, p * half_of(spin), v);
      if (!rate.empty()) put(ball, rate_of_step(by, spin, *map_), rate);
    }
  else
    for (const Ball& ball : balls_) {
      set_unit_length(ball, q, v);
      if (!rate.empty())
        std::copy_n(v.begin() + std::ptrdiff_t(ball.first), 4, rate.begin() + std::ptrdiff_t(ball.first));
    }
}

}  // namespace invar
