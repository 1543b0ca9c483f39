// The line of a beam or string at the start, as a function of arc length: straight, a smooth curve through points, a
// circular arc, a catenary, or given by formulas; and the axes of the sections along it.
#pragma once

#include <functional>
#include <vector>

#include "invar/model/mechanism/mechanism.h"

namespace invar {

struct CentreLine {
  double length = 0.0;
  std::function<Vector3(double s)> place, tangent;
};

// Two points make a straight line; more are joined by cubics with continuous curvature, without any at the ends.
CentreLine line_through(const std::vector<Vector3>& points);

// From a place along a direction, bending towards another one.
struct Arc {
  Vector3 from, along, towards;
  double radius, angle;
};
CentreLine arc_line(const Arc& arc);

// The line of a string of this length that hangs between two points; `down` is the direction of gravity.
// InputError if it is too short, or hangs folded between points above each other.
CentreLine catenary_line(const Vector3& from, const Vector3& to, double length, const Vector3& down);

// Section axes d1, d2, d3 as columns: d3 along the line, d1 near `normal`, turned about the line by `twist`.
// InputError if the normal is along the line.
Matrix3 section_axes(const Vector3& tangent, const Vector3& normal, double twist);

}  // namespace invar
