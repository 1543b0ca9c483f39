// Rigid displacements of space as formulas: x ↦ a x + c.
#pragma once

#include <optional>
#include <vector>

#include "invar/model/mechanism/frame.h"
#include "invar/system/euler_parameters.h"

namespace invar {

// A turn about an axis through a point and a slide along it, both so much per unit of a joint coordinate; a turn about
// a point by four Euler parameters (a ball); or a turn by a given angle.
struct JointMove {
  std::optional<std::size_t> coordinate;
  double zero = 0.0;  // value of the coordinate that displaces nothing
  Vector3 axis = Vector3::UnitZ(), point = Vector3::Zero();
  double turn = 0.0, slide = 0.0;
  bool ball = false;
};

struct Displacement {
  Rows a = {Vec{1.0, 0.0, 0.0}, Vec{0.0, 1.0, 0.0}, Vec{0.0, 0.0, 1.0}};
  Vec c = {0.0, 0.0, 0.0};
  std::vector<JointMove> moves = {};  // of which it consists, the outermost first, where that is of interest

  Vec direction(const Vec& v) const { return times(a, v); }
  Vec point(const Vec& x) const { return times(a, x) + c; }
};

Displacement after(const Displacement& outer, const Displacement& inner);
Displacement shift(const Vec& by);
// About an axis of unit length through a point; and by a rotation vector.
Displacement turn(const Vec& point, const Vec& axis, const Expr& angle);
Displacement turn(const Vec& point, const Vec& rotation_vector);
Displacement turn(const Vec& point, const EulerParameters& p);

}  // namespace invar
