// Singular value decomposition A = U diag(values) Vᵀ of a small dense matrix, with complete U and V.
#pragma once

#include "invar/math/matrix.h"

namespace invar {

struct Svd {
  Vector values;  // descending
  Matrix U, V;    // square
};

Svd svd(const Matrix& A);

}  // namespace invar
