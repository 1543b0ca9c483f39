// The estimate against the true condition number of matrices of known inverse.
#include "invar/math/sparse_condition.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/math/decompositions.h"
#include "invar/math/matrix.h"

namespace invar {
namespace {

struct PlacedValues {
  Pattern pattern;
  std::vector<double> value;
};

PlacedValues placed_values(const Matrix& A) {
  PlacedValues s;
  s.pattern.rows = s.pattern.cols = static_cast<int>(A.rows());
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    for (Eigen::Index i = 0; i < A.rows(); ++i)
      if (A(i, j) != 0.0) {
        s.pattern.row.push_back(static_cast<int>(i));
        s.value.push_back(A(i, j));
      }
    s.pattern.start.push_back(static_cast<int>(s.pattern.row.size()));
  }
  return s;
}

double one_norm(const Matrix& A) { return A.cwiseAbs().colwise().sum().maxCoeff(); }

// A band with an entry far from it, so that nothing is symmetric.
Matrix band_with_corner(Eigen::Index n, double corner) {
  Matrix A = Matrix::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    A(i, i) = 2.0 + std::sin(static_cast<double>(i));
    if (i + 1 < n) A(i, i + 1) = -1.0;
    if (i > 0) A(i, i - 1) = 0.3;
  }
  A(n - 1, 0) = corner;
  return A;
}

TEST(SparseCondition, IsThatOfTheInverse) {
  for (const double corner : {1.0, 100.0}) {
    const Matrix A = band_with_corner(80, corner);
    const PlacedValues s = placed_values(A);
    const double exact = 1.0 / (one_norm(A) * one_norm(Eigen::PartialPivLU<Matrix>(A).inverse()));
    const double found = SparseCondition(s.pattern).reciprocal(s.value);
    constexpr double rounding = 1e-10, estimate = 3.0;  // never below the true one, and rarely far above
    EXPECT_GE(found, (1.0 - rounding) * exact);
    EXPECT_LE(found, estimate * exact);
  }
}

TEST(SparseCondition, IsZeroIfSingular) {
  Matrix A = band_with_corner(80, 1.0);
  A.col(7) = 2.0 * A.col(8);
  const PlacedValues s = placed_values(A);
  EXPECT_EQ(SparseCondition(s.pattern).reciprocal(s.value), 0.0);
}

}  // namespace
}  // namespace invar
