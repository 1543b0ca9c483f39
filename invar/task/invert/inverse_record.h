// Jets of an inverse problem as named columns: motion, multipliers, inputs, outputs, section forces, references,
// errors, energies.
#pragma once

#include <string>
#include <vector>

#include "invar/dae/jet.h"
#include "invar/model/problem/problem.h"
#include "invar/record/trajectory.h"

namespace invar {

class InverseRecord {
 public:
  // Of jets of the Dae of this problem, `conditioned` if a condition number comes with each.
  InverseRecord(const Problem& problem, const Dae& dae, bool conditioned);
  // Of the rows to come.
  void set_parameters(std::span<const double> values) { observed_.set_parameters(values); }
  // `conditioning` of the augmented matrix.
  void add(std::span<const Jet* const> jets, std::span<const double> conditioning);

  // The highest derivative of unknown j that the columns contain.
  int order(std::size_t j) const { return observed_.highest(j); }

  void reserve(std::size_t rows) { trajectory_.reserve(rows); }
  const Trajectory& trajectory() const { return trajectory_; }
  Trajectory take() { return std::move(trajectory_); }  // the last that is asked of it
  Trajectory inputs() const;
  double largest_servo_error() const { return largest_servo_error_; }
  // " Cable in tension throughout, minimum 1.9e+03 at t = 1.1.", or nothing.
  std::string tension_in_words() const;
  // Tensions that become negative, with the times, and what the model bears only up to a limit.
  std::vector<std::string> warnings() const;

 private:
  const Problem& problem_;
  const Dae& dae_;
  JetEvaluator observed_;  // formulas beyond the unknowns themselves
  bool conditioned_;
  Trajectory trajectory_;
  std::vector<std::string> tensions_;
  std::vector<std::size_t> errors_;  // columns
  double largest_servo_error_ = 0.0;
};

}  // namespace invar
