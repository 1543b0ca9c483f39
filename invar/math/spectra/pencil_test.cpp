// Linear equations with a singular E against those that they come from.
#include "invar/math/spectra/pencil.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <complex>
#include <vector>

#include "invar/math/spectra/quadratic_pencil.h"

namespace invar {
namespace {

std::vector<double> real_eigenvalues(const Matrix& F) {
  const Eigen::VectorXcd s = Eigen::EigenSolver<Matrix>(F).eigenvalues();
  std::vector<double> values;
  for (const auto& value : s) values.push_back(value.real());
  std::sort(values.begin(), values.end());
  return values;
}

// x' = F₀ x hidden among conditions z = C x and the derivatives of them that E asks for.
TEST(Pencil, FindsTheOrdinaryPartAmongConditions) {
  const Matrix F0 = (Matrix(2, 2) << -1.0, 0.5, 0.0, -3.0).finished();
  Matrix E = Matrix::Zero(4, 4), A = Matrix::Zero(4, 4);
  E.topLeftCorner(2, 2).setIdentity();
  E(2, 3) = 1.0;  // w' = z, z = x₁: w is a derivative less
  A.topLeftCorner(2, 2) = F0;
  A(2, 2) = 1.0;
  A(3, 2) = -1.0;
  A(3, 0) = 1.0;
  const Matrix left = (Matrix(4, 4) << 1, 2, 0, 1, 0, 1, 1, 0, 3, 0, 1, 0, 0, 1, 0, 2).finished();
  const OrdinaryPart part = ordinary_part(left * E, left * A);
  ASSERT_TRUE(part.is_determined);
  ASSERT_EQ(part.F.rows(), 3);  // x₁, x₂, w
  const std::vector<double> s = real_eigenvalues(part.F);
  EXPECT_NEAR(s[0], -3.0, 1e-12);
  EXPECT_NEAR(s[1], -1.0, 1e-12);
  EXPECT_NEAR(s[2], 0.0, 1e-12);
}

// M x'' + K x = 0 with a coordinate without mass: springs in a row.
TEST(Pencil, CondensesWhatHasNoMass) {
  Matrix E = Matrix::Identity(4, 4), A = Matrix::Zero(4, 4);
  E(2, 2) = 0.0;
  A.topRightCorner(2, 2).setIdentity();
  A.bottomLeftCorner(2, 2) << -3.0, 2.0, 2.0, -2.0;
  const OrdinaryPart part = ordinary_part(E, A);
  ASSERT_TRUE(part.is_determined);
  ASSERT_EQ(part.F.rows(), 2);
  EXPECT_NEAR(part.F.determinant(), 2.0 - 4.0 / 3.0, 1e-12);  // ω²
  EXPECT_NEAR(part.F.trace(), 0.0, 1e-12);
}

TEST(Pencil, TellsWhatNothingDetermines) {
  const Matrix E = (Matrix(2, 2) << 1.0, 0.0, 0.0, 0.0).finished(),
               A = (Matrix(2, 2) << -1.0, 1.0, 0.0, 0.0).finished();
  EXPECT_FALSE(ordinary_part(E, A).is_determined);
}

TEST(QuadraticPencil, SolvesForComplexAndRealS) {
  const Matrix A0 = (Matrix(3, 3) << 4.0, 0.0, 1.0, 0.0, 9.0, 0.0, 1.0, 0.0, 0.0).finished(),
               A1 = (Matrix(3, 3) << 0.1, 0.0, 0.0, 0.3, 0.2, 0.0, 0.0, 0.0, 0.0).finished(),
               A2 = (Matrix(3, 3) << 1.0, 0.5, 0.0, 0.5, 2.0, 0.0, 0.0, 0.0, 0.0).finished();
  QuadraticPencil pencil({A0, A1, A2});
  const Eigen::MatrixXcd b = Eigen::MatrixXcd::Random(3, 2);
  for (const std::complex<double> s : {std::complex<double>(0.7, 1.9), std::complex<double>(-2.5, 0.0)}) {
    ASSERT_TRUE(pencil.factor(s));
    const Eigen::MatrixXcd P = A0 + s * A1 + s * s * A2;
    EXPECT_LT((P * pencil.solve(b) - b).norm(), 1e-14 * P.norm() * b.norm()) << "some roundings";
  }
  EXPECT_EQ(pencil.solve(b.real().cast<std::complex<double>>()).imag().norm(), 0.0) << "real ones stay real";
  EXPECT_FALSE(QuadraticPencil({Matrix::Zero(2, 2), Matrix::Identity(2, 2), Matrix::Zero(2, 2)}).factor(0.0));
}

}  // namespace
}  // namespace invar
