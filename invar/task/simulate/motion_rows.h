// States and inputs read back from the rows of a result.
#pragma once

#include <vector>

#include "invar/record/trajectory.h"
#include "invar/system/state_function.h"

namespace invar {

class MotionRows {
 public:
  // The trajectory begins with the columns of an Observer of the system: t, q, v, λ, u.
  MotionRows(const System& system, const Trajectory& trajectory);

  State state(std::size_t row) const;
  std::vector<double> inputs(std::size_t row) const;
  const Trajectory& table() const { return trajectory_; }

  // At most about so many rows, evenly spread, the last one, and those in which the drifts are largest.
  std::vector<std::size_t> sample(std::size_t most) const;
  double largest_position() const { return largest_position_; }
  double largest_velocity() const { return largest_velocity_; }
  double interval() const;  // the usual one between rows

 private:
  const Trajectory& trajectory_;
  std::size_t n_, m_, inputs_;
  double largest_position_ = 0.0, largest_velocity_ = 0.0;
};

}  // namespace invar
