// See free_oscillations.h.
#include "invar/task/stable_inversion/free_oscillations.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "invar/base/error.h"
#include "invar/math/decompositions.h"
#include "invar/math/spectra/quadratic_pencil.h"

namespace invar {

namespace {

using Complex = std::complex<double>;

template <class Size>
Vector sizes_of(int count, const Size& size) {
  Vector all(count);
  for (int i = 0; i < count; ++i) all[i] = size(static_cast<std::size_t>(i));
  return all;
}

Vector unknown_sizes(const JetEvaluator& evaluator) {
  return sizes_of(static_cast<int>(evaluator.size()), [&](std::size_t j) { return evaluator.units().unknown(j); });
}

// ∂f/∂x^(r) at rest, in natural units of equations and unknowns: what follows has to decide which values are small.
std::array<Matrix, 3> rest_coefficients(JetEvaluator& evaluator, const Jet& rest) {
  const int n = static_cast<int>(evaluator.size());
  const Vector in_equation = sizes_of(n, [&](std::size_t i) { return evaluator.units().equation(i); });
  const Vector of_unknown = unknown_sizes(evaluator);
  std::vector<Derivative> rows, columns;
  for (int i = 0; i < n; ++i) rows.push_back({i, 0});
  std::array<Matrix, 3> A;
  for (int r = 0; r < 3; ++r) {
    columns.clear();
    for (int j = 0; j < n; ++j) columns.push_back({j, r});
    A[static_cast<std::size_t>(r)] =
        in_equation.asDiagonal() * evaluator.array(rest, rows, columns) * of_unknown.asDiagonal();
  }
  return A;
}

// Powers of two by which rows and columns of |A₀| + |s| |A₁| + |s|² |A₂| become comparable: A is scaled, the factors of
// its columns are returned.
Vector balance(std::array<Matrix, 3>& A, double s) {
  constexpr int sweeps = 4;
  const auto power_of_two = [](double x) { return x > 0.0 ? std::exp2(-std::round(std::log2(x))) : 1.0; };
  Matrix P = A[0].cwiseAbs() + s * A[1].cwiseAbs() + s * s * A[2].cwiseAbs();
  Vector rows = Vector::Ones(P.rows()), columns = Vector::Ones(P.cols());
  for (int k = 0; k < sweeps; ++k)
    for (Eigen::Index i = 0; i < P.rows(); ++i) {
      const double row = power_of_two(P.row(i).maxCoeff());
      P.row(i) *= row;
      rows[i] *= row;
      const double column = power_of_two(P.col(i).maxCoeff());
      P.col(i) *= column;
      columns[i] *= column;
    }
  for (Matrix& a : A) a = rows.asDiagonal() * a * columns.asDiagonal();
  return columns;
}

// P(s) and its adjoint.
struct PencilWithAdjoint {
  QuadraticPencil straight, adjoint;

