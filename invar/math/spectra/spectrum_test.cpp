// Eigenvalues of badly scaled and defective matrices that are known in closed form.
#include "invar/math/spectra/spectrum.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

namespace invar {
namespace {

TEST(Spectrum, JudgesASlowEigenvalueByItselfNextToAFastOne) {
  Matrix A = Matrix::Zero(4, 4);  // x'' = 9.81 x beside y'' = -5e6 y - 200 y'
  A(0, 1) = A(2, 3) = 1.0;
  A(1, 0) = 9.81;
  A(3, 2) = -5e6;
  A(3, 3) = -200.0;
  for (const double unit : {1e-6, 1.0, 1e6}) {
    Vector d(4);
    d << unit, 1.0, 1.0 / unit, unit * unit;
    const Spectrum s = spectrum(d.asDiagonal() * A * d.cwiseInverse().asDiagonal());
    EXPECT_NEAR(s.values.back().real(), std::sqrt(9.81), 1e-12);
    EXPECT_LT(s.uncertainty.back(), 1e-10);
  }
}

TEST(Spectrum, FindsADoubleZeroAsUncertainAsRoundingSplitsIt) {
  // Two masses on a spring, free to drift, in coordinates that mix them: the double zero is split by rounding errors.
  const double k = 4e3, a = 0.3, b = 1.7;
  Matrix K(2, 2), T(2, 2), A = Matrix::Zero(4, 4);
  K << -k, k, k, -k;
  T << 1.0, a, b, 1.0;
  A.topRightCorner(2, 2).setIdentity();
  A.bottomLeftCorner(2, 2) = T.inverse() * K * T;
  const Spectrum s = spectrum(A);
  int drifting = 0;
  for (std::size_t i = 0; i < 4; ++i)
    if (std::abs(s.values[i]) < 1e-3 * std::sqrt(2.0 * k)) {
      ++drifting;
      EXPECT_LE(std::abs(s.values[i]), s.uncertainty[i]);
    }
  EXPECT_EQ(drifting, 2);
}

TEST(Spectrum, OfAJordanBlockIsExact) {
  Matrix A = Matrix::Zero(2, 2);
  A(0, 1) = 1.0;
  const Spectrum s = spectrum(A);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(std::abs(s.values[i]), 0.0);
  EXPECT_TRUE(std::isfinite(s.uncertainty[0]));
}

}  // namespace
}  // namespace invar
