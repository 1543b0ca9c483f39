// Sparse LU factors by a straight list of operations: no search, no tests, no scatter and gather of rows.
//
// Every entry of the factors, fill included, has a place of its own for good. Step k divides the column of its pivot by
// it, l_r = a_rk / a_kk, and takes a_rc −= l_r a_kc with places that are written down beforehand. That serves as long
// as the pivots do: the largest |l| tells, since rows are scaled to one before. The list is shared by copies.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "invar/base/pattern.h"

namespace invar {

class StraightLu {
 public:
  // With pivots that are good for these values, if there are any and the operations are not more than `most`.
  static std::optional<StraightLu> make(const Pattern& pattern, std::span<const double> values, double most);

  // The same list, without factors.
  StraightLu another() const { return StraightLu(list_); }

  // False if the pivots do not serve these values, or if one is at most smallest_pivot of its column.
  bool factor(std::span<const double> values, std::span<const double> smallest_pivot);
  void solve(std::span<double> b) const;  // one thread at a time
  // The same for `count` right-hand sides side by side, that of row r at b[r * count + c], also with the transposed
  // matrix; many factors may share the memory.
  void solve(std::span<double> b, int count, std::vector<double>& memory) const;
  void solve_transposed(std::span<double> b, int count, std::vector<double>& memory) const;
  double pivot(int column) const;
  std::size_t entries() const;
  double work() const;

 private:
  struct List;
  explicit StraightLu(std::shared_ptr<const List> list);
  template <int Width>
  void solve_some(double* b, int count, double* x) const;
  template <int Width>
  void solve_some_transposed(double* b, int count, double* x) const;

  std::shared_ptr<const List> list_;
  std::vector<double> value_;             // of the factors, by place
  std::vector<double> inverse_;           // of the pivots, by step
  mutable std::vector<double> solution_;  // by unknown
};

}  // namespace invar
