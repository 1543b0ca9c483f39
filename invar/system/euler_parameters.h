// Orientations by four Euler parameters p = (p₀, p⃗), of any length: nothing is stretched where it is not one, so that
// the condition |p| = 1 needs no force.
//
//   R = 1 + 2/|p|² (p₀ [p⃗]× + [p⃗]×²),        ω = 2/|p|² (p₀ p⃗' - p₀' p⃗ - p⃗ × p⃗')  in turned axes;   if |p| = 1
//   p₀' = -½ p⃗·ω,  p⃗' = ½ (p₀ ω + p⃗ × ω),    p'' = p'(ω') - |p'|² p
//
// [P. E. Nikravesh, Computer-Aided Analysis of Mechanical Systems, Prentice Hall 1988, ch. 6]
#pragma once

#include <array>

#include "invar/expr/vec.h"

namespace invar {

struct EulerParameters {
  Expr scalar;
  Vec vector;
};

inline Expr dot(const EulerParameters& x, const EulerParameters& y) {
  return x.scalar * y.scalar + dot(x.vector, y.vector);
}

inline Rows rotation_of(const EulerParameters& p) {
  const Expr share = 2.0 / dot(p, p);
  const Rows k = skew(p.vector), k2 = times(k, k);
  Rows r;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) r[i][j] = Expr(i == j ? 1.0 : 0.0) + share * (p.scalar * k[i][j] + k2[i][j]);
  return r;
}

inline Vec spin_of(const EulerParameters& p, const EulerParameters& rate) {
  return (2.0 / dot(p, p)) * (p.scalar * rate.vector - rate.scalar * p.vector - cross(p.vector, rate.vector));
}

inline EulerParameters rate_of(const EulerParameters& p, const Vec& spin) {
  return {-0.5 * dot(p.vector, spin), 0.5 * (p.scalar * spin + cross(p.vector, spin))};
}

// The torque, in turned axes, of generalised forces on the parameters.
inline Vec torque_of(const EulerParameters& p, const EulerParameters& force) {
  return 0.5 * (p.scalar * force.vector + cross(force.vector, p.vector) - force.scalar * p.vector);
}

inline EulerParameters acceleration_of(const EulerParameters& p, const EulerParameters& rate, const Vec& spin_rate) {
  const EulerParameters along = rate_of(p, spin_rate);
  const Expr inward = dot(rate, rate);
  return {along.scalar - inward * p.scalar, along.vector - inward * p.vector};
}

}  // namespace invar
