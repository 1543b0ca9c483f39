// A singular value decomposition is one, also of matrices whose rows differ by many orders of magnitude.
#include "invar/math/svd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace invar {
namespace {

// Zeros and random numbers; the rows fall by a factor of 10^decades from the first to the last.
Matrix graded(Eigen::Index n, double decades) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  Matrix A = Matrix::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      if ((i + j) % 3 == 0)
        A(i, j) = normal(random) * std::pow(10.0, -decades * static_cast<double>(i) / static_cast<double>(n));
  return A;
}

TEST(Svd, ReproducesTheMatrix) {
  constexpr double round_off = 1e-12;
  for (const Eigen::Index n : {3, 30, 120})
    for (const double decades : {0.0, 30.0, 200.0}) {
      const Matrix A = graded(n, decades);
      const Svd s = svd(A);
      EXPECT_LT((s.U * s.values.asDiagonal() * s.V.transpose() - A).norm(), round_off * A.norm())
          << n << " " << decades;
      EXPECT_LT((s.U.transpose() * s.U - Matrix::Identity(n, n)).norm(), round_off * static_cast<double>(n));
      EXPECT_LT((s.V.transpose() * s.V - Matrix::Identity(n, n)).norm(), round_off * static_cast<double>(n));
      for (Eigen::Index i = 1; i < n; ++i) EXPECT_LE(s.values[i], s.values[i - 1]);
    }
}

}  // namespace
}  // namespace invar
