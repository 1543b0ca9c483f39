// Formulas of a System evaluated at numbers, for work outside the time steps.
#pragma once

#include <span>
#include <vector>

#include "invar/system/reference_values.h"
#include "invar/system/system.h"
#include "invar/tape/function.h"
#include "invar/tape/point_block.h"

namespace invar {

// A motion at one instant.
struct State {
  double t = 0.0;
  std::vector<double> q, v, a, lambda;
};

// A copy shares the formulas and has its own numbers: for another thread, or other values of the parameters.
class StateFunction {
 public:
  // `references` are the given functions of time that the formulas contain.
  StateFunction(const System& system, std::span<const Expr> outputs, std::span<const Reference> references = {});
  // Missing parts of the state (empty lists) count as zero.
  std::vector<double> operator()(const State& state, std::span<const double> u = {});
  // In place of those of the system.
  void set_parameters(std::span<const double> values);

 private:
  friend class StateBlock;
  std::size_t coordinates_, multipliers_, inputs_;
  std::vector<double> parameters_;
  ReferenceValues references_;
  Function function_;
  Scratch scratch_;
};

// The same formulas at many states, evaluated in vector lanes: the bits are those of single ones.
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
