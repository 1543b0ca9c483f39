// See eigen_pairs.h. In a file of its own because the templates take long to compile.
#include "invar/math/eigen_pairs.h"

#include <Eigen/Eigenvalues>

#include "invar/base/interrupt.h"

namespace invar {

SymmetricEigen symmetric_eigen(const Matrix& A) {
  poll_interrupt();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SymmetricEigen symmetric_eigen(const Matrix& A, const Matrix& B) {
  poll_interrupt();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(A, B);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

EigenPairs eigen_pairs(const Matrix& A) {
  poll_interrupt();
  const Eigen::EigenSolver<Matrix> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace invar