  explicit PencilWithAdjoint(const std::array<Matrix, 3>& A)
      : straight(A), adjoint({A[0].transpose(), A[1].transpose(), A[2].transpose()}) {}
  bool factor(Complex s) { return straight.factor(s) && adjoint.factor(std::conj(s)); }
};

// What P nearly maps to zero, `count` vectors: inverse iteration.
Eigen::MatrixXcd nearly_null(const PencilWithAdjoint& P, Eigen::Index size, Eigen::Index count) {
  constexpr int iterations = 4;
  Eigen::MatrixXcd V(size, count);
  for (Eigen::Index i = 0; i < V.rows(); ++i)
    for (Eigen::Index j = 0; j < count; ++j) V(i, j) = std::cos(1.0 + static_cast<double>(i * (j + 1)));
  for (int k = 0; k < iterations; ++k) {
    V = P.straight.solve(P.adjoint.solve(V));
    V = Eigen::HouseholderQR<Eigen::MatrixXcd>(V).householderQ() * Eigen::MatrixXcd::Identity(V.rows(), count);
  }
  return V;
}

// As many independent columns, each of length 1 before, as there are pairs of them.
Matrix most_independent(const Matrix& columns) {
  const Eigen::Index count = columns.cols() / 2;
  const Eigen::ColPivHouseholderQR<Matrix> qr(columns);
  Matrix chosen(columns.rows(), count);
  for (Eigen::Index i = 0; i < count; ++i) chosen.col(i) = columns.col(qr.colsPermutation().indices()[i]);
  return chosen;
}

// The vectors that belong to the zeros, right (φ) or left (ψ), real: one for each oscillation without damping, whose
// vector is real but for a factor, and both parts of the vector that two oscillations have which grow and decay alike.
Matrix shapes_of(std::array<Matrix, 3> A, const std::vector<Complex>& zeros, bool left) {
  constexpr double alike = 1e-6, beside = 1e-8, far = 1e-4;  // relative; P(s) itself would be singular
  const auto count = static_cast<Eigen::Index>(zeros.size());
  if (zeros.empty()) return Matrix(A[0].rows(), 0);
  if (left)
    for (Matrix& a : A) a.transposeInPlace();
  const Vector columns = balance(A, std::abs(zeros[zeros.size() / 2]));
  PencilWithAdjoint P(A);
  Matrix all(A[0].rows(), 2 * count);
  Eigen::Index done = 0;
  for (std::size_t i = 0; i < zeros.size();) {
    const Complex s = zeros[i];
    std::size_t j = i + 1;
    while (j < zeros.size() && std::abs(zeros[j] - zeros[i]) <= alike * std::abs(s)) ++j;
    const auto times = static_cast<Eigen::Index>(j - i);
    double distance = beside;
    while (!P.factor(s * (1.0 + distance)) && distance < far) distance *= 10.0;
    expects(distance < far, "a regular matrix beside a zero");
    const Eigen::MatrixXcd vectors = nearly_null(P, A[0].rows(), times);
    for (Eigen::Index k = 0; k < times; ++k) {
      Eigen::VectorXcd v = columns.asDiagonal() * vectors.col(k);
      const Complex square = (v.array() * v.array()).sum();
      if (std::abs(square) > 0.0)
        v *= std::sqrt(std::conj(square) / std::abs(square));  // so that Re v is as long as can be
      all.col(2 * (done + k)) = v.real() / v.norm();
      all.col(2 * (done + k) + 1) = v.imag() / v.norm();
    }
    done += times;
    i = j;
  }
  return most_independent(all);
}

}  // namespace

std::vector<Complex> free_oscillations(const ZeroDynamics& zero, double time) {
  constexpr double tenfold = 2.3;
  std::vector<Complex> found, growing;
  for (std::size_t i = 0; i < zero.eigenvalues.size(); ++i) {
    const Complex s = zero.eigenvalues[i];
    if (!(s.imag() > 0.0)) continue;
    (zero.grows(i) && s.real() > tenfold / time ? growing : found).push_back(s);
  }
  for (const Complex& s : growing) {
    const Complex mirrored = -std::conj(s);
    const auto partner =
        std::ranges::min_element(found, {}, [&](const Complex& other) { return std::abs(other - mirrored); });
    if (partner != found.end()) found.erase(partner);
  }
  std::ranges::stable_sort(found, {}, [](const Complex& s) { return std::abs(s); });
  return found;
}

Matrix start_shapes(JetEvaluator& evaluator, const std::vector<Complex>& zeros, const Jet& rest) {
  const std::array<Matrix, 3> A = rest_coefficients(evaluator, rest);
  Matrix rows = shapes_of(A, zeros, true).transpose() * A[2];
  for (Eigen::Index i = 0; i < rows.rows(); ++i) rows.row(i) /= rows.row(i).cwiseAbs().maxCoeff();
  return rows * unknown_sizes(evaluator).cwiseInverse().asDiagonal();
}

Matrix end_shapes(JetEvaluator& evaluator, const std::vector<Complex>& zeros, const Jet& rest) {
  Matrix columns = shapes_of(rest_coefficients(evaluator, rest), zeros, false);
  for (std::size_t j = 0; j < evaluator.size(); ++j)
    if (evaluator.highest(j) < 2) columns.row(static_cast<Eigen::Index>(j)).setZero();
  for (Eigen::Index i = 0; i < columns.cols(); ++i) columns.col(i) /= columns.col(i).cwiseAbs().maxCoeff();
  return unknown_sizes(evaluator).asDiagonal() * columns;
}

}  // namespace invar
