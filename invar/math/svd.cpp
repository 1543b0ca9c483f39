// Through Eigen: one-sided Jacobi rotations, or from some size on divide and conquer, which does not slow down when the
// singular values spread over many orders of magnitude. In a file of its own because the templates take long to
// compile.
#include "invar/math/svd.h"

#include <Eigen/SVD>
#include <algorithm>

#include "invar/base/interrupt.h"

namespace invar {
namespace {

// Below it Jacobi rotations are as fast, and each singular value is exact to its own size.
constexpr Eigen::Index large = 24;

template <class Decomposition>
Svd parts(const Matrix& A) {
  const Decomposition decomposition(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {decomposition.singularValues(), decomposition.matrixU(), decomposition.matrixV()};
}

}  // namespace

Svd svd(const Matrix& A) {
  poll_interrupt();
  if (A.size() == 0) return {Vector(0), Matrix::Identity(A.rows(), A.rows()), Matrix::Identity(A.cols(), A.cols())};
  if (std::min(A.rows(), A.cols()) < large || !A.allFinite()) return parts<Eigen::JacobiSVD<Matrix>>(A);
  return parts<Eigen::BDCSVD<Matrix>>(A);
}

}  // namespace invar
