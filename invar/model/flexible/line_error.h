// How far from an exact line its elements stand, from what each of them does wrong.
//
// With x = (displacement and rotation; force and moment) at the joints of the elements, forces in x being what ever
// finer elements would change, an element carries x to x A and adds its defect:
//
//   x₁ = A x₀ − d,   at a held end displacement and rotation are zero, at a free one force and moment.
#pragma once

#include <vector>

#include "invar/math/matrix.h"

namespace invar {

struct LineSegment {
  Matrix transfer;  // A
  Vector defect;    // d
};

enum class LineEnd { held, free, either };  // either: a body is there, which may do one or the other

// The largest of the displacements, the first three of x; with ends that may be one or the other, the larger.
// The line is held at its first end if it would be held nowhere.
double line_displacement(const std::vector<LineSegment>& segments, LineEnd first, LineEnd last);

}  // namespace invar
