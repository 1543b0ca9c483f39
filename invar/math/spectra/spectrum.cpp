// See spectrum.h.
#include "invar/math/spectra/spectrum.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "invar/math/eigen_pairs.h"

namespace invar {

Vector balancing(const Matrix& A) {
  constexpr double worth_it = 0.95;
  constexpr int most_sweeps = 100;  // a factor of 2^1000 at the least
  const Eigen::Index n = A.rows();
  Vector d = Vector::Ones(n);
  Matrix B = A;
  bool moved = true;
  for (int sweep = 0; moved && sweep < most_sweeps; ++sweep) {
    moved = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double row = B.row(i).cwiseAbs().sum() - std::abs(B(i, i)),
                   column = B.col(i).cwiseAbs().sum() - std::abs(B(i, i));
      if (!(row > 0.0) || !(column > 0.0) || !std::isfinite(row + column)) continue;
      const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (column * factor + row / factor >= worth_it * (row + column)) continue;
      d[i] *= factor;
      B.col(i) *= factor;
      B.row(i) /= factor;
      moved = true;
    }
  }
  return d;
}

namespace {

// Unknowns that have to do with each other, part by part.
std::vector<std::vector<Eigen::Index>> independent_parts(const Matrix& A) {
  std::vector<bool> known(static_cast<std::size_t>(A.rows()), false);
  std::vector<std::vector<Eigen::Index>> parts;
  for (Eigen::Index first = 0; first < A.rows(); ++first) {
    if (known[static_cast<std::size_t>(first)]) continue;
    std::vector<Eigen::Index> part = {first};
    known[static_cast<std::size_t>(first)] = true;
    for (std::size_t next = 0; next < part.size(); ++next)
      for (Eigen::Index j = 0; j < A.cols(); ++j) {
        if (known[static_cast<std::size_t>(j)] || (A(part[next], j) == 0.0 && A(j, part[next]) == 0.0)) continue;
        known[static_cast<std::size_t>(j)] = true;
        part.push_back(j);
      }
    parts.push_back(std::move(part));
  }
  return parts;
}

struct JudgedEigenvalue {
  std::complex<double> value;
  double uncertainty;
};

void add_spectrum(const Matrix& A, std::vector<JudgedEigenvalue>& all) {
  const Vector d = balancing(A);
  const Matrix B = d.cwiseInverse().asDiagonal() * A * d.asDiagonal();
  const auto [s, X] = eigen_pairs(B);
  const Eigen::MatrixXcd Y = X.partialPivLu().inverse();
  const Matrix sensitivity = Y.cwiseAbs() * B.cwiseAbs() * X.cwiseAbs();
  for (Eigen::Index i = 0; i < s.size(); ++i) {
    const double change = entry_error * sensitivity(i, i);
    // Without a basis of eigenvectors: a double one moves with the root of the error.
    all.push_back({s[i], std::isfinite(change) ? change : std::sqrt(entry_error) * B.norm()});
  }
}

}  // namespace

Spectrum spectrum(const Matrix& A) {
  std::vector<JudgedEigenvalue> all;
  for (const std::vector<Eigen::Index>& part : independent_parts(A)) add_spectrum(A(part, part), all);
  std::stable_sort(all.begin(), all.end(), [](const JudgedEigenvalue& a, const JudgedEigenvalue& b) {
    return a.value.real() != b.value.real() ? a.value.real() < b.value.real() : a.value.imag() < b.value.imag();
  });
  Spectrum result;
  for (const JudgedEigenvalue& one : all) {
    result.values.push_back(one.value);
    result.uncertainty.push_back(one.uncertainty);
  }
  return result;
}

}  // namespace invar
