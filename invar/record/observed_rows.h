// Rows of an Observer, many at a time: states are taken as they come, and what follows from them is computed in vector
// lanes. The rows are those that Observer::observe writes, bit for bit.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "invar/record/observer.h"
#include "invar/tape/point_block.h"

namespace invar {

class ObservedRows {
 public:
  // Writes u at many instants: u[k*t.size() + p] is input k at t[p].
  using Inputs = std::function<void(std::span<const double> t, std::span<double> u)>;

  ObservedRows(const Observer& observer, std::span<const double> parameters, Inputs inputs);

  std::size_t count() const { return count_; }
  bool is_full() const { return count_ == points_.room(); }
  void add(double t, std::span<const double> q, std::span<const double> v, std::span<const double> lambda);

  // All that were added, one after the other, until more are added: it begins anew.
  std::span<const double> take();

 private:
  void write_largest(std::size_t first, std::size_t last, std::size_t column);

  std::size_t width_, state_, derived_;  // columns; those of t, q, v and λ; those of formulas
  std::size_t inputs_count_, position_count_, residuals_;
  Inputs inputs_;
  ReferenceValues signals_;
  std::size_t signals_place_;
  PointBlock points_;
  std::size_t count_ = 0;
  std::vector<double> rows_, times_, u_, given_, largest_;
};

}  // namespace invar
