// Rank-revealing orthogonal factorisations [Golub & Van Loan, Matrix Computations, sec. 5.4 and 5.5].
#include "invar/math/rank.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/math/decompositions.h"

namespace invar {
namespace {

constexpr double smallest_term = 1e-8;

double scale_or_one(double x) { return x > 0 ? 1 / x : 1; }

Matrix with_unit_rows(Matrix A) {
  for (Eigen::Index i = 0; i < A.rows(); ++i) A.row(i) *= scale_or_one(A.row(i).stableNorm());
  return A;
}

Matrix equilibrated(Matrix A, Scaling scaling) {
  if (scaling == Scaling::none) return A;
  for (Eigen::Index i = 0; i < A.rows(); ++i) A.row(i) *= scale_or_one(A.row(i).cwiseAbs().maxCoeff());
  if (scaling == Scaling::rows) return A;
  for (Eigen::Index j = 0; j < A.cols(); ++j) A.col(j) *= scale_or_one(A.col(j).cwiseAbs().maxCoeff());
  return A;
}

Eigen::ColPivHouseholderQR<Matrix> pivoted_qr(const Matrix& A, double tolerance) {
  poll_interrupt();
  Eigen::ColPivHouseholderQR<Matrix> qr;
  qr.setThreshold(tolerance);
  qr.compute(A);
  return qr;
}

}  // namespace

int rank(const Matrix& A, double tolerance, Scaling scaling) {
  if (A.size() == 0) return 0;
  return static_cast<int>(pivoted_qr(equilibrated(A, scaling), tolerance).rank());
}

Matrix null_space(const Matrix& A, double tolerance) {
  const Eigen::Index n = A.cols();
  if (A.size() == 0) return Matrix::Identity(n, n);
  // Aᵀ P = Q R: the columns of Q beyond the rank are orthogonal to every row of A.
  const auto qr = pivoted_qr(with_unit_rows(A).transpose(), tolerance);
  const Eigen::Index free = n - qr.rank();
  Matrix N = Matrix::Zero(n, free);
  N.bottomRows(free).setIdentity();
  N.applyOnTheLeft(qr.householderQ());
  return N;
}

Vector least_norm(const Matrix& A, const Vector& b, double tolerance) {
  expects(A.rows() == b.size(), "one right-hand side entry per row");
  if (A.size() == 0) return Vector::Zero(A.cols());
  poll_interrupt();
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(tolerance);
  decomposition.compute(A);
  return decomposition.solve(b);
}

Projection project(const Matrix& A, const Vector& b, const Matrix& W, double tolerance) {
  expects(W.rows() == A.cols() && W.cols() == A.cols(), "a metric as large as the number of unknowns");
  const Eigen::LLT<Matrix> cholesky(W);
  expects(cholesky.info() == Eigen::Success, "a positive definite metric");

  // With W = L Lᵀ and d = L⁻ᵀ y the metric becomes Euclidean: the shortest y with A L⁻ᵀ y = b.
  Matrix A_metric = cholesky.matrixL().solve(A.transpose()).transpose();
  Vector b_metric = b;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double scale = scale_or_one(A_metric.row(i).stableNorm());
    A_metric.row(i) *= scale;
    b_metric[i] *= scale;
  }
  Vector d = cholesky.matrixU().solve(least_norm(A_metric, b_metric, tolerance));
  Vector unreachable = b - A * d;
  return {std::move(d), std::move(unreachable)};
}

RowRank row_rank(const Matrix& A, double tolerance) {
  const Eigen::Index n = A.cols();
  RowRank result{0, {}, {}};
  // Gram-Schmidt in row order: kept unit rows K = Rᵀ Qᵀ with orthonormal columns Q and upper triangular R.
  Matrix Q(n, std::min(A.rows(), n));
  Matrix R = Matrix::Zero(Q.cols(), Q.cols());
  Vector length(A.rows());
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    Vector rest = A.row(i).transpose();
    length[i] = rest.stableNorm();
    rest *= scale_or_one(length[i]);

    const Eigen::Index kept = result.rank;
    Vector along = Vector::Zero(kept);
    for (int pass = 0; pass < 2; ++pass) {  // once more removes what rounding left of the first pass
      const Vector correction = Q.leftCols(kept).transpose() * rest;
      rest -= Q.leftCols(kept) * correction;
      along += correction;
    }
    const double distance = rest.norm();
    if (kept < Q.cols() && distance > tolerance) {
      Q.col(kept) = rest / distance;
      R.col(kept).head(kept) = along;
      R(kept, kept) = distance;
      result.independent.push_back(static_cast<int>(i));
      ++result.rank;
      continue;
    }
    Dependency dependency{static_cast<int>(i), {}};
    const Vector factor = R.topLeftCorner(kept, kept).triangularView<Eigen::Upper>().solve(along);
    for (Eigen::Index k = 0; k < kept; ++k) {
      const int other = result.independent[k];
      if (std::abs(factor[k]) >= smallest_term)
        dependency.combination.emplace_back(other, factor[k] * length[i] / length[other]);
    }
    result.dependent.push_back(std::move(dependency));
  }
  return result;
}

}  // namespace invar
