// See spectrum.h.
#include "invar/math/spectrum.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

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

Spectrum spectrum(const Matrix& A) {
  Spectrum result;
  if (A.size() == 0) return result;
  const Vector d = balancing(A);
  const Matrix B = d.cwiseInverse().asDiagonal() * A * d.asDiagonal();
  const auto [s, X] = eigen_pairs(B);
  const Eigen::MatrixXcd Y = X.partialPivLu().inverse();
  const Matrix sensitivity = Y.cwiseAbs() * B.cwiseAbs() * X.cwiseAbs();
  std::vector<Eigen::Index> order(static_cast<std::size_t>(s.size()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return s[a].real() != s[b].real() ? s[a].real() < s[b].real() : s[a].imag() < s[b].imag();
  });
  for (const Eigen::Index i : order) {
    result.values.push_back(s[i]);
    const double change = entry_error * sensitivity(i, i);
    // Without a basis of eigenvectors: a double one moves with the root of the error.
    result.uncertainty.push_back(std::isfinite(change) ? change : std::sqrt(entry_error) * B.norm());
  }
  return result;
}

}  // namespace invar
