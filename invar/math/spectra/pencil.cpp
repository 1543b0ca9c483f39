// See pencil.h.
#include "invar/math/spectra/pencil.h"

#include <Eigen/LU>

#include "invar/math/svd.h"

namespace invar {

namespace {

Eigen::Index rank_of(const Vector& singular_values, double cutoff) {
  Eigen::Index rank = 0;
  while (rank < singular_values.size() && singular_values[rank] > cutoff) ++rank;
  return rank;
}

double largest_entry(const Matrix& m) { return m.size() > 0 ? m.cwiseAbs().maxCoeff() : 0.0; }

}  // namespace

OrdinaryPart ordinary_part(const Matrix& E, const Matrix& A, double tolerance) {
  const double least_e = tolerance * largest_entry(E), least_a = tolerance * largest_entry(A);
  Matrix e = E, a = A;
  OrdinaryPart part{{}, Matrix::Identity(E.cols(), E.cols()), false};
  while (e.cols() > 0) {
    const Svd rows = svd(e);
    const Eigen::Index rank = rank_of(rows.values, least_e), conditions = e.rows() - rank;
    const Matrix first = rows.U.leftCols(rank).transpose(), rest = rows.U.rightCols(conditions).transpose();
    const Matrix condition = rest * a;
    const Svd met = svd(condition);
    const Eigen::Index restricted = conditions > 0 ? rank_of(met.values, least_a) : 0;
    if (restricted == 0) {
      part.is_determined = rank == e.cols();
      if (part.is_determined) part.F = (first * e).fullPivLu().solve(first * a);
      return part;
    }
    const Matrix N = met.V.rightCols(e.cols() - restricted);
    e = first * e * N;
    a = first * a * N;
    part.N = part.N * N;
  }
  part.F = Matrix::Zero(0, 0);
  part.is_determined = true;
  return part;
}

}  // namespace invar
