// Right-looking Gaussian elimination by columns [Golub & Van Loan, Matrix Computations, alg. 3.4.1].
#include "invar/math/dense_lu.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace invar {

DenseLu::DenseLu(int size) : n_(size), factors_(static_cast<std::size_t>(size) * size), swapped_(size) {}

int DenseLu::factor(const Pattern& pattern, std::span<const double> values, std::span<const double> smallest_pivot) {
  std::fill(factors_.begin(), factors_.end(), 0.0);
  for (int j = 0; j < n_; ++j)
    for (int e = pattern.start[j]; e < pattern.start[j + 1]; ++e) column(j)[pattern.row[e]] = values[e];

  for (int k = 0; k < n_; ++k) {
    const double* a = column(k);
    int best = k;
    for (int i = k + 1; i < n_; ++i)
      if (std::abs(a[i]) > std::abs(a[best])) best = i;
    // Written so that a pivot that is not a number fails too.
    if (!(std::abs(a[best]) > smallest_pivot[k])) return k;
    swapped_[k] = best;
    swap_rows(k, best);
    eliminate(k);
  }
  return -1;
}

void DenseLu::swap_rows(int i, int k) {
  if (i == k) return;
  for (int j = 0; j < n_; ++j) std::swap(column(j)[i], column(j)[k]);
}

void DenseLu::eliminate(int k) {
  double* l = column(k);
  const double pivot = l[k];
  int last = k;  // below the last nonzero multiplier nothing changes
  for (int i = k + 1; i < n_; ++i) {
    l[i] /= pivot;
    if (l[i] != 0) last = i;
  }
  for (int j = k + 1; j < n_; ++j) {
    double* a = column(j);
    const double u = a[k];
    if (u == 0) continue;
    for (int i = k + 1; i <= last; ++i) a[i] -= l[i] * u;
  }
}

void DenseLu::solve(std::span<double> b) const {
  for (int k = 0; k < n_; ++k) std::swap(b[k], b[swapped_[k]]);
  for (int k = 0; k < n_; ++k) {
    const double x = b[k];
    if (x == 0) continue;
    for (int i = k + 1; i < n_; ++i) b[i] -= at(i, k) * x;
  }
  for (int k = n_ - 1; k >= 0; --k) {
    const double x = b[k] /= at(k, k);
    if (x == 0) continue;
    for (int i = 0; i < k; ++i) b[i] -= at(i, k) * x;
  }
}

}  // namespace invar
