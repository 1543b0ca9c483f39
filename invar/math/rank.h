// Numerical rank, null spaces, minimum-norm solutions and linearly dependent rows of small dense matrices.
#pragma once

#include <utility>
#include <vector>

#include "invar/math/matrix.h"

namespace invar {

// Relative size below which a direction counts as absent. Jacobians of mechanical systems are evaluated to about 1e-14
// of their largest entry and their honest singular values rarely spread over more than six orders, so 1e-10 lies in the
// gap.
inline constexpr double rank_tolerance = 1e-10;

// Whether rows, or rows and then columns, are first brought to a largest entry near one, which makes the rank
// independent of the units of the equations (and of the unknowns).
enum class Scaling { none, rows, rows_and_columns };

int rank(const Matrix& A, double tolerance = rank_tolerance, Scaling scaling = Scaling::rows);

// Orthonormal columns N that span {x : A x = 0}; the rows of A are brought to unit length first, which leaves it
// unchanged.
Matrix null_space(const Matrix& A, double tolerance = rank_tolerance);

// The shortest x among those that minimise |A x − b|.
Vector least_norm(const Matrix& A, const Vector& b, double tolerance = rank_tolerance);

struct Projection {
  Vector step;         // d
  Vector unreachable;  // b − A d, zero if A d = b can be satisfied
};

// Minimises ½ dᵀ W d subject to A d = b, W symmetric positive definite. If the equations contradict each other they are
// met in the least-squares sense, each row weighted to unit length in the metric W⁻¹.
Projection project(const Matrix& A, const Vector& b, const Matrix& W, double tolerance = rank_tolerance);

// A(row) = Σ factor · A(other row)
struct Dependency {
  int row;
  std::vector<std::pair<int, double>> combination;
};

struct RowRank {
  int rank;
  std::vector<int> independent;
  std::vector<Dependency> dependent;
};

// Keeps the earliest possible rows as independent and writes every later dependent row as a combination of kept ones.
// Rows count with unit length; terms of less than 1e-8 of the dependent row are left out; a zero row has no terms.
RowRank row_rank(const Matrix& A, double tolerance = rank_tolerance);

}  // namespace invar
