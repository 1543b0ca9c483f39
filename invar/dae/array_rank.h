// Units of a derivative array and the rank decisions made on it (see derivative_array.h).
//
// Let y = (q,q') be the state and w = (q'',u) what is wanted. Statements about the null space of the array A are
// statements about ranks of A and of what is left of it without the columns of y, and without those of y and w:
//
//   degrees of freedom = |y| - rank A + rank A[not y],   w follows from y  ⇔  rank A[not y] - rank A[not y,w] = |w|
//
// Ranks do not depend on units, but whether a singular value stands out from rounding errors does: derivatives of order
// l are measured in l!/τ^l, the equations in the inverse. A poor τ makes small what is not zero; it can lower a rank
// that is counted, but hardly raise it, since exact dependences stay at the level of rounding in all units. So each
// rank is the largest over a geometric set of τ, which spans nearly four decades around the time scale of the problem
// itself. No single τ would do for the null space: the larger it is, the better conditioned an array may be as a whole,
// while the influence of high derivatives on (q,q') fades with powers of 1/τ until an open unknown looks determined.
//
// Units of unknowns and equations are natural ones first (see natural_units.h), so that noise is told from small
// numbers in whatever units a problem is written, and then balanced by blocks, one factor per unknown and one per
// equation.
#pragma once

#include <span>
#include <vector>

#include "invar/dae/dae.h"
#include "invar/dae/jet.h"
#include "invar/dae/structure.h"
#include "invar/math/matrix.h"

namespace invar {

// Smallest over largest singular value after dropping noise (entries below 1e-13 of their row) and balancing. Before,
// noise is told from small numbers only if J is in natural units.
double reciprocal_condition(const Matrix& J);
// A regular J lies above 1e-3, an identically singular one at 1e-17; this is the middle of the gap with a margin for
// states near an isolated singular one.
inline constexpr double regular_above = 1e-11;

struct ArrayShape {
  std::vector<Derivative> rows, columns;
  NaturalUnits units;
};
ArrayShape array_shape(const Offsets& offsets, int k, const NaturalUnits& units);

inline std::size_t at_index(int i) { return static_cast<std::size_t>(i); }
// What a column of the array stands for, in a jet long enough.
inline double& entry(Jet& jet, const Derivative& z) { return jet.x[at_index(z.index)][at_index(z.order)]; }
inline double entry(const Jet& jet, const Derivative& z) { return jet.x[at_index(z.index)][at_index(z.order)]; }
Vector residual_rows(JetEvaluator& evaluator, const Jet& jet, const std::vector<Derivative>& rows);
// The same into r, with f for all orders of the residuals; neither grows from one call to the next.
void residual_rows(JetEvaluator& evaluator, const Jet& jet, const std::vector<Derivative>& rows, Matrix& f, Vector& r);

// diag(row) · A · diag(column) is the array in balanced units with time scale τ, in parts of the natural one.
struct ArrayScale {
  Vector row, column;
};
ArrayScale array_scale(const Matrix& A, const ArrayShape& shape, double tau);
// The same of an array that is known by its entries.
struct ArrayEntry {
  Eigen::Index row, column;
  double value;
};
ArrayScale array_scale(std::span<const ArrayEntry> entries, const ArrayShape& shape, double tau);
// The array in these units, without noise: entries below this part of their row are rounding errors of larger terms.
inline constexpr double entry_noise = 1e-13;
Matrix scaled(const Matrix& A, const ArrayScale& scale);

// Columns of (q,q') whose next derivative is in the array too, and of (q'',u). A coordinate that appears without
// acceleration or without velocity counts with its own highest order.
struct ArrayRoles {
  std::vector<int> state, wanted;
};
ArrayRoles array_roles(const ArrayShape& shape, const JetEvaluator& evaluator, const Offsets& offsets, const Dae& dae,
                       int k);

// What is below this part of the largest counts as zero.
inline constexpr double array_rank_tolerance = 1e-9;

struct ArrayRanks {
  Eigen::Index rank = 0;
  int degrees_of_freedom = 0;
  bool determined = false;  // the wanted follow from the state
  // Shows all these ranks: of those that keep the smallest part that counts well away from zero, the one nearest to the
  // time scale of the problem.
  double tau = 1.0;
};
ArrayRanks array_ranks(const Matrix& A, const ArrayShape& shape, const ArrayRoles& roles);
// Such a τ for the rank of the array as a whole.
double time_scale(const Matrix& A, const ArrayShape& shape);

}  // namespace invar
