// Vectors of space with formulas as components.
#pragma once

#include <array>

#include "invar/expr/expr.h"

namespace invar {

using Vec = std::array<Expr, 3>;

inline Vec operator+(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec operator-(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec operator*(const Expr& s, const Vec& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline Expr dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Matrices by rows.
using Rows = std::array<Vec, 3>;

inline Rows skew(const Vec& a) { return {Vec{0.0, -a[2], a[1]}, Vec{a[2], 0.0, -a[0]}, Vec{-a[1], a[0], 0.0}}; }
inline Vec times(const Rows& a, const Vec& x) { return {dot(a[0], x), dot(a[1], x), dot(a[2], x)}; }
inline Rows times(const Rows& a, const Rows& b) {
  Rows c;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  return c;
}

}  // namespace invar
