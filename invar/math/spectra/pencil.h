// The ordinary part of linear equations E x' = A x whose E may be singular: solutions move in a subspace x = N y, and
// there y' = F y.
//
// Rows of E that vanish are conditions on x; x is restricted to those that meet them, until what is left of E can be
// inverted [F. R. Gantmacher, The Theory of Matrices, vol. 2, ch. XII: reduction of a pencil].
#pragma once

#include "invar/math/matrix.h"
#include "invar/math/rank.h"

namespace invar {

struct OrdinaryPart {
  Matrix F;
  Matrix N;                    // orthonormal columns
  bool is_determined = false;  // false: some x is free to move as it likes
};

// Ranks are decided relative to the largest entries of E and of A, which should be near one.
OrdinaryPart ordinary_part(const Matrix& E, const Matrix& A, double tolerance = rank_tolerance);

}  // namespace invar
