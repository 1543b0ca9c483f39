// See inertia.h.
#include "invar/model/mechanism/inertia.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

#include "invar/base/error.h"

namespace invar {
namespace {

constexpr double round_off = 1e-9;   // of moments that are on the edge of what a body can have, such as those of a rod
constexpr double six_digits = 1e-6;  // of a rotation written down

Matrix3 from_rows(std::span<const double> numbers) {
  Matrix3 m;
  for (Eigen::Index i = 0; i < 9; ++i) m(i / 3, i % 3) = numbers[static_cast<std::size_t>(i)];
  return m;
}

// No director has negative mass because of the last digit.
Matrix3 without_round_off(const Matrix3& inertia) {
  const Matrix3 euler = 0.5 * inertia.trace() * Matrix3::Identity() - inertia;
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(euler);
  if (solver.eigenvalues()[0] >= 0.0) return inertia;
  const Matrix3 mended =
      solver.eigenvectors() * solver.eigenvalues().cwiseMax(0.0).asDiagonal() * solver.eigenvectors().transpose();
  return mended.trace() * Matrix3::Identity() - mended;
}

}  // namespace

Matrix3 rotation_from_quaternion(std::span<const double> wxyz) {
  const Eigen::Vector4d p(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
  const double length = p.stableNorm();
  if (!(length > 0.0)) throw InputError("the quaternion must not be zero");
  return Eigen::Quaterniond(p[0] / length, p[1] / length, p[2] / length, p[3] / length).normalized().toRotationMatrix();
}

Matrix3 rotation_from_matrix(std::span<const double> numbers) {
  const Matrix3 m = from_rows(numbers);
  const double error = (m.transpose() * m - Matrix3::Identity()).cwiseAbs().maxCoeff();
  if (!(error <= six_digits))
    throw InputError(fmt::format("the matrix is no rotation: RᵀR differs from 1 by {:.2g}", error));
  if (m.determinant() < 0.0) throw InputError("the matrix is no rotation but a reflection");
  return Eigen::Quaterniond(m).normalized().toRotationMatrix();
}

Matrix3 rotation_from_bryant(std::span<const double> angles) {
  using Eigen::AngleAxisd;
  return (AngleAxisd(angles[0], Vector3::UnitX()) * AngleAxisd(angles[1], Vector3::UnitY()) *
          AngleAxisd(angles[2], Vector3::UnitZ()))
      .toRotationMatrix();
}

Matrix3 inertia_from(std::span<const double> n) {
  Matrix3 inertia = Matrix3::Zero();
  if (n.size() == 9) {
    inertia = from_rows(n);
    if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > round_off * inertia.cwiseAbs().maxCoeff())
      throw InputError("not symmetric");
    inertia = 0.5 * (inertia + inertia.transpose()).eval();
  } else {
    inertia.diagonal() << n[0], n[1], n[2];
    if (n.size() == 6) {
      inertia(0, 1) = inertia(1, 0) = n[3];
      inertia(0, 2) = inertia(2, 0) = n[4];
      inertia(1, 2) = inertia(2, 1) = n[5];
    }
  }
  const Vector3 j = Eigen::SelfAdjointEigenSolver<Matrix3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  const double largest = j.cwiseAbs().maxCoeff();
  if (!std::isfinite(largest)) throw InputError("too large");
  const bool negative = j[0] < -round_off * largest;
  if (negative || j[2] > j[0] + j[1] + round_off * largest)
    throw InputError(fmt::format("no body has these moments: the principal ones are {:.6g}, {:.6g} and {:.6g}, and {}",
                                 j[0], j[1], j[2],
                                 negative ? "none can be negative" : "none can exceed the sum of the others"));
  return without_round_off(inertia);
}

}  // namespace invar
