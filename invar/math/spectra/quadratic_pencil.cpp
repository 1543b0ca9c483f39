// See quadratic_pencil.h.
#include "invar/math/spectra/quadratic_pencil.h"

namespace invar {

namespace {

bool is_entry(const std::array<Matrix, 3>& A, Eigen::Index i, Eigen::Index j) {
  return A[0](i, j) != 0.0 || A[1](i, j) != 0.0 || A[2](i, j) != 0.0;
}

// Unknown j has its real part at 2j and its imaginary part beside it.
Pattern doubled(const std::array<Matrix, 3>& A) {
  Pattern pattern;
  pattern.rows = pattern.cols = 2 * static_cast<int>(A[0].rows());
  for (Eigen::Index j = 0; j < A[0].cols(); ++j)
    for (int part = 0; part < 2; ++part) {
      for (Eigen::Index i = 0; i < A[0].rows(); ++i)
        if (is_entry(A, i, j)) {
          pattern.row.push_back(2 * static_cast<int>(i));
          pattern.row.push_back(2 * static_cast<int>(i) + 1);
        }
      pattern.start.push_back(static_cast<int>(pattern.row.size()));
    }
  return pattern;
}

}  // namespace

QuadraticPencil::QuadraticPencil(const std::array<Matrix, 3>& A)
    : pattern_(doubled(A)), solver_(pattern_, LinearSolver::Kind::any_pivots) {
  for (Eigen::Index j = 0; j < A[0].cols(); ++j)
    for (Eigen::Index i = 0; i < A[0].rows(); ++i)
      if (is_entry(A, i, j)) entries_.push_back({A[0](i, j), A[1](i, j), A[2](i, j)});
}

Eigen::VectorXcd QuadraticPencil::derivative(std::complex<double> s, const Eigen::VectorXcd& v) const {
  Eigen::VectorXcd product = Eigen::VectorXcd::Zero(v.size());
  std::size_t entry = 0;
  for (std::size_t j = 0; j + 1 < pattern_.start.size(); j += 2)
    for (int e = pattern_.start[j]; e < pattern_.start[j + 1]; e += 2, ++entry)
      product[pattern_.row[static_cast<std::size_t>(e)] / 2] +=
          (entries_[entry][1] + 2.0 * s * entries_[entry][2]) * v[static_cast<Eigen::Index>(j / 2)];
  return product;
}

bool QuadraticPencil::factor(std::complex<double> s) {
  std::vector<double> values(pattern_.size());
  std::size_t entry = 0;
  for (std::size_t j = 0; j + 1 < pattern_.start.size(); j += 2) {
    const auto first = static_cast<std::size_t>(pattern_.start[j]),
               second = static_cast<std::size_t>(pattern_.start[j + 1]);
    for (std::size_t e = 0; e < second - first; e += 2, ++entry) {
      const std::complex<double> value = entries_[entry][0] + s * (entries_[entry][1] + s * entries_[entry][2]);
      values[first + e] = values[second + e + 1] = value.real();
      values[first + e + 1] = value.imag();
      values[second + e] = -value.imag();
    }
  }
  return solver_.factor(values);
}

Eigen::MatrixXcd QuadraticPencil::solve(const Eigen::MatrixXcd& b) const {
  Eigen::MatrixXcd x(b.rows(), b.cols());
  std::vector<double> parts(2 * static_cast<std::size_t>(b.rows()));
  for (Eigen::Index c = 0; c < b.cols(); ++c) {
    for (std::size_t i = 0; i < parts.size(); i += 2) {
      const std::complex<double> value = b(static_cast<Eigen::Index>(i / 2), c);
      parts[i] = value.real();
      parts[i + 1] = value.imag();
    }
    solver_.solve(parts);
    for (std::size_t i = 0; i < parts.size(); i += 2) x(static_cast<Eigen::Index>(i / 2), c) = {parts[i], parts[i + 1]};
  }
  return x;
}

}  // namespace invar
