// Sparse LU factors of a matrix with fixed pattern by KLU [Davis & Palamadai Natarajan, ACM TOMS 37 (2010), alg. 907].
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "invar/base/pattern.h"

namespace invar {

class KluSolver {
 public:
  // In which order unknowns are eliminated: so that few entries fill in if diagonal entries can be pivots (AMD), so
  // that few do whatever the pivots (COLAMD), for matrices whose diagonal says nothing, or as they stand, for banded
  // ones.
  enum class Order { least_fill, any_pivots, as_given };
  explicit KluSolver(const Pattern& pattern, Order order = Order::least_fill);

  // Shares the analysis of the pattern and has no factors yet.
  KluSolver another() const;

  // As DenseLu::factor. The pivot order of the last full factorisation is kept while it stays accurate, and then
  // nothing is allocated; a new pivot order allocates.
  int factor(std::span<const double> values, std::span<const double> smallest_pivot);
  void solve(std::span<double> b) const;             // several right-hand sides in a row, too; one thread at a time
  void solve_transposed(std::span<double> b) const;  // likewise, with the transposed matrix
  double pivot(int column) const;
  std::size_t entries() const;  // of the factors, after factor()
  double work() const;          // operations of a factorisation, likewise

 private:
  struct Analysis;
  struct Factors;
  explicit KluSolver(std::shared_ptr<Analysis> analysis);
  struct Destroy {
    void operator()(Factors*) const;
  };
  std::shared_ptr<const Pattern> other_order_;  // to try at the first factorisation
  std::unique_ptr<Factors, Destroy> factors_;
};

}  // namespace invar
