// Factors front by front against what is known of a matrix otherwise: its eigenvalues and products with a vector.
#include "invar/program/front_factors.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <random>

#include "invar/math/matrix.h"
#include "invar/program/symmetric_factors.h"

namespace invar {
namespace {

struct Sample {
  std::vector<SymmetricEntry> entries;
  std::vector<double> values;
  std::size_t size = 0;

  void add(int i, int j, double value) {
    entries.push_back({i, j});
    values.push_back(value);
  }
  Matrix dense() const {
    const auto n = static_cast<Eigen::Index>(size);
    Matrix a = Matrix::Zero(n, n);
    for (std::size_t e = 0; e < entries.size(); ++e) {
      a(entries[e].row, entries[e].col) += values[e];
      if (entries[e].row != entries[e].col) a(entries[e].col, entries[e].row) += values[e];
    }
    return a;
  }
};

// Variables x_k of a chain with curvature of either sign or none, and rows that couple neighbours.
Sample chain_of_intervals(int intervals, int states, int rows, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  Sample s;
  const int variables = (intervals + 1) * states;
  for (int i = 0; i < variables; ++i) s.add(i, i, i % 3 == 0 ? 0.0 : number(random));
  for (int k = 0; k < intervals; ++k)
    for (int r = 0; r < rows; ++r) {
      const int row = variables + k * rows + r;
      s.add(row, row, 0.0);
      for (int i = 0; i < 2 * states; ++i) s.add(row, k * states + i, number(random));
    }
  for (int k = 0; k < intervals; ++k) s.add((k + 1) * states, k * states, number(random));
  s.size = static_cast<std::size_t>(variables + intervals * rows);
  return s;
}

void expect_law_of_inertia_and_solution(const Sample& s) {
  const Matrix a = s.dense();
  FrontFactors factors(s.size, s.entries);
  ASSERT_TRUE(factors.factor(s.values));
  const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(a).eigenvalues();
  EXPECT_EQ(factors.negative_eigenvalues(), static_cast<std::size_t>((eigenvalues.array() < 0.0).count()));
  Vector x(a.rows());
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + static_cast<double>(i));
  Vector b = a * x;
  factors.solve({b.data(), static_cast<std::size_t>(b.size())});
  EXPECT_LT((b - x).norm() / x.norm(), 1e-8);
}

TEST(FrontFactors, CountNegativeEigenvaluesOfChains) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    expect_law_of_inertia_and_solution(chain_of_intervals(10, 4, 3, seed));
    expect_law_of_inertia_and_solution(chain_of_intervals(25, 3, 2, seed));
    expect_law_of_inertia_and_solution(chain_of_intervals(1, 6, 4, seed));
  }
}

TEST(FrontFactors, OtherValuesInTheSameOrder) {
  const Sample first = chain_of_intervals(12, 4, 3, 1), second = chain_of_intervals(12, 4, 3, 2);
  FrontFactors factors(first.size, first.entries);
  ASSERT_TRUE(factors.factor(first.values));
  ASSERT_TRUE(factors.factor(second.values));
  const Matrix a = second.dense();
  Vector x = Vector::Ones(a.rows()), b = a * x;
  factors.solve({b.data(), static_cast<std::size_t>(b.size())});
  EXPECT_LT((b - x).norm() / x.norm(), 1e-8);
  const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(a).eigenvalues();
  EXPECT_EQ(factors.negative_eigenvalues(), static_cast<std::size_t>((eigenvalues.array() < 0.0).count()));
}

TEST(FrontFactors, RowsOfVeryDifferentSize) {
  Sample s = chain_of_intervals(10, 4, 3, 3);
  for (std::size_t e = 0; e < s.entries.size(); ++e)
    for (const int i : {s.entries[e].row, s.entries[e].col}) s.values[e] *= std::pow(10.0, i % 7 - 3);
  const Matrix a = s.dense();
  FrontFactors factors(s.size, s.entries);
  ASSERT_TRUE(factors.factor(s.values));
  const Sample even = chain_of_intervals(10, 4, 3, 3);  // congruent to it
  const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(even.dense()).eigenvalues();
  EXPECT_EQ(factors.negative_eigenvalues(), static_cast<std::size_t>((eigenvalues.array() < 0.0).count()));
}

// Too large for fronts of our own.
TEST(SymmetricFactors, FullMatricesGoToALibrary) {
  const std::scoped_lock lock(mumps_in_use());
  constexpr int n = 500;
  Sample s;
  s.size = n;
  for (int i = 0; i < n; ++i) {
    s.add(i, i, i % 3 == 0 ? -n : n);  // Gershgorin: signs of the eigenvalues are those of the diagonal
    for (int j = 0; j < i; ++j) s.add(i, j, std::sin(3.0 * i + j));
  }
  for (const auto kind : {SymmetricFactors::Values::alike, SymmetricFactors::Values::unlike}) {
    SymmetricFactors factors(s.size, s.entries, kind);
    ASSERT_TRUE(factors.factor(s.values));
    EXPECT_EQ(factors.negative_eigenvalues(), std::size_t{(n + 2) / 3});
    const Matrix a = s.dense();
    const Vector x = Vector::Ones(a.rows());
    Vector b = a * x;
    factors.solve({b.data(), static_cast<std::size_t>(b.size())});
    EXPECT_LT((b - x).norm() / x.norm(), 1e-10);
  }
}

TEST(FrontFactors, SingularMatricesAreRefused) {
  Sample s;
  s.size = 3;
  s.add(0, 0, 1.0);
  s.add(1, 1, 0.0);
  s.add(2, 2, 0.0);
  s.add(1, 0, 2.0);
  FrontFactors factors(s.size, s.entries);
  EXPECT_FALSE(factors.factor(s.values));  // the last unknown appears nowhere
}

}  // namespace
}  // namespace invar
