// A x = b with a fixed pattern of A: analysed once, factored again for every new set of values.
//
// The rows are first scaled by powers of two to a largest entry in [1, 2), because the rows of a multibody Jacobian
// differ by many orders of magnitude; then P A = L U, dense for small matrices and sparse for large ones: by a straight
// list of operations as long as its pivots serve, otherwise by KLU.
#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "invar/base/pattern.h"
#include "invar/math/dense_lu.h"
#include "invar/math/klu_solver.h"
#include "invar/math/straight_lu.h"

namespace invar {

class LinearSolver {
 public:
  // any_pivots: sparse, for matrices in which pivots off the diagonal are the rule. banded: sparse, eliminated as it
  // stands, whatever the pivots, for matrices of whole motions instant by instant
  enum class Kind { automatic, dense, sparse, any_pivots, banded };

  // The pattern is square. It may be structurally singular; factor() then returns false.
  explicit LinearSolver(const Pattern& pattern, Kind kind = Kind::automatic);

  // Shares the analysis of the pattern and has no factors yet.
  LinearSolver another() const;

  // `values` runs parallel to pattern.row. False if A is singular to working precision or not finite.
  // Allocates nothing, except when a sparse A has changed so much that it needs a new pivot order.
  bool factor(std::span<const double> values);

  bool has_factors() const { return ready_; }
  void forget_factors() { ready_ = false; }

  // b becomes x. Only after a successful factor(); allocates nothing; one thread at a time.
  void solve(std::span<double> b) const;

  // After factor() returned false: an unknown that the equations leave undetermined, or -1 if A was not finite.
  int singular_column() const { return singular_column_; }

  // Smallest over largest pivot, each relative to the largest entry of its column. A cheap indicator, not a bound:
  // the true value may be smaller by orders of magnitude.
  double reciprocal_condition() const;

  // Of the factors, and the operations they take, after a successful factor().
  std::size_t factor_entries() const;
  double factor_work() const;

  bool is_sparse() const { return std::holds_alternative<KluSolver>(method_); }

 private:
  LinearSolver(const Pattern& pattern, std::variant<DenseLu, KluSolver> method, bool can_be_straight);
  bool scale(std::span<const double> values);
  bool factor_straight();
  void find_straight();

  Pattern pattern_;
  std::variant<DenseLu, KluSolver> method_;
  std::vector<double> row_scale_;
  std::vector<double> scaled_;
  std::vector<double> column_max_;      // of the scaled matrix
  std::vector<double> smallest_pivot_;  // by column
  std::optional<StraightLu> straight_;
  bool can_be_straight_;
  int lists_ = 0, straight_factors_ = 0;  // made so far
  bool is_straight_ = false;              // are the factors?
  int singular_column_ = -1;
  bool ready_ = false;
};

}  // namespace invar
