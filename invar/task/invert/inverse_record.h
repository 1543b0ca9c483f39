// Jets of an inverse problem as named columns: motion, multipliers, inputs, outputs, references, errors, energies.
#pragma once

#include <string>
#include <vector>

#include "invar/record/trajectory.h"
#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {

class InverseRecord {
 public:
  InverseRecord(const Problem& problem, const InverseStructure& structure);
  // `conditioning` of the augmented matrix, if the structure has one.
  void add(const Jet& jet, double conditioning = 0.0);

  const Trajectory& trajectory() const { return trajectory_; }
  Trajectory inputs() const;
  double largest_servo_error() const { return largest_servo_error_; }
  // " Cable in tension throughout, minimum 1.9e+03 at t = 1.1.", or nothing.
  std::string tension_in_words() const;
  // Tensions that become negative, with the times.
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
  Matrix values_;
};

}  // namespace invar
