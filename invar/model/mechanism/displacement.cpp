// See displacement.h.
#include "invar/model/mechanism/displacement.h"

namespace invar {

namespace {

// one I + first [n]× + second n nᵀ
Rows rotation(const Expr& one, const Expr& first, const Expr& second, const Vec& n) {
  const Rows k = skew(n);
  Rows r;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) r[i][j] = (i == j ? one : Expr(0.0)) + first * k[i][j] + second * (n[i] * n[j]);
  return r;
}

Displacement about(const Vec& point, const Rows& r) { return {r, point - times(r, point), {}}; }

}  // namespace

Displacement after(const Displacement& outer, const Displacement& inner) {
  Displacement both = {times(outer.a, inner.a), times(outer.a, inner.c) + outer.c, outer.moves};
  both.moves.insert(both.moves.end(), inner.moves.begin(), inner.moves.end());
  return both;
}

Displacement shift(const Vec& by) { return {Displacement{}.a, by, {}}; }

Displacement turn(const Vec& point, const Vec& axis, const Expr& angle) {
  return about(point, rotation(cos(angle), sin(angle), 1.0 - cos(angle), axis));
}

Displacement turn(const Vec& point, const Vec& a) {
  const Expr s = dot(a, a);
  return about(point, rotation(stumpff(0, s), stumpff(1, s), stumpff(2, s), a));
}

Displacement turn(const Vec& point, const EulerParameters& p) { return about(point, rotation_of(p)); }

}  // namespace invar
