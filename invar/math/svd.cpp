// One-sided Jacobi rotations through Eigen; in a file of its own because the template takes long to compile.
#include "invar/math/svd.h"

#include <Eigen/SVD>

#include "invar/expr/interrupt.h"

namespace invar {

Svd svd(const Matrix& A) {
  poll_interrupt();
  if (A.size() == 0) return {Vector(0), Matrix::Identity(A.rows(), A.rows()), Matrix::Identity(A.cols(), A.cols())};
  const Eigen::JacobiSVD<Matrix> decomposition(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {decomposition.singularValues(), decomposition.matrixU(), decomposition.matrixV()};
}

}  // namespace invar
