// Rigid displacements of space as formulas: x ↦ a x + c.
#pragma once

#include "invar/model/mechanism/frame.h"

namespace invar {

struct Displacement {
  Rows a = {Vec{1.0, 0.0, 0.0}, Vec{0.0, 1.0, 0.0}, Vec{0.0, 0.0, 1.0}};
  Vec c = {0.0, 0.0, 0.0};

  Vec direction(const Vec& v) const { return times(a, v); }
  Vec point(const Vec& x) const { return times(a, x) + c; }
};

Displacement after(const Displacement& outer, const Displacement& inner);
Displacement shift(const Vec& by);
// About an axis of unit length through a point; and by a rotation vector.
Displacement turn(const Vec& point, const Vec& axis, const Expr& angle);
Displacement turn(const Vec& point, const Vec& rotation_vector);

}  // namespace invar
