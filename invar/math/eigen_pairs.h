// Eigenvalues and eigenvectors of a small dense matrix, as Eigen computes them.
#pragma once

#include "invar/math/matrix.h"

namespace invar {

struct SymmetricEigen {
  Vector values;   // ascending
  Matrix vectors;  // columns
};

// A x = s x, and A x = s B x with B positive definite; both are symmetric, and only the lower triangles are read.
SymmetricEigen symmetric_eigen(const Matrix& A);
SymmetricEigen symmetric_eigen(const Matrix& A, const Matrix& B);

struct EigenPairs {
  Eigen::VectorXcd values;  // in no particular order
  Eigen::MatrixXcd vectors;
};
EigenPairs eigen_pairs(const Matrix& A);

}  // namespace invar
