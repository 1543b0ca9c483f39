// Laws of the linear solver: small residual, dense = sparse, refactoring = factoring anew, singular matrices are
// reported.
#include "invar/math/linear_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <utility>

#include "invar/base/error.h"
#include "invar/math/klu_solver.h"
#include "invar/math/rank.h"

namespace invar {
namespace {

using Kind = LinearSolver::Kind;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// Backward error of Gaussian elimination: a modest multiple of n ε for the sizes and growths that occur here.
constexpr double backward_error = 1000 * epsilon;

struct SparseMatrix {
  Pattern pattern;
  std::vector<double> values;
};

// Entries whose mask is set are part of the pattern, whatever their value.
SparseMatrix sparse(const Matrix& A, const Matrix& mask) {
  SparseMatrix s;
  s.pattern.rows = static_cast<int>(A.rows());
  s.pattern.cols = static_cast<int>(A.cols());
  for (int j = 0; j < A.cols(); ++j) {
    for (int i = 0; i < A.rows(); ++i)
      if (mask(i, j) != 0) {
        s.pattern.row.push_back(i);
        s.values.push_back(A(i, j));
      }
    s.pattern.start.push_back(static_cast<int>(s.pattern.row.size()));
  }
  return s;
}

SparseMatrix sparse(const Matrix& A) { return sparse(A, A); }

// [M Gᵀ; G 0] with rows and columns in wildly different units: regular, and without the scaling well conditioned.
Matrix saddle_point(int coordinates, int constraints, std::mt19937_64& random, double decades = 6) {
  std::uniform_real_distribution<double> entry(-1, 1);
  const int n = coordinates + constraints;
  Matrix A = Matrix::Zero(n, n);
  for (int i = 0; i < coordinates; ++i) A(i, i) = 2 + entry(random);
  for (int k = 0; k < constraints; ++k) {
    A(coordinates + k, k) = 3;  // a leading triangle keeps the constraints independent
    for (int t = 0; t < 4; ++t) {
      const int j = k + static_cast<int>(random() % static_cast<unsigned>(coordinates - k));
      if (j > k) A(coordinates + k, j) = entry(random);
    }
    A.col(coordinates + k).head(coordinates) = A.row(coordinates + k).head(coordinates).transpose();
  }
  for (int i = 0; i < n; ++i) A.row(i) *= std::pow(10, decades * entry(random));
  for (int j = 0; j < n; ++j) A.col(j) *= std::pow(10, decades * entry(random));
  return A;
}

Vector random_vector(int n, std::mt19937_64& random) {
  std::uniform_real_distribution<double> entry(-1, 1);
  Vector v(n);
  for (double& x : v) x = entry(random);
  return v;
}

Vector solve(const LinearSolver& solver, Vector b) {
  solver.solve({b.data(), static_cast<std::size_t>(b.size())});
  return b;
}

// max_i |A x − b|_i / (|A| |x|)_i: free of all units.
double residual(const Matrix& A, const Vector& x, const Vector& b) {
  return ((A * x - b).cwiseAbs().array() / (A.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs()).array()).maxCoeff();
}

class EachKind : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(LinearSolver, EachKind,
                         testing::Values(Kind::dense, Kind::sparse, Kind::automatic, Kind::any_pivots, Kind::banded));

TEST_P(EachKind, SolvesBadlyScaledSystems) {
  std::mt19937_64 random(1);
  for (const int n : {1, 2, 5, 12, 40, 90}) {
    for (int instance = 0; instance < 10; ++instance) {
      const Matrix A = saddle_point(n, n / 3, random);
      const auto [pattern, values] = sparse(A);
      LinearSolver solver(pattern, GetParam());
      ASSERT_TRUE(solver.factor(values));
      EXPECT_EQ(solver.singular_column(), -1);
      EXPECT_GT(solver.reciprocal_condition(), 0);
      EXPECT_LE(solver.reciprocal_condition(), 1);
      const Vector b = A * random_vector(static_cast<int>(A.cols()), random);
      EXPECT_LT(residual(A, solve(solver, b), b), backward_error);
    }
  }
}

TEST_P(EachKind, RefactorsForNewValues) {
  std::mt19937_64 random(2);
  Matrix A = saddle_point(30, 12, random);
  const Matrix mask = A;
  LinearSolver solver(sparse(A).pattern, GetParam());
  for (int instance = 0; instance < 20; ++instance) {
    for (double& a : A.reshaped()) a *= 1 + 0.3 * std::sin(static_cast<double>(random() % 100));
    ASSERT_TRUE(solver.factor(sparse(A, mask).values));
    const Vector b = A * random_vector(42, random);
    EXPECT_LT(residual(A, solve(solver, b), b), backward_error);
  }
}

TEST_P(EachKind, FindsNewPivotsWhenTheOldOnesVanish) {
  std::mt19937_64 random(3);
  const int n = 30;
  Matrix mask = Matrix::Zero(n, n);  // a tridiagonal matrix plus one full row and column: one irreducible block
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (std::abs(i - j) <= 1 || i == 0 || j == 0) mask(i, j) = 1;
  Matrix A = mask;
  for (double& a : A.reshaped()) a *= 1 + 0.5 * random_vector(1, random)[0];
  A.diagonal() *= 1000;
  LinearSolver solver(sparse(A, mask).pattern, GetParam());
  ASSERT_TRUE(solver.factor(sparse(A, mask).values));
  for (const double diagonal : {1e-6, 1e-12, 0.0, 1.0}) {  // times the diagonal that the first pivots were chosen for
    Matrix B = A;
    B.diagonal() *= diagonal;
    ASSERT_TRUE(solver.factor(sparse(B, mask).values)) << diagonal;
    const Vector b = B * random_vector(n, random);
    const Vector x = solve(solver, b);
    EXPECT_LT(residual(B, x, b), backward_error) << diagonal;
  }
}

TEST(LinearSolver, DenseAndSparseAgree) {
  std::mt19937_64 random(4);
  // Forward error: backward error times the condition of the saddle-point matrices without scaling.
  constexpr double forward_error = 1e-10;
  for (int instance = 0; instance < 30; ++instance) {
    const Matrix A = saddle_point(10 + instance, 4 + instance / 2, random, 2);
    const auto [pattern, values] = sparse(A);
    LinearSolver dense(pattern, Kind::dense), klu(pattern, Kind::sparse);
    EXPECT_FALSE(dense.is_sparse());
    EXPECT_TRUE(klu.is_sparse());
    ASSERT_TRUE(dense.factor(values) && klu.factor(values));
    const Vector b = A * random_vector(static_cast<int>(A.cols()), random);
    const Vector x = solve(dense, b), y = solve(klu, b);
    EXPECT_LT((x - y).norm(), forward_error * x.norm());
  }
}

TEST_P(EachKind, ZeroColumnIsNamed) {
  std::mt19937_64 random(5);
  for (int column = 0; column < 40; ++column) {
    Matrix A = saddle_point(30, 10, random, 1);
    const Matrix mask = A;
    A.col(column).setZero();
    LinearSolver by_value(sparse(mask).pattern, GetParam());
    EXPECT_FALSE(by_value.factor(sparse(A, mask).values));
    EXPECT_EQ(by_value.singular_column(), column);
    LinearSolver by_structure(sparse(A).pattern, GetParam());
    EXPECT_FALSE(by_structure.factor(sparse(A).values));
    EXPECT_EQ(by_structure.singular_column(), column);
    // After a singular matrix a regular one still works.
    ASSERT_TRUE(by_value.factor(sparse(mask).values));
    const Vector b = mask * random_vector(40, random);
    EXPECT_LT(residual(mask, solve(by_value, b), b), backward_error);
  }
}

TEST_P(EachKind, DependentColumnIsNamed) {
  std::mt19937_64 random(6);
  for (int instance = 0; instance < 30; ++instance) {
    const int n = 6 + instance;
    Matrix A = saddle_point(n, n / 3, random, 1);
    const int a = static_cast<int>(random() % static_cast<unsigned>(n));
    const int b = (a + 1) % n, c = (a + 3) % n;
    A.col(c) = 0.3 * A.col(a) - 0.7 * A.col(b);
    LinearSolver solver(sparse(A).pattern, GetParam());
    ASSERT_FALSE(solver.factor(sparse(A).values)) << n;
    Matrix without = A;
    without.col(solver.singular_column()).setZero();
    EXPECT_EQ(rank(without), rank(A)) << n;  // the named unknown is one that the others can stand in for
  }
}

TEST_P(EachKind, SingularityFoundAfterARegularFactorisation) {
  std::mt19937_64 random(7);
  Matrix A = saddle_point(30, 10, random, 1);
  const Matrix mask = Matrix::Ones(40, 40);
  LinearSolver solver(sparse(A, mask).pattern, GetParam());
  ASSERT_TRUE(solver.factor(sparse(A, mask).values));
  A.row(7) = 2 * A.row(3) - A.row(12);
  ASSERT_FALSE(solver.factor(sparse(A, mask).values));
  Matrix without = A;
  without.col(solver.singular_column()).setZero();
  EXPECT_EQ(rank(A), 39);
  EXPECT_EQ(rank(without), 39);
}

TEST_P(EachKind, ValuesThatAreNotFiniteAreRefused) {
  const auto [pattern, values] = sparse(Matrix::Identity(3, 3));
  LinearSolver solver(pattern, GetParam());
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    std::vector<double> v = values;
    v[1] = bad;
    EXPECT_FALSE(solver.factor(v));
    EXPECT_EQ(solver.singular_column(), -1);
  }
}

TEST_P(EachKind, ExtremeUnitsAreNoSingularity) {
  Matrix A(2, 2);
  A << 1e300, 2e-10, 3e-300, 4e-310;
  const auto [pattern, values] = sparse(A);
  LinearSolver solver(pattern, GetParam());
  EXPECT_TRUE(solver.factor(values));
}

TEST_P(EachKind, EmptySystem) {
  LinearSolver solver(Pattern{}, GetParam());
  EXPECT_TRUE(solver.factor({}));
  solver.solve({});
  EXPECT_EQ(solver.reciprocal_condition(), 1);
}

TEST_P(EachKind, MovesWithItsFactors) {
  const auto [pattern, values] = sparse(2 * Matrix::Identity(30, 30));
  LinearSolver first(pattern, GetParam());
  ASSERT_TRUE(first.factor(values));
  const LinearSolver second(std::move(first));
  EXPECT_EQ(solve(second, Vector::Ones(30)), Vector::Constant(30, 0.5));
}

TEST(LinearSolver, IsNotCopied) {
  EXPECT_FALSE(std::is_copy_constructible_v<LinearSolver>);
  EXPECT_TRUE(std::is_nothrow_move_constructible_v<LinearSolver>);
}

TEST(LinearSolver, AutomaticIsSparseOnlyForLargeSparseMatrices) {
  EXPECT_FALSE(LinearSolver(sparse(Matrix::Identity(5, 5)).pattern).is_sparse());
  EXPECT_FALSE(LinearSolver(sparse(Matrix::Ones(100, 100)).pattern).is_sparse());
  EXPECT_TRUE(LinearSolver(sparse(Matrix::Identity(100, 100)).pattern).is_sparse());
}

TEST(LinearSolver, BrokenPromisesAreBugs) {
  Pattern wide{.rows = 1, .cols = 2, .start = {0, 0, 0}, .row = {}};
  EXPECT_THROW(LinearSolver{wide}, ContractViolation);
  LinearSolver solver(sparse(Matrix::Identity(2, 2)).pattern);
  std::vector<double> b(2);
  EXPECT_THROW(solver.solve(b), ContractViolation);
  EXPECT_THROW(solver.factor(std::vector<double>{1}), ContractViolation);
}

// A tridiagonal coupling of saddle points, of which the diagonal has zeros: [M Gᵀ; G 0] of a long chain.
SparseMatrix chain_matrix(int links, std::mt19937_64& random) {
  std::uniform_real_distribution<double> entry(1, 2);
  std::vector<std::map<int, double>> columns(static_cast<std::size_t>(2 * links));
  for (int k = 0; k < links; ++k) {
    columns[k][k] = entry(random);
    for (const int j : {k, k + 1})
      if (j < links) columns[j][links + k] = columns[links + k][j] = (j == k ? 2 : 1) * entry(random);
  }
  SparseMatrix s;
  s.pattern.rows = s.pattern.cols = 2 * links;
  for (const auto& column : columns) {
    for (const auto& [row, value] : column) {
      s.pattern.row.push_back(row);
      s.values.push_back(value);
    }
    s.pattern.start.push_back(static_cast<int>(s.pattern.row.size()));
  }
  return s;
}

// max_i |A x − b|_i / (|A| |x|)_i, likewise.
double sparse_residual(const SparseMatrix& A, const std::vector<double>& x, const std::vector<double>& b) {
  std::vector<double> r = b, size(b.size(), 0.0);
  for (int j = 0; j < A.pattern.cols; ++j)
    for (int e = A.pattern.start[j]; e < A.pattern.start[j + 1]; ++e) {
      r[A.pattern.row[e]] -= A.values[e] * x[j];
      size[A.pattern.row[e]] += std::abs(A.values[e] * x[j]);
    }
  double worst = 0;
  for (std::size_t i = 0; i < r.size(); ++i) worst = std::max(worst, std::abs(r[i]) / (size[i] + std::abs(b[i])));
  return worst;
}

TEST(LinearSolver, SolvesLargeSaddlePoints) {
  std::mt19937_64 random(12);
  const SparseMatrix A = chain_matrix(20000, random);
  LinearSolver solver(A.pattern);
  ASSERT_TRUE(solver.factor(A.values));
  const std::vector<double> b(A.pattern.cols, 1.0);
  std::vector<double> x = b;
  solver.solve(x);
  EXPECT_LT(sparse_residual(A, x, b), backward_error);
  EXPECT_LT(solver.factor_entries(), 10 * A.pattern.size());
}

TEST(LinearSolver, AnotherHasItsOwnFactors) {
  std::mt19937_64 random(13);
  const SparseMatrix A = chain_matrix(200, random), B = chain_matrix(200, random);
  LinearSolver first(A.pattern);
  ASSERT_TRUE(first.factor(A.values));
  LinearSolver second = first.another();
  EXPECT_FALSE(second.has_factors());
  ASSERT_TRUE(second.factor(B.values));
  const std::vector<double> b(A.pattern.cols, 1.0);
  for (const auto& [solver, matrix] : {std::pair{&first, &A}, std::pair{&second, &B}}) {
    std::vector<double> x = b;
    solver->solve(x);
    EXPECT_LT(sparse_residual(*matrix, x, b), backward_error);
  }
}

// Also where KLU is given an order of columns that puts entries onto the diagonal.
TEST(KluSolver, SolvesWithTheTransposedMatrix) {
  for (const int n : {7, 2100}) {
    SparseMatrix s;  // a band beside the diagonal, closed to a cycle
    s.pattern.rows = s.pattern.cols = n;
    for (int j = 0; j < n; ++j) {
      const int near = (j + 1) % n, far = (j + 3) % n;
      for (const int i : {std::min(near, far), std::max(near, far)}) {
        s.pattern.row.push_back(i);
        s.values.push_back(i == near ? 3.0 + std::sin(j) : 1.0);
      }
      s.pattern.start.push_back(static_cast<int>(s.pattern.row.size()));
    }
    KluSolver solver(s.pattern, KluSolver::Order::any_pivots);
    ASSERT_LT(solver.factor(s.values, std::vector<double>(static_cast<std::size_t>(n), 0.0)), 0);
    std::vector<double> x(2 * static_cast<std::size_t>(n));  // two right-hand sides
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::cos(static_cast<double>(i));
    const std::vector<double> b = x;
    solver.solve_transposed(x);
    for (int c = 0; c < 2; ++c)
      for (int j = 0; j < n; ++j) {
        double sum = 0.0;
        for (int e = s.pattern.start[static_cast<std::size_t>(j)]; e < s.pattern.start[static_cast<std::size_t>(j) + 1];
             ++e)
          sum += s.values[static_cast<std::size_t>(e)] *
                 x[static_cast<std::size_t>(c * n + s.pattern.row[static_cast<std::size_t>(e)])];
        ASSERT_NEAR(sum, b[static_cast<std::size_t>(c * n + j)], backward_error) << n << ", row " << j;
      }
  }
}

}  // namespace
}  // namespace invar
