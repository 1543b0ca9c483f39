// Elimination in a dense symmetric indefinite matrix, of those unknowns that may be eliminated already and as far as
// stable pivots are found among them: P A Pᵀ = L D Lᵀ + what is left, with pivots of size one and two. A pivot is
// stable if no entry of L exceeds the inverse of a threshold
// [I. S. Duff, J. K. Reid, ACM Trans. Math. Softw. 9 (1983) 302, section 3].
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace invar {

// Bounds on pivots. Entries are about one.
struct PivotRule {
  double threshold = 1e-3;
  double zero = 1e-20;
};

class DenseFront {
 public:
  // All zero. The first `summed` unknowns may be eliminated.
  void reset(std::size_t size, std::size_t summed);

  std::size_t size() const { return n_; }
  std::size_t summed() const { return summed_; }
  std::size_t eliminated() const { return done_; }
  std::size_t negative() const { return negative_; }                                         // pivots
  double& at(std::size_t i, std::size_t j) { return a_[i >= j ? i + j * n_ : j + i * n_]; }  // of the lower triangle
  const double* column(std::size_t j) const { return a_.data() + j * n_; }

  // `names` stand for the unknowns and change their places with them.
  void eliminate(const PivotRule& rule, std::span<int> names);

  // After elimination: column j of L below the diagonal; the inverse of D on and beside the diagonal.
  struct Pivot {
    int size;                      // 2 at the first of two, 0 at the second
    double first, beside, second;  // of D⁻¹
  };
  const std::vector<Pivot>& pivots() const { return pivots_; }

 private:
  struct Column {
    double largest = 0.0;         // beside the diagonal
    double largest_summed = 0.0;  // of those that may be pivots
    std::size_t partner = 0;      // where that is
  };
  Column look(std::size_t c) const;
  double largest_beside(std::size_t c, std::size_t other) const;
  bool try_pivot(std::size_t c, const PivotRule& rule, std::span<int> names);
  bool stable_pair(std::size_t c, std::size_t r, const PivotRule& rule) const;
  double entry(std::size_t i, std::size_t j) const { return a_[i >= j ? i + j * n_ : j + i * n_]; }
  void swap(std::size_t k, std::size_t r, std::span<int> names);
  void eliminate_one();
  void eliminate_two();
  void update_border(std::size_t first);

  std::size_t n_ = 0, summed_ = 0, done_ = 0, negative_ = 0;
  std::vector<double> a_;         // the lower triangle, column by column
  std::vector<double> products_;  // L D, column by column
  std::vector<Pivot> pivots_;
};

}  // namespace invar
