// Laws of rank, null space, minimum-norm solutions and row dependencies on random matrices of known structure.
#include "invar/math/rank.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <random>

#include "invar/base/error.h"

namespace invar {
namespace {

// Orthogonal transformations of matrices of order one and size up to 20 lose at most three digits.
constexpr double rank_round_off = 1e-13;
// The same after division by singular values down to 1e-3.
constexpr double solved = 1e-9;

Matrix random_matrix(int rows, int cols, std::mt19937_64& random) {
  std::uniform_real_distribution<double> entry(-1, 1);
  Matrix A(rows, cols);
  for (double& a : A.reshaped()) a = entry(random);
  return A;
}

Matrix random_orthogonal(int n, std::mt19937_64& random) {
  return Eigen::HouseholderQR<Matrix>(random_matrix(n, n, random)).householderQ();
}

// U Σ Vᵀ with singular values spread evenly, in logarithm, from 1 to `smallest`.
Matrix with_rank(int rows, int cols, int rank, double smallest, std::mt19937_64& random) {
  Matrix S = Matrix::Zero(rows, cols);
  for (int k = 0; k < rank; ++k) S(k, k) = std::pow(smallest, rank > 1 ? static_cast<double>(k) / (rank - 1) : 0);
  return random_orthogonal(rows, random) * S * random_orthogonal(cols, random);
}

struct Shape {
  int rows, cols, rank;
};

std::vector<Shape> shapes() {
  std::vector<Shape> list;
  for (const int rows : {1, 2, 5, 8, 13})
    for (const int cols : {1, 3, 5, 9, 14})
      for (int r = 0; r <= std::min(rows, cols); ++r) list.push_back({rows, cols, r});
  return list;
}

TEST(Rank, FindsThePrescribedRank) {
  std::mt19937_64 random(1);
  for (const auto& [rows, cols, r] : shapes()) {
    EXPECT_EQ(rank(with_rank(rows, cols, r, 1e-6, random), rank_tolerance, Scaling::none), r);
    EXPECT_EQ(rank(with_rank(rows, cols, r, 1e-3, random)), r);
  }
}

TEST(Rank, SmallSingularValuesCountByTheTolerance) {
  std::mt19937_64 random(2);
  for (int instance = 0; instance < 20; ++instance) {
    const Matrix A = with_rank(8, 6, 4, 1e-6, random);
    EXPECT_EQ(rank(A, 1e-8, Scaling::none), 4);
    EXPECT_EQ(rank(A, 1e-5, Scaling::none), 3);
  }
}

TEST(Rank, ScalingMakesItIndependentOfUnits) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> decades(-12, 12);
  for (const auto& [rows, cols, r] : shapes()) {
    // A random product of thin matrices has no small singular values beyond its rank, with or without units.
    Matrix A = random_matrix(rows, r, random) * random_matrix(r, cols, random);
    for (int i = 0; i < rows; ++i) A.row(i) *= std::pow(10, decades(random));
    EXPECT_EQ(rank(A, rank_tolerance, Scaling::rows), r);
    for (int j = 0; j < cols; ++j) A.col(j) *= std::pow(10, 0.25 * decades(random));
    EXPECT_EQ(rank(A, rank_tolerance, Scaling::rows_and_columns), r);
  }
}

TEST(NullSpace, IsOrthonormalCompleteAndAnnihilated) {
  std::mt19937_64 random(4);
  for (const auto& [rows, cols, r] : shapes()) {
    const Matrix A = with_rank(rows, cols, r, 1e-3, random);
    const Matrix N = null_space(A);
    ASSERT_EQ(N.cols(), cols - r);
    EXPECT_LT((A * N).norm(), rank_round_off);
    EXPECT_LT((N.transpose() * N - Matrix::Identity(N.cols(), N.cols())).norm(), rank_round_off);
  }
}

TEST(NullSpace, OfNothingIsEverything) {
  EXPECT_EQ(null_space(Matrix(0, 3)), Matrix::Identity(3, 3));
  EXPECT_EQ(null_space(Matrix::Zero(2, 3)).cols(), 3);
  EXPECT_EQ(null_space(Matrix(2, 0)).size(), 0);
}

TEST(LeastNorm, SatisfiesTheNormalEquationsWithTheShortestVector) {
  std::mt19937_64 random(5);
  for (const auto& [rows, cols, r] : shapes()) {
    const Matrix A = with_rank(rows, cols, r, 1e-3, random);
    const Vector b = random_matrix(rows, 1, random);
    const Vector x = least_norm(A, b);
    EXPECT_LT((A.transpose() * (A * x - b)).norm(), solved);
    EXPECT_LT((null_space(A).transpose() * x).norm(), solved);
  }
}

TEST(Project, MeetsTheOptimalityCondition) {
  std::mt19937_64 random(6);
  for (const auto& [rows, cols, r] : shapes()) {
    const Matrix A = with_rank(rows, cols, r, 1e-1, random);
    const Matrix F = random_matrix(cols, cols, random);
    const Matrix W = F * F.transpose() + 0.1 * Matrix::Identity(cols, cols);
    const Vector b = A * random_matrix(cols, 1, random);
    const auto [d, unreachable] = project(A, b, W);
    EXPECT_LT((A * d - b).norm(), solved);
    EXPECT_LT(unreachable.norm(), solved);
    // W d lies in the range of Aᵀ, that is, it is orthogonal to the null space of A.
    EXPECT_LT((null_space(A).transpose() * W * d).norm(), solved);
  }
}

TEST(Project, ReportsWhatCannotBeReached) {
  Matrix A(2, 2);
  A << 1, 0, 1, 0;
  const auto [d, unreachable] = project(A, Vector{{1.0, 3.0}}, Matrix::Identity(2, 2));
  EXPECT_NEAR(d[0], 2, rank_round_off);
  EXPECT_NEAR(d[1], 0, rank_round_off);
  EXPECT_LT((unreachable - Vector{{-1.0, 1.0}}).norm(), rank_round_off);
}

TEST(Project, RefusesAnIndefiniteMetric) {
  EXPECT_THROW(project(Matrix::Ones(1, 2), Vector::Ones(1), -Matrix::Identity(2, 2)), ContractViolation);
}

TEST(RowRank, RecoversKnownCombinations) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> decades(-5, 5);
  for (int instance = 0; instance < 50; ++instance) {
    Matrix A = random_matrix(7, 9, random);
    for (int i = 0; i < 7; ++i) A.row(i) *= std::pow(10, decades(random));
    A.row(3) = 2 * A.row(0) - 0.5 * A.row(2);
    A.row(4).setZero();
    A.row(6) = -3 * A.row(5);
    const RowRank result = row_rank(A);
    EXPECT_EQ(result.rank, 4);
    EXPECT_EQ(result.independent, (std::vector<int>{0, 1, 2, 5}));
    ASSERT_EQ(result.dependent.size(), 3u);
    EXPECT_EQ(result.dependent[0].row, 3);
    EXPECT_EQ(result.dependent[1].row, 4);
    EXPECT_TRUE(result.dependent[1].combination.empty());
    EXPECT_EQ(result.dependent[2].row, 6);
    ASSERT_EQ(result.dependent[2].combination.size(), 1u);
    EXPECT_EQ(result.dependent[2].combination[0].first, 5);
    EXPECT_NEAR(result.dependent[2].combination[0].second, -3, solved);
    // A term may be below 1e-8 of the row and then is left out; the rest still makes up the row.
    Vector rest = A.row(3).transpose();
    for (const auto& [row, factor] : result.dependent[0].combination) rest -= factor * A.row(row).transpose();
    EXPECT_LT(rest.norm(), 2e-8 * A.row(3).norm());
  }
}

TEST(RowRank, EveryRowIsKeptOrExplainedByEarlierRows) {
  std::mt19937_64 random(8);
  for (const auto& [rows, cols, r] : shapes()) {
    const Matrix A = random_matrix(rows, r, random) * random_matrix(r, cols, random);
    const RowRank result = row_rank(A);
    EXPECT_EQ(result.rank, r);
    EXPECT_EQ(result.independent.size() + result.dependent.size(), static_cast<std::size_t>(rows));
    for (int k = 0; k < r; ++k) EXPECT_EQ(result.independent[k], k);  // generic rows: the first r are independent
    for (const Dependency& dependency : result.dependent) {
      Vector rest = A.row(dependency.row).transpose();
      for (const auto& [row, factor] : dependency.combination) {
        EXPECT_LT(row, dependency.row);
        rest -= factor * A.row(row).transpose();
      }
      EXPECT_LT(rest.norm(), 1e-7);  // dropped terms of 1e-8
    }
  }
}

TEST(RowRank, OfNothing) {
  EXPECT_EQ(row_rank(Matrix(0, 3)).rank, 0);
  EXPECT_EQ(row_rank(Matrix(2, 0)).dependent.size(), 2u);
}

}  // namespace
}  // namespace invar
