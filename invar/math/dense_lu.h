// Dense LU factors with partial pivoting, P A = L U, computed in place and without allocation; zeros in U are skipped.
#pragma once

#include <span>
#include <vector>

#include "invar/base/pattern.h"

namespace invar {

class DenseLu {
 public:
  explicit DenseLu(int size);

  // Column j counts as dependent on the columns before it when its pivot is at most smallest_pivot[j].
  // Returns the first such column, or -1 when the factors are complete.
  int factor(const Pattern& pattern, std::span<const double> values, std::span<const double> smallest_pivot);
  void solve(std::span<double> b) const;
  double pivot(int column) const { return at(column, column); }

 private:
  double at(int i, int j) const { return factors_[static_cast<std::size_t>(j) * n_ + i]; }
  double* column(int j) { return factors_.data() + static_cast<std::size_t>(j) * n_; }
  void swap_rows(int i, int k);
  void eliminate(int k);

  int n_;
  std::vector<double> factors_;  // by columns: U on and above the diagonal, L (unit diagonal) below
  std::vector<int> swapped_;     // row k was exchanged with row swapped_[k] ≥ k
};

}  // namespace invar
