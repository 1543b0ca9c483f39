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
  double t(std::size_t r) const { return trajectory_.row(r)[0]; }
  std::span<const double> q(std::size_t r) const { return trajectory_.row(r).subspan(1, n_); }
  std::span<const double> v(std::size_t r) const { return trajectory_.row(r).subspan(1 + n_, n_); }
  std::span<const double> lambda(std::size_t r) const { return trajectory_.row(r).subspan(1 + 2 * n_, m_); }
  std::span<const double> u(std::size_t r) const { return trajectory_.row(r).subspan(1 + 2 * n_ + m_, inputs_); }

  // Formulas in these rows, many at a time: see(rows, block) gets some of them and the values there.
  template <class See>
  void evaluate(const StateFunction& formulas, std::span<const std::size_t> rows, const See& see) const {
    StateBlock block(formulas);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      block.add(t(rows[k]), q(rows[k]), v(rows[k]), lambda(rows[k]), u(rows[k]));
      if (!block.is_full() && k + 1 < rows.size()) continue;
      block.evaluate();
      see(rows.subspan(k + 1 - block.count(), block.count()), block);
      block.clear();
    }
  }
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
