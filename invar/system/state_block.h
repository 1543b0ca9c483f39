// Formulas of a System at many states, evaluated in vector lanes: the bits are those of a StateFunction.
#pragma once

#include <span>

#include "invar/system/state_function.h"
#include "invar/tape/point_block.h"

namespace invar {

class StateBlock {
 public:
  // With the parameters that the formulas have now.
  explicit StateBlock(const StateFunction& formulas);

  bool is_full() const { return count_ == points_.room(); }
  std::size_t count() const { return count_; }
  void clear() { count_ = 0; }
  // Accelerations are zero, and so are parts that are empty in all states.
  void add(double t, std::span<const double> q, std::span<const double> v, std::span<const double> lambda = {},
           std::span<const double> u = {});

  void evaluate();
  // Of an output, at the states in the order in which they were added.
  std::span<const double> values(std::size_t output) const { return points_.out(output).first(count_); }

 private:
  std::size_t coordinates_, lambda_, u_, given_place_;  // places of the arguments
  ReferenceValues references_;
  std::vector<double> given_;
  PointBlock points_;
  std::size_t count_ = 0;
};

}  // namespace invar
