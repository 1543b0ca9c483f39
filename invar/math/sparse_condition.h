// The reciprocal condition number of sparse matrices of one pattern, 1 / (‖A‖₁ ‖A⁻¹‖₁), with the second norm estimated
// from a few solutions with A and its transpose [N. J. Higham, ACM TOMS 14 (1988) 381, algorithm 674].
#pragma once

#include <span>
#include <vector>

#include "invar/base/pattern.h"
#include "invar/math/linear_solver.h"

namespace invar {

class SparseCondition {
 public:
  explicit SparseCondition(const Pattern& pattern);

  // `values` runs parallel to pattern.row. Zero if A is singular to working precision or not finite.
  double reciprocal(std::span<const double> values);

 private:
  double norm_of_inverse();

  Pattern pattern_;
  std::vector<std::size_t> turned_;  // place of each entry of the transpose
  std::vector<double> turned_values_, v_, sign_, sign_before_;
  LinearSolver straight_, transposed_;
};

}  // namespace invar
